#if os(Linux)
    internal import NIOCore
    internal import Sockets

    /// Two connections whose sockets have left their event loop: a thread moves their bytes by nothing but reads and
    /// writes. What ends them is counted and timed on the event loop.
    final class SocketLink: ByteLink {
        private var pair: RelayedPair?

        /// Takes both sockets out of their channels, which are closed; the connections go on.
        ///
        /// - Returns: false where they have to stay: an end is encrypted, a channel still holds bytes that were not
        ///   sent, or the process may have no more descriptors. Nothing has changed then.
        static func take(_ session: Session, _ ends: Ends, switchingBy bytes: ByteBuffer) -> Bool {
            guard let relays = session.server.relays, let client = ConnectedSocket(of: ends.client),
                let service = ConnectedSocket(of: ends.upstream)
            else { return false }
            let link = SocketLink(session)
            let pair = RelayedPair(client: client, service: service, observer: Observer(link))
            link.pair = pair
            link.open()
            let rest = ends.http.takeOver()
            let early = ends.answer.handler.takeRest()
            // What the channels have read is in these two, and they read nothing more.
            ends.client.close(promise: nil)
            ends.upstream.close(promise: nil)
            var first = bytes
            first.writeImmutableBuffer(early)
            pair.send(Array(first.readableBytesView), to: .client)
            pair.send(Array(rest.readableBytesView), to: .service)
            let counter = session.server.gate.metrics.bytes
            counter.add(.toClient, count: early.readableBytes)
            counter.add(.toUpstream, count: rest.readableBytes)
            relays.add(pair)
            return true
        }

        override func finish() { pair?.finish() }

        override func cut() { pair?.cut() }

        override var lastMove: NIODeadline { .uptimeNanoseconds(pair?.lastMoveNanoseconds ?? 0) }

        override func over(brokenBy side: CloseSide?) {
            super.over(brokenBy: side)
            // The link holds the pair, and the pair's observer the link.
            pair = nil
        }

        /// Brings what the thread tells to the event loop.
        private struct Observer: PairObserver {
            private let link: NIOLoopBound<SocketLink>
            private let loop: any EventLoop

            init(_ link: SocketLink) {
                loop = link.session.server.loop
                self.link = NIOLoopBound(link, eventLoop: loop)
            }

            func inputEnded(of side: PairedSide) { loop.execute { [link] in link.value.inputEnded(of: side.cause) } }

            func over(brokenBy side: PairedSide?) { loop.execute { [link] in link.value.over(brokenBy: side?.cause) } }
        }
    }

    extension PairedSide {
        fileprivate var cause: CloseSide { self == .client ? .client : .upstream }
    }

    extension ConnectedSocket {
        /// The socket of a channel that has sent all that it was given. On its event loop.
        fileprivate convenience init?(of channel: any Channel) {
            guard channel.isActive, let options = channel.syncOptions,
                (try? options.getOption(.bufferedWritableBytes)) == 0
            else { return nil }
            let number = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: CInt) in handle
            }
            guard let number else { return nil }
            self.init(duplicating: number)
        }
    }
#endif
