import Foundation
import KnownAnswers

/// The format of `data/appattest-gate`. `conformance appattest` runs this.
package enum AppAttestTopic: Topic {
    package static let name = "appattest"
    package static let summary = "attestations, assertions and receipts of Apple's devices, and what must be refused"

    /// The lists, in the order in which they are asked.
    private static let lists: [any AnswerList.Type] = [
        DamagedAnswers.self, AttestationRefusals.self, AssertionRefusals.self, AttestationAnswers.self,
        AssertionAnswers.self, ReceiptAnswers.self, MintedAnswers.self,
    ]

    package static func run(folder: URL, report: inout Report) throws {
        try run(folder: folder, alsoBy: [], report: &report)
    }

    /// - Parameter others: lists that are asked behind those of the library.
    package static func run(folder: URL, alsoBy others: [any AnswerList.Type], report: inout Report) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        for path in paths where path.hasSuffix(".json") {
            report.check(AnswerFile(folder: folder, path: path), with: lists + others)
        }
        for path in paths where path.hasSuffix("fingerprints-sha256.txt") {
            try RootAnswers.check(AnswerFile(folder: folder, path: path), report: &report)
        }
    }
}
