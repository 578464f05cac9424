import BasicFoundation
import Dispatch
import Synchronization

/// Carries a ``DistrustPolicy`` out, for all reports of one client.
final class DistrustResponse: Sendable {
    private struct Held: Sendable {
        weak var grant: GrantedSecret?
    }

    private struct State {
        var grants: [Held] = []
        var generation = Generation(number: 0)
    }

    /// The number of findings when a validation began: one that comes in between outweighs it.
    struct Generation: Equatable, Sendable {
        fileprivate var number: UInt64
    }

    private let policy: DistrustPolicy
    private let exit: @Sendable (Int32, Duration) -> Void
    private let state = Mutex(State())
    private let exitDelay: Mutex<Duration?>

    /// - Parameter exit: ends the process with a code, after a time.
    init(_ policy: DistrustPolicy, exit: @escaping @Sendable (Int32, Duration) -> Void = DistrustResponse.end) {
        self.policy = policy
        self.exit = exit
        exitDelay = Mutex(policy.exitDelay)
    }

    /// Takes over what a configuration says, where the policy leaves it open.
    func configure(exitDelay configured: Duration?) { exitDelay.withLock { $0 = $0 ?? configured } }

    /// The number of findings so far, to be asked before a validation.
    var generation: Generation { state.withLock(\.generation) }

    /// Takes note of a report, before any other code hears of it.
    ///
    /// - Parameter began: with what validation it began. A grant that something was found after is taken back at once.
    func take(_ report: VigilReport, since began: Generation) {
        let isDistrust = policy.policy.acts(on: report)
        let revoked = state.withLock { state -> [GrantedSecret] in
            if let grant = report.grant {
                state.grants.removeAll { $0.grant == nil }
                state.grants.append(Held(grant: grant))
            }
            guard isDistrust else { return began == state.generation ? [] : [report.grant].compactMap(\.self) }
            state.generation.number += 1
            defer { state.grants = [] }
            return state.grants.compactMap(\.grant)
        }
        for grant in revoked { grant.revoke() }
        guard isDistrust else { return }
        policy.handler(report)
        if let delay = exitDelay.withLock({ $0 }) { exit(DistrustPolicy.exitCode, delay) }
    }

    @Sendable static func end(_ code: Int32, after delay: Duration) {
        DispatchQueue.global().asyncAfter(deadline: .now() + delay.inSeconds) { endProcess(code) }
    }
}

private func endProcess(_ code: Int32) -> Never { exit(code) }
