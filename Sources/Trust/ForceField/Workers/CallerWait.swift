#if os(Linux)
    import Scheduling
    import Synchronization

    /// Whether a caller waits for its answer on its own thread for a moment, before it leaves that to the reactor.
    ///
    /// A worker that answers at once then answers the thread that asked: without it, each call changes threads twice
    /// more, which costs more than a short call itself. A caller that waited in vain has kept a thread of Swift's pool
    /// for as long as ``pause``, so none waits again until the field's workers answer soon (``Pace``).
    struct CallerWait: Sendable {
        /// How long a caller waits without a byte that moves. Longer than a tick of the kernel: a timer that is due
        /// before it takes the processor as much time as the rest of a short call, as it has to be set and taken back
        /// for each.
        static let pause = Duration.milliseconds(5)
        /// The same for a caller that waits on: how soon it sees that its call has ended otherwise.
        static let patientPause = Duration.milliseconds(20)
        /// How long a caller waits while bytes move.
        static let longest = Duration.milliseconds(1)
        /// How long the channel stays with the callers after an answer that one of them has taken: who calls in a row
        /// then takes it over and gives it back without the system.
        static let lending = Duration.milliseconds(10)

        private let pace: Pace
        /// The call whose caller waits, or is about to.
        private var call: Call?

        init(_ pace: Pace) { self.pace = pace }

        var isActive: Bool { call != nil }

        func isActive(for call: Call) -> Bool { self.call === call }

        /// - Returns: whether the call's caller may wait; one at a time may.
        mutating func begin(for call: Call, at now: SteadyInstant) -> Bool {
            guard !isActive else { return false }
            if call.patience == nil {
                guard pace.isQuick else { return false }
                // A caller that waits by itself does not see that its time is over.
                if let deadline = call.deadline, deadline < now + Self.pause { return false }
            }
            self.call = call
            return true
        }

        /// The caller waits no longer.
        mutating func end() {
            if call?.isEnded == false { pace.noteNoAnswer() }
            call = nil
        }

        /// The caller has taken its answer, of which it is told next.
        mutating func endWithAnswer() { call = nil }
    }

    /// How soon the workers of a field answer, as far as the last answer tells: they do the same work.
    final class Pace: Sendable {
        /// An answer for which a thread may wait, by way of the reactor or not.
        static let quick = Duration.milliseconds(1)

        private let wasQuick = Atomic(true)

        var isQuick: Bool { wasQuick.load(ordering: .relaxed) }

        func note(answerAfter time: Duration) { wasQuick.store(time <= Self.quick, ordering: .relaxed) }

        /// Takes note that a caller has waited in vain.
        func noteNoAnswer() { wasQuick.store(false, ordering: .relaxed) }
    }
#endif
