import Foundation
import KnownAnswers
import SecretMemory

/// The format of `data/mainkey`. `conformance mainkey` and `mainkey selftest vectors` run this. A list of its own joins by a
/// line in ``lists``.
package enum MainKeyTopic: Topic {
    package static let name = "mainkey"
    package static let summary = "key files, slots, sealed values, encrypted files, pins"

    /// In the order in which they are asked.
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
            case "json": check(file, report: &report)
            case "txt": PINBlockListAnswers.check(file, report: &report)
            default: continue
            }
        }
    }

    private static func check(_ file: AnswerFile, report: inout Report) {
        guard let content = try? file.content() else {
            report.fail(file.path, "not JSON")
            return
        }
        guard let list = lists.first(where: { $0.recognises(content) }) else {
            report.skip(file.path, "no check takes a file of this shape (\(file.path))")
            return
        }
        do {
            try list.check(content, file: file, report: &report)
        } catch {
            report.fail(file.path, "\(error)")
        }
    }
}

/// The known answers of one kind of file.
protocol AnswerList: Sendable {
    /// Whether a file is of this kind, by what is in it.
    static func recognises(_ content: JSON) -> Bool

    /// - Throws: if what all of the file's answers need is missing.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws
}
