#if os(Linux)
    import ForceFieldWire
    import Synchronization

    /// The items that a worker sends in answer to one call. It is iterated once; forgetting it ends the call.
    ///
    /// Its iteration throws ``ForceFieldError``. Items before an error may be left out.
    public struct ItemStream<Item: Decodable & Sendable>: AsyncSequence, Sendable {
        private let source: Source

        /// - Parameter call: nil if it was not begun, which the inbox tells.
        init(_ inbox: StreamInbox, _ call: Call?, raw: Bool, of pool: WorkerPool) {
            source = Source(inbox, call, raw: raw, of: pool)
        }

        /// The one iteration of the stream.
        public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

        /// Waits for one item after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let source: Source

            /// - Returns: nil when there are no more.
            /// - Throws: ``ForceFieldError``
            public mutating func next() async throws(ForceFieldError) -> Item? {
                try await source.next()
            }

            /// - Returns: nil when there are no more.
            /// - Throws: ``ForceFieldError``
            public mutating func next(isolation _: isolated (any Actor)?) async throws(ForceFieldError) -> Item? {
                try await source.next()
            }
        }

        /// Ends the call with the last reference to the stream.
        final class Source: Sendable {
            private let inbox: StreamInbox
            private let call: Call?
            private let isRaw: Bool
            private let pool: WorkerPool
            private let isOver = Atomic(false)

            init(_ inbox: StreamInbox, _ call: Call?, raw: Bool, of pool: WorkerPool) {
                self.inbox = inbox
                self.call = call
                isRaw = raw
                self.pool = pool
            }

            deinit { cancel() }

            private func cancel() {
                if let call { pool.cancel(call) }
            }

            nonisolated(nonsending) func next() async throws(ForceFieldError) -> Item? {
                let next = await withTaskCancellationHandler {
                    await inbox.next()
                } onCancel: {
                    cancel()
                }
                let body: [UInt8]?
                do throws(ForceFieldError) { body = try next.get() } catch {
                    if let call, beginsEnd() { pool.note(error, for: call) }
                    throw error
                }
                if let body { return try decode(body) }
                if beginsEnd() { pool.noteGoodAnswer() }
                return nil
            }

            /// Whether the end is told for the first time: it is told to whoever asks again, too.
            private func beginsEnd() -> Bool { !isOver.exchange(true, ordering: .relaxed) }

            private func decode(_ body: [UInt8]) throws(ForceFieldError) -> Item {
                do throws(CodecError) { return try MethodBody.decode(body, raw: isRaw) } catch {
                    if let call {
                        pool.refuseAnswer(to: call)
                        pool.cancel(call)
                    }
                    throw .invalidReply(error)
                }
            }
        }
    }
#endif
