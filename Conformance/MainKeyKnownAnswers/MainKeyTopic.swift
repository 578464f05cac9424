import Foundation
import KnownAnswers
import SecretMemory

/// The format of `data/mainkey`. `conformance mainkey` and `mainkey selftest vectors` run this. A list of its own joins
/// by a line in ``lists``.
package enum MainKeyTopic: Topic {
    package static let name = "mainkey"
    package static let summary = "key files, slots, sealed values, encrypted files, pins"

    /// The lists, in the order in which they are asked.
    private static let lists: [any AnswerList.Type] = [
        Argon2idAnswers.self, SubkeyAnswers.self, SlotAnswers.self, KeyFileAnswers.self, SealedAnswers.self,
        BlindIndexAnswers.self, FileAnswers.self, AttemptAnswers.self, RecoveryAnswers.self, AutolockAnswers.self,
        PINPolicyAnswers.self, CalibrationAnswers.self, TPMPolicyAnswers.self, TPMVaultAnswers.self, PinAnswers.self,
        KeymakerAnswers.self, SampleVaultAnswers.self, WycheproofAnswers.self,
    ]

    package static func run(folder: URL, report: inout Report) throws {
        try Sodium.start()
        // Others are named by a list, or explain.
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
            let file = AnswerFile(folder: folder, path: path)
            switch URL(filePath: path).pathExtension {
            case "json": report.check(file, with: lists)
            case "txt": PINBlockListAnswers.check(file, report: &report)
            default: continue
            }
        }
    }
}
