#if os(Linux)
    internal import NIOCore
    internal import Sockets
    internal import WebSocketFrames

    /// An end of a relay whose socket a relay's thread reads, and sends to at once.
    final class SocketSide: RelaySide {
        private let pair: RelayedPair
        private let side: PairedSide
        /// What is to be sent of the bytes that are being passed on: they lie in the thread's buffer until then.
        private var pending = UnsafeRawBufferPointer(start: nil, count: 0)

        private init(_ relay: Relay, _ side: PairedSide, of pair: RelayedPair) {
            self.pair = pair
            self.side = side
            super.init(relay, side == .client ? .client : .server)
        }

        /// Begins to pass on what comes from both sides of a pair, on its thread.
        ///
        /// - Parameter extensions: what the handshakes settled on.
        static func connect(
            _ session: Session, _ pair: RelayedPair, following extensions: ExtensionUse
        ) -> any PairHandler {
            let relay = Relay(session, extensions)
            let ends = Ends(
                relay, client: SocketSide(relay, .client, of: pair), service: SocketSide(relay, .service, of: pair))
            pair.pass(to: ends)
            relay.open(client: ends.client, upstream: ends.service)
            return ends
        }

        // MARK: Writing

        override func write(_ bytes: [UInt8]) {
            flush()
            bytes.withUnsafeBytes { pair.send($0, to: side) }
        }

        override func write(_ range: Range<Int>, of piece: RelayedPiece) {
            let bytes = UnsafeRawBufferPointer(rebasing: piece.bytes[range])
            if let start = pending.baseAddress, start + pending.count == bytes.baseAddress {
                pending = UnsafeRawBufferPointer(start: start, count: pending.count + bytes.count)
            } else {
                flush()
                pending = bytes
            }
        }

        override func flush() {
            guard !pending.isEmpty else { return }
            pair.send(pending, to: side)
            pending = UnsafeRawBufferPointer(start: nil, count: 0)
        }

        override func hold() {
            super.hold()
            pair.setWanted(false, from: side)
        }

        override func release() {
            super.release()
            pair.setWanted(true, from: side)
        }

        override var readSince: NIODeadline? { pair.readSince(side).map { .uptimeNanoseconds($0) } }

        // MARK: Ends

        override func endOutput() {
            flush()
            pair.endOutput(to: side)
        }

        override func close() {
            flush()
            pair.close(side)
        }

        override func cut() { pair.close(side) }

        /// Both ends, which hear of their sockets.
        private final class Ends: PairHandler {
            private let relay: Relay
            let client: SocketSide
            let service: SocketSide

            init(_ relay: Relay, client: SocketSide, service: SocketSide) {
                self.relay = relay
                self.client = client
                self.service = service
            }

            func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) {
                guard !bytes.isEmpty else { return }
                relay.receive(RelayedPiece(bytes: bytes, buffer: nil), from: side == .client ? client : service)
                client.flush()
                service.flush()
            }

            func inputEnded(of side: PairedSide) {}

            func ended(_ side: PairedSide, isBroken: Bool) {
                let end = side == .client ? client : service
                end.isOpen = false
                relay.lose(end)
            }
        }
    }
#endif
