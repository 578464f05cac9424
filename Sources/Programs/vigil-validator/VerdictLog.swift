import CodeMeasurement
import Console
import Vigil
import VigilValidator

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One line of JSON for each verdict. No key, no nonce, nothing secret.
///
/// Source: `vigil` section 12.
struct VerdictLog: Sendable {
    private let level: VigilLogLevel

    init(_ level: VigilLogLevel) {
        self.level = level
    }

    private struct Line: Encodable {
        var time: String
        var occasion: String
        var result: String
        var reason: String
        var measured: UInt8
        var peer: Peer?
        var finding: Found?
        var flags: UInt8
        var micros: Int64

        struct Found: Encodable {
            var text: String
            var path: String?
            var segment: Int?
            var pages: [Int]?
            var ruleID: String?

            init(_ finding: Finding) {
                text = finding.text
                path = finding.path
                segment = finding.segment
                pages = finding.pages.isEmpty ? nil : finding.pages
                ruleID = finding.ruleID
            }
        }

        struct Peer: Encodable {
            var boot: String
            var pid: Int32
            var start: UInt64
            var executable: String?
        }
    }

    func write(_ verdict: Verdict) {
        // Negative verdicts are warnings; a positive one is for information.
        guard level.rawValue >= (verdict.refusal == nil ? VigilLogLevel.info : .warning).rawValue else { return }
        let line = Line(
            time: Date().formatted(.iso8601), occasion: verdict.occasion.rawValue,
            result: verdict.refusal == nil ? "valid" : "invalid", reason: "\(verdict.refusal?.reason ?? .ok)",
            measured: verdict.measured.rawValue,
            peer: verdict.peer.map {
                .init(
                    boot: $0.bootID, pid: $0.process, start: $0.startTime, executable: $0.executable?.description)
            },
            finding: verdict.refusal.map { .init($0.finding) }, flags: verdict.details.flags.rawValue,
            micros: verdict.details.duration.microseconds)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var bytes = try? encoder.encode(line) else { return }
        bytes.append(0x0a)
        Descriptor.write(Array(bytes), to: STDERR_FILENO)
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
