import CodeMeasurement
import Dispatch
import Synchronization
import Threads

/// One of several validators.
public struct QuorumMember: Sendable {
    /// The name by which reports are told apart.
    public let label: String
    /// The ID of the key that it has to answer with.
    public let keyID: Bytes32
    let client: ValidationClient

    package init(_ label: String, keyID: Bytes32, client: ValidationClient) {
        self.label = label
        self.keyID = keyID
        self.client = client
    }

    #if os(Linux)
        /// The validator of an installation.
        ///
        /// - Parameters:
        ///   - label: the name by which reports are told apart.
        ///   - keyID: the ID of the key that it has to answer with.
        ///   - app: this app, as it is installed with that validator.
        public init(_ label: String, keyID: Bytes32, app: InstalledApp) {
            self.init(label, keyID: keyID, client: app.client())
        }
    #endif

    /// A verdict is this member's only if it was verified with this member's key, whichever is pinned.
    fileprivate func checked(_ report: VigilReport) -> VigilReport {
        guard report.result == .valid, report.validatorKeyID != keyID else { return report }
        return VigilReport(
            Refusal(.publicKeyMismatch, "\(label) answers with another key than \(keyID)"))
    }
}

/// How many of several validators have to agree.
///
/// Source: `vigil` section 9.2.
public struct QuorumPolicy: Sendable {
    /// The validators that are asked.
    public let members: [QuorumMember]
    /// How many positive verdicts are needed.
    public let required: Int
    /// Whether one that finds tampering outweighs all others.
    public let vetoOnTamper: Bool
    /// Whether each has to run as another user.
    public let distinctUser: Bool

    /// - Throws: ``VigilError`` where labels or keys are not different from each other, or the number cannot be
    ///   reached.
    public init(
        _ members: [QuorumMember], required: Int, vetoOnTamper: Bool = true, distinctUser: Bool = false
    ) throws(VigilError) {
        guard (1...max(1, members.count)).contains(required), !members.isEmpty else {
            throw VigilError(
                .validatorNotConfigured,
                "\(required) of \(members.count) validators cannot agree; ask for 1 to that many")
        }
        guard Set(members.map(\.label)).count == members.count, Set(members.map(\.keyID)).count == members.count else {
            throw VigilError(.validatorNotConfigured, "two validators have one label or one key; each needs its own")
        }
        self.members = members
        self.required = required
        self.vetoOnTamper = vetoOnTamper
        self.distinctUser = distinctUser
    }

    /// What all validators together say.
    public struct Verdict: Sendable {
        /// The verdict of all.
        public let report: VigilReport
        /// Each one's, by its label.
        public let each: [String: VigilReport]
    }

    /// Asks all of them at once, under one limit of time. Blocks.
    public func validate(within time: Duration) -> Verdict {
        let deadline = SuspendingClock().now.advanced(by: time)
        let reports = Mutex<[String: VigilReport]>([:])
        let answered = DispatchSemaphore(value: 0)
        for member in members {
            // A thread each: they wait, and none may wait for another unless no thread can be made.
            SystemThread.startOrRun {
                let outcome = member.client.validate(until: deadline)
                outcome.conversation?.close()
                reports.withLock { $0[member.label] = member.checked(outcome.report) }
                answered.signal()
            }
        }
        for _ in members { answered.wait() }
        let each = reports.withLock { $0 }
        return Verdict(report: combined(members.compactMap { each[$0.label] }), each: each)
    }

    /// One verdict of several, in the order of the members.
    func combined(_ reports: [VigilReport]) -> VigilReport {
        // One process behind two sockets is one validator.
        let processes = reports.compactMap(\.validator?.process)
        guard Set(processes).count == processes.count else {
            return VigilReport(.error, .internal, findings: [Finding("two validators are one process")])
        }
        // Members with one key are one validator.
        var keys: Set<Bytes32> = []
        let valid = reports.filter { report in
            report.result == .valid && report.validatorKeyID.map { keys.insert($0).inserted } == true
        }
        // The user of each validator that counts has to be known.
        let users = valid.map(\.validator?.user)
        guard !distinctUser || Set(users).count == users.count && !users.contains(nil) else {
            return VigilReport(
                .error, .internal, findings: [Finding("two validators run as one user, or as nobody knows whom")])
        }
        if vetoOnTamper, let tampered = reports.first(where: { $0.result == .tampered }) { return tampered }
        if valid.count >= required, var report = valid.first {
            report.timeToLive = valid.map(\.timeToLive).min() ?? .zero
            report.latency = reports.map(\.latency).max() ?? .zero
            return report
        }
        let worst = reports.first { $0.result == .timeout } ?? reports.first { !$0.result.isTrusted }
        return worst ?? VigilReport(.error, .internal)
    }
}
