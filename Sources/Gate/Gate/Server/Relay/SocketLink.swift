#if os(Linux)
    internal import NIOCore
    internal import Sockets

    /// Two connections whose sockets have left their event loop: a thread moves their bytes by nothing but reads and
    /// writes.
    final class SocketLink: ByteLink, PairHandler {
        private let pair: RelayedPair
        private let bytes: CounterFamily<Direction>
        private var last = NIODeadline.now()
        private var isFinishing = false
        /// The side whose connection broke first, before the gate ended it.
        private var broken: CloseSide?
        private var open = 2

        private init(_ session: Session, _ sockets: TakenSockets) {
            pair = RelayedPair(client: sockets.client, service: sockets.service, closesAtEnd: false)
            bytes = session.server.gate.metrics.bytes
            super.init(session)
        }

        /// Sends the client its 101, and passes on what comes from both sides.
        static func connect(
            _ start: Session.Start, _ sockets: TakenSockets, on loop: RelayLoop, switchingBy bytes: ByteBuffer
        ) {
            loop.execute {
                let link = SocketLink(Session(start.moved(to: loop)), sockets)
                link.begin()
                bytes.withUnsafeReadableBytes { link.pair.send($0, to: .client) }
                sockets.early.withUnsafeReadableBytes { link.received($0, from: .service) }
                sockets.rest.withUnsafeReadableBytes { link.received($0, from: .client) }
                // Whoever told all connections to close may have done so before this one was among them.
                if start.server.gate.isDraining { link.close(.goingAway) }
                loop.thread.add(link.pair, to: link)
            }
        }

        func received(_ piece: UnsafeRawBufferPointer, from side: PairedSide) {
            guard !piece.isEmpty else { return }
            last = session.server.loop.now
            guard !isFinishing else { return }
            bytes.add(side == .client ? .toUpstream : .toClient, count: piece.count)
            pair.send(piece, to: side.other)
        }

        func inputEnded(of side: PairedSide) {
            pair.endOutput(to: side.other)
            inputEnded(of: side.cause)
        }

        func ended(_ side: PairedSide, isBroken: Bool) {
            if isBroken, !isFinishing {
                if broken == nil { broken = side.cause }
                pair.close(side.other)
            }
            open -= 1
            if open == 0 { over(brokenBy: broken) }
        }

        override var lastMove: NIODeadline { last }

        override func finish() {
            isFinishing = true
            pair.endOutput(to: .client)
            pair.endOutput(to: .service)
        }

        override func cut() {
            isFinishing = true
            pair.close(.client, resets: true)
            pair.close(.service, resets: true)
        }
    }

    extension PairedSide {
        fileprivate var cause: CloseSide { self == .client ? .client : .upstream }
    }
#endif
