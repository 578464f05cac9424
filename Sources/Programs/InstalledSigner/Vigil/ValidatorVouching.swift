#if os(Linux)
    import Dispatch
    import Signer
    import Synchronization
    import Vigil

    /// The session that a verdict has begun. The validator goes on looking and reports what it finds. While the program
    /// waits, this takes those reports, and asks for a fresh word as often as the configuration says, so that the
    /// session does not lapse. When its time is over, that is said, for another session to follow.
    ///
    /// Source: `vigil` sections 7.3, 7.7 and 9.1.
    final class ValidatorVouching: Vouching {
        private let session: VigilSession
        private let policy: MonitorPolicy
        /// The time from which on the validator may end the session without having anything against this program.
        private let deadline: SuspendingClock.Instant
        private let queue = DispatchQueue(label: "casemate.vouching")
        /// Why it is over, if that was not asked for; held while the validator is asked.
        private let refusal = Mutex<VigilRefusal?>(nil)
        private let state = Mutex(State())

        private struct State {
            var isEnded = false
            var onLoss: (@Sendable () -> Void)?
            var onTimeOver: (@Sendable () -> Void)?
        }

        init(_ session: VigilSession, policy: MonitorPolicy) {
            self.session = session
            self.policy = policy
            deadline = SuspendingClock().now.advanced(by: policy.sessionTime - policy.timeout)
            askLater()
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
            state.withLock { ($0.onLoss, $0.onTimeOver) = (lost, over) }
        }

        func end() {
            state.withLock { $0 = State(isEnded: true) }
            session.close()
        }

        private func askLater() {
            queue.asyncAfter(deadline: .now() + policy.interval.dispatched) { [weak self] in self?.ask() }
        }

        private func ask() {
            do {
                if try goesOn() { return askLater() }
                // Nothing where it was ended.
                state.withLock(\.onTimeOver)?()
            } catch {
                state.withLock(\.onLoss)?()
            }
        }
    }

    extension Duration {
        fileprivate var dispatched: DispatchTimeInterval {
            .milliseconds(Int(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
        }
    }
#endif
