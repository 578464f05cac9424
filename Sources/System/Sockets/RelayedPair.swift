#if os(Linux)
    /// One of the two sockets of a pair.
    package enum PairedSide: Int, Sendable {
        case client, service

        package var other: PairedSide { self == .client ? .service : .client }

        static let both = [PairedSide.client, .service]
    }

    /// What hears of a pair. All functions are called on the relay's thread, which other pairs wait for: they neither
    /// wait nor do much.
    package protocol PairHandler: AnyObject {
        /// Bytes have come from a side.
        ///
        /// - Parameter bytes: theirs for the time of the call.
        func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide)
        /// A side has said that it sends nothing more, and may still be sent to. Told of pairs that live on then.
        func inputEnded(of side: PairedSide)
        /// A side's connection is over: its socket is closed. Told once of each side that there was.
        ///
        /// - Parameter isBroken: whether the other end or the system ended it (``RelayedPair/errno(of:)``), not the
        ///   handler or the thread, and not behind the end of what it sent.
        func ended(_ side: PairedSide, isBroken: Bool)
    }

    /// What stands between the socket of a side and the pair's handler: TLS. All functions are called on the relay's
    /// thread, and what it says to the socket goes through ``RelayedPair/sendToSocket(_:of:)``.
    package protocol PairLayer: AnyObject {
        /// Bytes have come from the socket.
        ///
        /// - Parameter bytes: theirs for the time of the call. What they mean goes to
        ///   ``RelayedPair/deliver(_:from:)``.
        func received(_ bytes: UnsafeRawBufferPointer)
        /// The socket's other end sends nothing more. The side is over then (``RelayedPair/end(_:brokenBy:)``).
        func inputEnded()
        /// Sends bytes of the handler's.
        func send(_ bytes: UnsafeRawBufferPointer)
        /// Sends the end of what the handler says, behind all bytes.
        func endOutput()
        /// The socket is closed. Nothing is told or asked for after that.
        func ended()
    }

    /// Two sockets, the bytes of which go to a handler, which says what is sent to either. The service's may come
    /// later.
    ///
    /// A side is read only while the other one takes what it is sent, so at most one buffer for each direction waits
    /// here, beside what the handler sends of its own.
    // @unchecked: everything that changes is used by whoever makes the pair until a thread looks after it, and by that
    // thread alone then.
    package final class RelayedPair: @unchecked Sendable {
        /// One side.
        private struct End {
            /// Nil for a service that has none yet.
            let socket: ConnectedSocket?
            /// Nil where the handler and the socket say the same.
            var layer: (any PairLayer)?
            /// Bytes that it did not take yet.
            var held: [UInt8] = []
            /// How many of these it has taken since.
            var taken = 0
            /// Whether the handler wants what comes from it.
            var isWanted = true
            /// Whether it has sent its end.
            var hasEnded = false
            /// Whether its output ends behind what is held.
            var endsOutput = false
            var isOpen: Bool
            /// Why the other end or the system ended it; nil where they did not.
            var failure: CInt?
            /// Whether the other end is told by a reset.
            var resets = false
            /// Whether the handler knows that it is not open any more.
            var hasTold: Bool
            /// What is waited for, as the system was told.
            var watched: Int32 = 0
            /// Whether there may be more to read or room to send than the system tells of, as it tells once.
            var hasMore = false
            /// Since when it has been read without a pause (``RelayThread/moment``); nil while it is not.
            var readSince: UInt64?

            init(_ socket: ConnectedSocket?) {
                self.socket = socket
                (isOpen, hasTold) = (socket != nil, socket == nil)
            }

            /// - Returns: whether something else is to be waited for, or to be told.
            mutating func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
                guard isOpen, !endsOutput, !bytes.isEmpty, let socket else { return false }
                guard held.isEmpty else {
                    held += bytes
                    return false
                }
                switch socket.send(bytes) {
                case .moved(bytes.count): return false
                case .moved(let count): held = Array(bytes[count...])
                case .wouldBlock: held = Array(bytes)
                case .broken(let errno): (isOpen, failure) = (false, errno)
                }
                return true
            }
        }

        private struct Ends {
            var client: End
            var service: End

            subscript(side: PairedSide) -> End {
                // What is read and changed in place copies nothing that it holds.
                _read { if side == .client { yield client } else { yield service } }
                _modify { if side == .client { yield &client } else { yield &service } }
            }
        }

        private var ends: Ends
        /// Whether a side is closed that sends its end, which may be sent to otherwise.
        package var closesAtEnd: Bool
        /// Nil before a thread looks after the pair, and once it is over.
        private var handler: (any PairHandler)?
        private weak var thread: RelayThread?
        private(set) var token: UInt64 = 0
        /// Whether the thread knows it by its token.
        private(set) var isPlaced = false
        /// Whether something else is to be waited for than the system knows, or the handler to be told of something.
        private var hasChanged = false

        /// - Parameter closesAtEnd: whether a side is closed that sends its end, which may be sent to otherwise.
        /// - Parameter service: nil where it is attached later.
        package init(client: ConnectedSocket, service: ConnectedSocket? = nil, closesAtEnd: Bool) {
            ends = Ends(client: End(client), service: End(service))
            self.closesAtEnd = closesAtEnd
        }

        /// Has a thread look after it, which gives its bytes to a handler.
        func begin(on thread: RelayThread, _ handler: any PairHandler) {
            (self.thread, self.handler) = (thread, handler)
        }

        // MARK: What a handler does

        /// Gives the bytes to another handler from now on.
        package func pass(to handler: any PairHandler) { if self.handler != nil { self.handler = handler } }

        /// Has the service's socket looked after, which was not there before.
        ///
        /// - Returns: false where the pair is over.
        package func attach(service: ConnectedSocket) -> Bool {
            guard handler != nil, ends.service.hasTold else { return false }
            ends.service = End(service)
            noteChange()
            return true
        }

        /// Sets an option of a side's socket (``ConnectedSocket/set(_:of:to:)``).
        package func set(_ option: CInt, of level: CInt, to value: CInt, on side: PairedSide) {
            ends[side].socket?.set(option, of: level, to: value)
        }

        /// Where the other end of a side's connection is; nil where that is not known any more.
        package func peer(of side: PairedSide) -> SocketListener.Address? { ends[side].socket?.peer }

        /// Since when a side has been read without a pause (``RelayThread/moment``); nil while it is not, because the
        /// handler does not want it or the other side does not take what it is sent.
        package func readSince(_ side: PairedSide) -> UInt64? { ends[side].readSince }

        /// Why the other end or the system ended a side's connection; nil where they did not.
        package func errno(of side: PairedSide) -> CInt? { ends[side].failure }

        /// Sends bytes behind all others.
        package func send(_ bytes: UnsafeRawBufferPointer, to side: PairedSide) {
            if let layer = ends[side].layer { layer.send(bytes) } else { sendToSocket(bytes, of: side) }
        }

        /// Takes what comes from a side, or lets it wait.
        package func setWanted(_ isWanted: Bool, from side: PairedSide) {
            guard ends[side].isWanted != isWanted else { return }
            ends[side].isWanted = isWanted
            noteChange()
        }

        /// Sends the end of what goes to a side, behind all bytes.
        package func endOutput(to side: PairedSide) {
            if let layer = ends[side].layer { layer.endOutput() } else { endSocketOutput(of: side) }
        }

        /// Closes a side; what is held for it is dropped.
        ///
        /// - Parameter resets: whether the other end is told by a reset, and what the system has for it is dropped.
        package func close(_ side: PairedSide, resets: Bool = false) {
            guard ends[side].isOpen else { return }
            // Its last word is not answered: what the other end says to it is read no more.
            if !resets, let layer = ends[side].layer { layer.endOutput() }
            closeSocket(of: side, resets: resets)
        }

        private func closeSocket(of side: PairedSide, resets: Bool = false) {
            guard ends[side].isOpen else { return }
            (ends[side].isOpen, ends[side].resets) = (false, resets)
            // The handler hears of it once it is done with what it does.
            noteChange()
        }

        private func lose(_ side: PairedSide, by errno: CInt) {
            guard ends[side].isOpen else { return }
            ends[side].failure = errno
            closeSocket(of: side)
        }

        // MARK: What a layer does

        /// Has a layer stand between a side's socket and the handler from now on.
        ///
        /// - Returns: false where the side is over, or the pair is nobody's yet.
        package func add(_ layer: any PairLayer, on side: PairedSide) -> Bool {
            guard handler != nil, ends[side].isOpen else { return false }
            ends[side].layer = layer
            return true
        }

        /// Gives the handler what a side says.
        package func deliver(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) {
            guard ends[side].isOpen else { return }
            handler?.received(bytes, from: side)
        }

        /// Sends bytes as they are behind all others.
        package func sendToSocket(_ bytes: UnsafeRawBufferPointer, of side: PairedSide) {
            if ends[side].send(bytes) { noteChange() }
        }

        /// Ends what the socket sends, behind all bytes.
        package func endSocketOutput(of side: PairedSide) {
            guard ends[side].isOpen, !ends[side].endsOutput else { return }
            ends[side].endsOutput = true
            if ends[side].held.isEmpty { ends[side].socket?.endOutput() }
        }

        /// Takes it that a side says nothing more and cannot be spoken to: its connection is over.
        ///
        /// - Parameter errno: why it is broken; nil where it has ended as it should.
        package func end(_ side: PairedSide, brokenBy errno: CInt?) {
            guard ends[side].isOpen else { return }
            if let errno { return lose(side, by: errno) }
            if !closesAtEnd {
                ends[side].hasEnded = true
                handler?.inputEnded(of: side)
            }
            closeSocket(of: side)
        }

        private func noteChange() {
            guard !hasChanged else { return }
            hasChanged = true
            thread?.noteChange(of: self)
        }

        // MARK: On the relay's thread

        /// Takes what the system says of one side.
        func act(on side: PairedSide, _ interest: Int32, with memory: UnsafeMutableRawBufferPointer) {
            let wanted = interest & ends[side].watched
            if wanted & Interest.writable != 0 { deliverHeld(to: side) }
            guard wanted & Interest.readable != 0, ends[side].isOpen, let socket = ends[side].socket else { return }
            switch socket.receive(into: memory) {
            case .moved(0): takeEnd(of: side)
            case .moved(let count):
                // A socket that gives less than there is room for has no more: it tells of what comes later, but not of
                // an end that came with this.
                if count == memory.count || interest & Interest.ended != 0 { noteMore(on: side) }
                let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
                if let layer = ends[side].layer {
                    layer.received(bytes)
                } else {
                    handler?.received(bytes, from: side)
                }
            case .wouldBlock: break
            case .broken(let errno): lose(side, by: errno)
            }
        }

        /// Has the system tell of a side once more.
        private func noteMore(on side: PairedSide) {
            ends[side].hasMore = true
            noteChange()
        }

        /// Takes the end of what comes from a side's socket.
        private func takeEnd(of side: PairedSide) {
            if let layer = ends[side].layer { return layer.inputEnded() }
            guard !closesAtEnd else { return close(side) }
            ends[side].hasEnded = true
            noteChange()
            handler?.inputEnded(of: side)
        }

        private func deliverHeld(to side: PairedSide) {
            guard ends[side].isOpen, !ends[side].held.isEmpty, let socket = ends[side].socket else { return }
            let outcome = ends[side].held.withUnsafeBytes { held in
                socket.send(UnsafeRawBufferPointer(rebasing: held[ends[side].taken...]))
            }
            switch outcome {
            case .moved(let count):
                ends[side].taken += count
                guard ends[side].taken == ends[side].held.count else { return noteMore(on: side) }
                // A pair that holds nothing keeps no memory for it.
                ends[side].held = []
                ends[side].taken = 0
                noteChange()
                if ends[side].endsOutput { socket.endOutput() }
            case .wouldBlock: break
            case .broken(let errno): lose(side, by: errno)
            }
        }

        /// Tells the handler what it does not know yet, and the system what is waited for from now on.
        ///
        /// - Parameters:
        ///   - events: the descriptor of the thread's events.
        ///   - token: of the pair, with room for the side below.
        /// - Returns: false once the pair is over, and where the system cannot watch it.
        func watch(by events: Int32, as token: UInt64) -> Bool {
            (self.token, isPlaced, hasChanged) = (token, true, false)
            if PairedSide.both.allSatisfy({ ends[$0].hasEnded && ends[$0].held.isEmpty }) {
                for side in PairedSide.both { close(side) }
            }
            while let side = PairedSide.both.first(where: { !ends[$0].isOpen && !ends[$0].hasTold }) {
                release(side)
            }
            for side in PairedSide.both where ends[side].isOpen {
                let isTaken = ends[side.other].held.isEmpty || !ends[side.other].isOpen
                let isRead = ends[side].isWanted && !ends[side].hasEnded && isTaken
                if isRead != (ends[side].readSince != nil) { ends[side].readSince = isRead ? thread?.moment : nil }
                let wanted = (isRead ? Interest.readable : 0) | (ends[side].held.isEmpty ? 0 : Interest.writable)
                let own = token | UInt64(side.rawValue)
                let isWatched = ends[side].socket?.watch(
                    by: events, as: own, &ends[side].watched, wanted, again: ends[side].hasMore)
                ends[side].hasMore = false
                guard isWatched != false else { return false }
            }
            return ends.client.isOpen || ends.service.isOpen
        }

        /// Closes the socket of a side that is not open any more, and tells of it.
        private func release(_ side: PairedSide) {
            ends[side].hasTold = true
            // With its last descriptor a socket is not waited for any more.
            ends[side].watched = 0
            ends[side].socket?.close(resets: ends[side].resets)
            ends[side].held = []
            if let layer = ends[side].layer {
                ends[side].layer = nil
                layer.ended()
            }
            handler?.ended(side, isBroken: ends[side].failure != nil)
        }

        /// Closes what is open, and lets go of the handler.
        func leave() {
            isPlaced = false
            for side in PairedSide.both { ends[side].isOpen = false }
            for side in PairedSide.both where !ends[side].hasTold { release(side) }
            handler = nil
        }
    }
#endif
