#if os(Linux)
    internal import NIOCore
    internal import Sockets
    internal import WebSocketFrames

    /// An end of a relay whose socket has left its channel: a relay's thread reads it, and sends to it at once.
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

        /// Begins a relay on the event loop that a relay's thread is.
        ///
        /// - Parameters:
        ///   - extensions: what the handshakes settled on.
        ///   - bytes: of the 101, which goes first.
        static func connect(
            _ start: Session.Start, _ sockets: TakenSockets, following extensions: ExtensionUse, on loop: RelayLoop,
            switchingBy bytes: ByteBuffer
        ) {
            loop.execute {
                let relay = Relay(Session(start.moved(to: loop)), extensions)
                let pair = RelayedPair(client: sockets.client, service: sockets.service, closesAtEnd: true)
                let ends = Ends(
                    relay, client: SocketSide(relay, .client, of: pair), service: SocketSide(relay, .service, of: pair))
                relay.open(client: ends.client, upstream: ends.service)
                ends.client.write(Array(bytes.readableBytesView))
                sockets.early.withUnsafeReadableBytes { ends.received($0, from: .service) }
                sockets.rest.withUnsafeReadableBytes { ends.received($0, from: .client) }
                // Whoever told all connections to close may have done so before this one was among them.
                let server = start.server
                if server.gate.isDraining { relay.close(server.configuration.drain.closeCode) }
                loop.thread.add(pair, to: ends)
            }
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
