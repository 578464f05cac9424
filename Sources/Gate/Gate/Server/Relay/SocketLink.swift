#if os(Linux)
    internal import NIOCore
    internal import Sockets

    /// Two connections whose bytes a relay's thread moves by nothing but reads and writes.
    final class SocketLink: ByteLink, PairHandler {
        private let pair: RelayedPair
        private let bytes: CounterFamily<Direction>
        private var last = NIODeadline.now()
        private var isFinishing = false
        /// Whether a side has said all that it had to say.
        private var hasHeardEnd = false
        /// The side whose connection broke first, before the gate ended it.
        private var broken: CloseSide?
        private var open = 2

        private init(_ session: Session, _ pair: RelayedPair) {
            self.pair = pair
            bytes = session.server.gate.metrics.bytes
            super.init(session)
        }

        /// Begins to pass on what comes from both sides of a pair, on its thread.
        static func connect(_ session: Session, _ pair: RelayedPair) -> any PairHandler {
            let link = SocketLink(session, pair)
            pair.closesAtEnd = false
            pair.pass(to: link)
            link.begin()
            return link
        }

        func received(_ piece: UnsafeRawBufferPointer, from side: PairedSide) {
            guard !piece.isEmpty else { return }
            last = session.server.loop.now
            guard !isFinishing else { return }
            bytes.add(side == .client ? .toUpstream : .toClient, count: piece.count)
            pair.send(piece, to: side.other)
        }

        func inputEnded(of side: PairedSide) {
            hasHeardEnd = true
            pair.endOutput(to: side.other)
            inputEnded(of: side.cause)
        }

        func ended(_ side: PairedSide, isBroken: Bool) {
            if isBroken, !isFinishing {
                if broken == nil { broken = side.cause }
                // An end in order would say that it has heard all.
                pair.close(side.other, resets: !hasHeardEnd)
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
