#if os(Linux)
    /// Whether a caller waits for its answer on its own thread for a moment, before it leaves that to the reactor.
    ///
    /// A worker that answers at once then answers the thread that asked: without it, each call changes threads twice more, which costs
    /// more than a short call itself. The wait is so short that a thread of Swift's pool can afford it, and a worker that is slower is
    /// not waited for again for some calls.
    struct Lingering: Sendable {
        /// Without a byte that moves.
        static let nanoseconds: Int64 = 200_000
        /// The same for a caller that waits on: how soon it sees that its call has ended otherwise.
        static let patientNanoseconds: Int64 = 20_000_000
        /// While bytes move.
        static let longest = Duration.milliseconds(1)
        /// Calls without a wait after one that was in vain.
        private static let pause = 2

        /// The call whose caller waits, or is about to.
        private var call: Call?
        private var skips = 0

        var isActive: Bool { call != nil }

        func isActive(for call: Call) -> Bool { self.call === call }

        /// - Returns: whether the call's caller may wait; one at a time may.
        mutating func begin(for call: Call) -> Bool {
            guard !isActive else { return false }
            guard skips == 0 || call.patience != nil else {
                skips -= 1
                return false
            }
            self.call = call
            return true
        }

        mutating func end() {
            if call?.isEnded == false { skips = Self.pause }
            call = nil
        }
    }
#endif
