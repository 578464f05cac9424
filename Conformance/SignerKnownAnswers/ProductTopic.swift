import Foundation
import KnownAnswers

/// The format of `data/signer-product`. `conformance product` runs this. A list of its own joins by a line in
/// ``lists``.
package enum ProductTopic: Topic {
    package static let name = "product"
    package static let summary = "the cold vault: verifiers, keys, log, database, screens, split backups"

    /// The lists, in the order in which they are asked.
    private static let lists: [any AnswerList.Type] = [
        TableAnswers.self, ScenarioAnswers.self, SplitAnswers.self, TransitionAnswers.self, FlowAnswers.self,
        HistoryAnswers.self, DatabaseAnswers.self, KeyAnswers.self, DraftAnswers.self, DetectorAnswers.self,
    ]

    package static func run(folder: URL, report: inout Report) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        var others: [AnswerFile] = []
        var named: Set<String> = []
        for path in paths {
            let file = AnswerFile(folder: folder, path: path)
            guard path.hasSuffix(".json") else {
                others.append(file)
                continue
            }
            report.check(file, with: lists)
            let content = (try? file.content()) ?? .null
            named.formUnion(ScenarioAnswers.payloads(content) + FlowAnswers.payloads(content))
        }
        for file in others { check(file, isNamed: named.contains(file.name), report: &report) }
    }

    /// Files beside the lists: those that lists name, and those that are lists of their own.
    private static func check(_ file: AnswerFile, isNamed: Bool, report: inout Report) {
        switch file.name {
        // It explains the others.
        case "README.md": return
        case "wordlist.txt": PassphraseAnswers.check(file, report: &report)
        case let name where name.hasSuffix(".hex"): MetadataFileAnswers.check(file, report: &report)
        case let name where name.hasSuffix(".txt") && isNamed: PayloadFileAnswers.check(file, report: &report)
        default: report.fail(file.path, because: "no list names this file, and no check takes one of its kind")
        }
    }
}

extension AnswerFile {
    /// The last part of its path.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
