import BasicFoundation
import CodeMeasurement
import Console
import StrictJSON
import Vigil
import VigilValidator

/// One line of JSON for each verdict. No key, no nonce, nothing secret.
///
/// Source: `vigil` section 12.
struct VerdictLog: Sendable {
    private let level: VigilLogLevel

    init(_ level: VigilLogLevel) {
        self.level = level
    }

    func write(_ verdict: Verdict) {
        // Negative verdicts are warnings; a positive one is for information.
        guard level.rawValue >= (verdict.refusal == nil ? VigilLogLevel.info : .warning).rawValue else { return }
        var line: [String: JSON] = [
            "time": .string(Timestamp(Date()).rfc3339), "occasion": .string(verdict.occasion.rawValue),
            "result": verdict.refusal == nil ? "valid" : "invalid",
            "reason": .string("\(verdict.refusal?.reason ?? .ok)"),
            "measured": .integer(verdict.measured.rawValue),
            "flags": .integer(verdict.details.flags.rawValue),
            "micros": .integer(verdict.details.duration.inMicroseconds),
        ]
        if verdict.refusal == nil, verdict.occasion == .request {
            let flags = verdict.details.flags
            line["look"] = flags.contains(.secondhand) ? "secondhand" : "firsthand"
            line["environment"] = flags.contains(.environmentUnreadable) ? "not read" : "read"
        }
        if verdict.details.suppressed > 0 { line["suppressed"] = .integer(verdict.details.suppressed) }
        line["peer"] = verdict.peer.map(Self.json)
        line["finding"] = verdict.refusal.map { Self.json($0.finding) }
        var bytes = JSON.object(line).canonicalText
        bytes.append(0x0a)
        Descriptor.write(bytes, to: STDERR_FILENO)
    }

    private static func json(_ peer: ProcessIdentity) -> JSON {
        var members: [String: JSON] = [
            "boot": .string(peer.bootID), "pid": .integer(peer.process),
            "start": .integer(Int64(clamping: peer.startTime)),
        ]
        members["executable"] = peer.executable.map { .string($0.description) }
        return .object(members)
    }

    private static func json(_ finding: Finding) -> JSON {
        var members: [String: JSON] = ["text": .string(finding.text)]
        members["path"] = finding.path.map { .string($0) }
        members["segment"] = finding.segment.map { .integer($0) }
        if !finding.pages.isEmpty { members["pages"] = .array(finding.pages.map { .integer($0) }) }
        members["ruleID"] = finding.ruleID.map { .string($0) }
        return .object(members)
    }
}
