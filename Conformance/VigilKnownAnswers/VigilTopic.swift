import Foundation
import KnownAnswers

/// The format of `data/vigil`. `conformance vigil` runs this. A list of its own joins by a line in ``lists``.
package enum VigilTopic: Topic {
    package static let name = "vigil"
    package static let summary = "digests of executable images, captured processes, messages, manifests, key files"

    /// The lists, in the order in which they are asked.
    private static let lists: [any AnswerList.Type] = [
        BundleAnswers.self, VerityAnswers.self, TamperAnswers.self, ProcessAnswers.self, ProtocolAnswers.self,
        ManifestAnswers.self, SoftwareKeyAnswers.self, TPMExchangeAnswers.self, ImageAnswers.self,
    ]

    package static func run(folder: URL, report: inout Report) throws {
        // Files of other kinds are named by a list, or explain.
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        where path.hasSuffix(".json") {
            report.check(AnswerFile(folder: folder, path: path), with: lists)
        }
    }
}
