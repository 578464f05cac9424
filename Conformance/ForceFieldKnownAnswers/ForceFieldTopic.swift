import Foundation
import KnownAnswers

/// The format of `data/forcefield`. `conformance forcefield` runs this. A list of its own joins by a line in ``lists``,
/// a table by one in ``tables``.
package enum ForceFieldTopic: Topic {
    package static let name = "forcefield"
    package static let summary =
        "codec, frames, violations, hashes, the filter, verdicts about workers, attempts to get out"

    /// The lists, in the order in which they are asked.
    private static let lists: [any AnswerList.Type] = [
        CodecAnswers.self, FrameAnswers.self, ViolationAnswers.self, HashAnswers.self,
    ]

    /// The checks of tables, by the end of the file's name.
    private static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "termination_cases.tsv": TerminationAnswers.check, "seccomp_compute.tsv": FilterAnswers.check,
        "audit_probes.tsv": AuditAnswers.check,
    ]

    private static let observations = ["swift_runtime_calls.tsv"]

    package static func run(folder: URL, report: inout Report) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
            let file = AnswerFile(folder: folder, path: path)
            if path.hasSuffix(".json") {
                report.check(file, with: lists)
            } else if let table = tables.first(where: { path.hasSuffix($0.key) }) {
                try table.value(file, &report)
            } else if path.hasSuffix(".tsv") {
                if observations.contains(where: path.hasSuffix) {
                    report.skip(
                        path,
                        because: "calls that were observed, from which the profile was made: not an answer (\(path))")
                } else {
                    report.fail(path, because: "no check takes a table of this name")
                }
            }
        }
    }
}
