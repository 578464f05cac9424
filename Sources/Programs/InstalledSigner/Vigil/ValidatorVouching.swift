#if os(Linux)
    import Signer
    import Synchronization
    import Threads
    import Vigil

    /// The session that a verdict has begun. The validator goes on looking and reports what it finds. A thread takes
    /// those reports as they come, and asks for a fresh word as often as the configuration says, so that the session
    /// does not lapse. When its time is over, that is said, for another session to follow.
    ///
    /// Source: `vigil` sections 7.3, 7.7 and 9.1.
    final class ValidatorVouching: Vouching {
        private let session: VigilSession
        private let policy: MonitorPolicy
        /// The time from which on the validator may end the session without having anything against this program.
        private let deadline: SuspendingClock.Instant
        /// Why it is over, if that was not asked for; held while the validator is asked.
        private let refusal = Mutex<VigilRefusal?>(nil)
        private let state = Mutex(State())

        private enum Ending {
            case lost, timeOver
        }

        private struct State {
            var isEnded = false
            /// How it came to its end by itself; kept for who asks to be told of that afterwards.
            var ending: Ending?
            var onLoss: (@Sendable () -> Void)?
            var onTimeOver: (@Sendable () -> Void)?
        }

        /// - Parameter timeToLive: of the verdict.
        /// - Throws: ``VigilRefusal`` if the system has no thread that could listen.
        init(_ session: VigilSession, policy: MonitorPolicy, timeToLive: Duration) throws(VigilRefusal) {
            self.session = session
            self.policy = policy
            let deadline = SuspendingClock().now.advanced(by: policy.sessionTime - policy.timeout)
            self.deadline = deadline
            let isStarted = SystemThread.tryStart { [weak self] in
                let report = session.watch(policy, timeToLive: timeToLive, until: deadline)
                self?.hasEnded(report)
            }
            guard isStarted else { throw .noVerdict(reason: "there is no thread to listen to the validator on") }
        }

        deinit { session.close() }

        func goesOn() throws(VigilRefusal) -> Bool {
            try refusal.withLock { (refusal) throws(VigilRefusal) in
                if let refusal { throw refusal }
                guard !state.withLock(\.isEnded), SuspendingClock().now < deadline else { return false }
                let report = session.revalidate(within: policy.timeout)
                guard !report.result.isTrusted else { return true }
                let found = VigilRefusal.noVerdict(reason: report.text)
                refusal = found
                session.close()
                throw found
            }
        }

        func onEnd(lost: @escaping @Sendable () -> Void, over: @escaping @Sendable () -> Void) {
            let ending = state.withLock { state in
                (state.onLoss, state.onTimeOver) = (lost, over)
                return state.ending
            }
            switch ending {
            case .lost?: lost()
            case .timeOver?: over()
            case nil: break
            }
        }

        func end() {
            state.withLock { $0 = State(isEnded: true) }
            session.close()
        }

        /// - Parameter report: what ended the session; nil when its time is over.
        private func hasEnded(_ report: VigilReport?) {
            guard let report else { return tell(.timeOver) }
            let isNews = refusal.withLock { refusal in
                guard refusal == nil else { return false }
                refusal = .noVerdict(reason: report.text)
                return true
            }
            session.close()
            // Whoever was told the reason when asking has acted upon it.
            if isNews { tell(.lost) }
        }

        /// Nobody is told of what was ended here.
        private func tell(_ ending: Ending) {
            let told = state.withLock { state in
                if !state.isEnded { state.ending = ending }
                return ending == .lost ? state.onLoss : state.onTimeOver
            }
            told?()
        }
    }
#endif
