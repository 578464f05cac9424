import CodeMeasurement
import HardwareKeys

/// What a validation found.
///
/// Source: `vigil` section 2.3.
public struct VigilReport: Sendable {
    /// How the validation ended.
    public var result: VigilResult
    /// Why it ended so; `ok` for a positive result.
    public var reason: Reason
    /// The rule of behaviour that this process found broken in the validator.
    public var ruleID: String?
    /// The version of the protocol that was spoken.
    public var protocolVersion = 2
    /// What the validator looked at in this process.
    public var measuredApp: Levels = []
    /// What this process looked at in the validator.
    public var measuredValidator: Levels = []
    /// Where the key of this process lives.
    public var appKeyKind: KeyKind?
    /// Where the validator's key lives.
    public var validatorKeyKind: KeyKind?
    /// The key that a positive verdict was verified with.
    public var validatorKeyID: Bytes32?
    /// What the look at the validator had to leave out.
    public var flags: MeasurementFlags = []
    /// The validator's process; nil where the channel does not tell.
    public var validator: PeerCredentials?
    /// Whether app and validator run as one user, which separates them less.
    public var isUserShared = false
    /// Whether the validator looked at this process by itself, its environment included: it was sent nothing to look
    /// through. Where it was, what it saw is partly the word of this process.
    public var isAppFirsthand = false
    /// How long the validation took.
    public var latency: Duration = .zero
    /// How long a positive result counts.
    public var timeToLive: Duration = .zero
    /// The validator's secret for this app. A validation whose grant is not used is advice and no protection.
    public var grant: GrantedSecret?
    /// What was found, exactly and where, for the log.
    public var findings: [Finding] = []

    /// A report of which nothing else is known yet.
    package init(_ result: VigilResult, _ reason: Reason, findings: [Finding] = []) {
        self.result = result
        self.reason = reason
        self.findings = findings
    }
}

extension VigilReport {
    var withoutGrant: VigilReport {
        var report = self
        report.grant = nil
        return report
    }

    /// A check of this process failed.
    init(_ refusal: Refusal) {
        // What is wrong with this installation is an error of its own; what is wrong with the other side is tampering.
        self.init(refusal.reason == .internal ? .error : .tampered, refusal.reason, findings: [refusal.finding])
        ruleID = refusal.finding.ruleID
    }

    /// Nobody was asked.
    init(_ error: TimeLimit.NotBegun) { self.init(.timeout, .busy, findings: [Refusal(error).finding]) }

    /// Source: `vigil` section 8.
    init(_ error: ChannelError, hasBegun: Bool) {
        switch error {
        case .timedOut: self.init(.timeout, .expired, findings: [Finding("the validator did not answer in time")])
        case .closed where !hasBegun: self.init(.timeout, .expired, findings: [Finding("no validator is running")])
        case .closed, .malformed: self.init(.tampered, .malformed, findings: [Finding("\(error)")])
        case .otherSender: self.init(.tampered, .peerIdentity, findings: [Finding("\(error)")])
        case .failed: self.init(.error, .internal, findings: [Finding("\(error)")])
        }
    }
}
