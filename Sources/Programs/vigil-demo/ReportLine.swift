import BasicFoundation
import CodeMeasurement
import Console
import Vigil

/// A report as one line of JSON.
struct ReportLine: Encodable {
    private var result: String
    private var reason: String
    private var measuredApp: UInt8
    private var measuredValidator: UInt8
    private var flags: UInt8
    /// Whether app and validator run as one user.
    private var isUserShared: Bool
    /// Whether the validator looked at this program by itself.
    private var isAppFirsthand: Bool
    private var validatorProcess: Int32?
    private var latencyMs: Double
    private var timeToLiveMs: Double
    private var hasGrant: Bool
    private var findings: [Finding]

    init(_ report: VigilReport) {
        result = "\(report.result)"
        reason = "\(report.reason)"
        measuredApp = report.measuredApp.rawValue
        measuredValidator = report.measuredValidator.rawValue
        flags = report.flags.rawValue
        isUserShared = report.isUserShared
        isAppFirsthand = report.isAppFirsthand
        validatorProcess = report.validator?.process
        latencyMs = report.latency / .milliseconds(1)
        timeToLiveMs = report.timeToLive / .milliseconds(1)
        hasGrant = report.grant != nil
        findings = report.findings
    }

    /// What kept this app from being pinned.
    init(_ refusal: Refusal) {
        self.init(VigilReport(.tampered, refusal.reason, findings: [refusal.finding]))
    }

    func show() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(self) else { return }
        line.append(0x0a)
        Descriptor.write(Array(line), to: STDOUT_FILENO)
    }
}
