import Foundation
import KnownAnswers

/// Recognises each file by what is in it and hands it to the first check that takes it. A check of its own file under
/// `Topics/Wire` joins by a line in ``checks``.
enum WireTopic: Topic {
    static let name = "wire"
    static let summary = "payloads, SCALE, metadata, cards"

    /// The checks, in the order in which they are asked.
    private static let checks: [any WireCheck.Type] = [
        CompactCheck.self, EraCheck.self, BalanceCheck.self, MetadataIndexCheck.self, TypesCheck.self,
        DecodeCheck.self,
        NetworksCheck.self, AddressesCheck.self, SignatureCheck.self, CaptureCheck.self, KeysCheck.self,
        RejectsCheck.self, ProofCheck.self, DerivationsCheck.self,
        StoryCheck.self, HotCheck.self,
    ]

    static func run(folder: URL, report: inout Report) throws {
        for path in try files(below: folder) {
            let file = WireFile(folder: folder, path: path)
            guard path.hasSuffix(".json") else { continue }
            guard let content = try? file.content() else {
                report.fail(path, because: "not JSON")
                continue
            }
            guard let check = checks.first(where: { $0.recognises(content) }) else {
                switch path.split(separator: "/").first {
                // States that the stories start from, and no answer.
                case "uos" where path == "uos/profiles.json": continue
                case "frames": try FramesTopic.run(folder: folder.appending(path: "frames"), report: &report)
                default: report.fail(path, because: "no check takes a file of this shape")
                }
                continue
            }
            check.run(content, file: file, report: &report)
        }
    }

    /// Paths relative to `folder`, sorted.
    private static func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }
}

/// Known answers of one shape.
protocol WireCheck: Sendable {
    static func recognises(_ content: JSON) -> Bool
    static func run(_ content: JSON, file: WireFile, report: inout Report)
}

/// A file among the known answers.
struct WireFile {
    let folder: URL
    /// The path relative to `folder`.
    let path: String

    func content() throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: bytes(of: path))
    }

    /// A file that another names by its path relative to the folder.
    func bytes(of path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }

    func name(_ label: String) -> String { "\(path) \(label)" }
}
