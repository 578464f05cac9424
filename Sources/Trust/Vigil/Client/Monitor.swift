import CodeMeasurement
import Synchronization
import Threads

/// How a running app goes on asking.
///
/// Source: `vigil` section 9.1.
public struct MonitorPolicy: Hashable, Sendable {
    /// The time between two questions.
    public var interval: Duration = .seconds(30)
    /// The percentage by which the interval varies, so that it cannot be foretold when the next question comes.
    public var jitterPercent = 20
    /// The time that each question may take.
    public var timeout: Duration = .seconds(5)
    /// The validator's (`sessionSeconds`): a full handshake is made ``timeout`` before.
    public var sessionTime: Duration = .seconds(600)

    /// The usual policy: every 30 seconds, in sessions of ten minutes.
    public init() {}

    package init(_ configuration: VigilConfiguration) {
        interval = configuration.interval
        jitterPercent = configuration.jitterPercent
        timeout = configuration.timeout
        sessionTime = configuration.sessionTime
    }

    /// The time until the next question. Never more than twice the interval: with the time that a question has, that is
    /// the longest for which silence stays unnoticed.
    ///
    /// - Parameter chance: between 0 and 1.
    func delay(_ chance: Double) -> Duration {
        let share = Double(min(max(jitterPercent, 0), 100)) / 100
        return interval * (1 - share + 2 * share * min(max(chance, 0), 1))
    }

    /// The same within a session, where the answer has to come before the last verdict ends.
    ///
    /// - Parameter timeToLive: of the last verdict.
    func delay(_ chance: Double, within timeToLive: Duration) -> Duration {
        min(delay(chance), max(timeToLive - timeout, timeToLive / 2, Self.leastDelay))
    }

    private static let leastDelay = Duration.milliseconds(100)

    /// Whether a question and its answer fit into what ends without them.
    ///
    /// - Parameter lifetime: of a verdict, or of a session.
    func fits(into lifetime: Duration) -> Bool { delay(1) + timeout < lifetime }
}

/// Asks the validator again and again on a thread of its own, and is told when it takes its word back.
package final class Monitor: Sendable {
    private let client: ValidationClient
    private let policy: MonitorPolicy
    private let distrust: DistrustResponse
    private let onChange: @Sendable (VigilReport) -> Void
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var channel: (any MessageChannel)?
    }

    /// - Parameters:
    ///   - distrust: takes every report.
    ///   - onChange: is told of the first report and of each whose result or reason is another one, on the thread.
    init(
        _ client: ValidationClient, policy: MonitorPolicy, distrust: DistrustResponse,
        onChange: @escaping @Sendable (VigilReport) -> Void
    ) {
        self.client = client
        self.policy = policy
        self.distrust = distrust
        self.onChange = onChange
    }

    /// - Returns: whether the system has a thread to give.
    package func start() -> Bool { SystemThread.tryStart { self.run() } }

    package func stop() {
        let channel = state.withLock { state in
            state.isStopped = true
            return state.channel
        }
        channel?.close()
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    private func run() {
        var last: (VigilResult, Reason)?
        while !isStopped {
            let began = distrust.generation
            let outcome = client.validate(within: policy.timeout)
            publish(outcome.report, since: began, &last)
            guard let conversation = outcome.conversation else {
                pause()
                continue
            }
            state.withLock { $0.channel = conversation.channel }
            if isStopped { conversation.close() }
            // Before the validator ends it, which it would say by an alert.
            let end = SuspendingClock().now.advanced(by: policy.sessionTime - policy.timeout)
            let report = client.watch(
                conversation, by: policy, timeToLive: outcome.report.timeToLive, until: end)
            // The keys of the session are gone before any code hears why.
            conversation.close()
            guard let report, !isStopped else { continue }
            publish(report, since: distrust.generation, &last)
            // A validator that ends each session at once is not asked without a pause.
            pause()
        }
    }

    private func publish(
        _ report: VigilReport, since began: DistrustResponse.Generation, _ last: inout (VigilResult, Reason)?
    ) {
        defer { last = (report.result, report.reason) }
        if !isStopped { distrust.take(report, since: began) }
        if let last, last == (report.result, report.reason) { return }
        if !isStopped { onChange(report) }
    }

    /// Waits before the next handshake after one that failed, in steps short enough to be stopped.
    private func pause() {
        let end = SuspendingClock().now.advanced(by: policy.delay(.random(in: 0...1)))
        while !isStopped, SuspendingClock().now < end { SystemThread.sleep(for: .milliseconds(100)) }
    }
}
