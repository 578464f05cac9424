import KnownAnswers
import SCALE
import Substrate

/// `{blake2_256, count, names_in_order, first_three}`: the types table beside the file, of the same name and ending in
/// `.scale`.
enum TypesCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("blake2_256", "count", "names_in_order")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let name = file.name("table")
        guard let bytes = try? file.bytes(of: file.path.replacing(".json", with: ".scale")) else {
            return report.fail(name, because: "the table cannot be read")
        }
        do {
            let table = try TypesTable(scaleEncoded: bytes)
            report.expect("\(name) hash", table.hash.hex, equals: content["blake2_256"].string ?? "")
            report.expect("\(name) count", table.entries.count, equals: content["count"].int ?? -1)
            report.expect("\(name) names", table.entries.map(\.name), equals: content["names_in_order"].strings)
            report.expect("\(name) encoded", table.scaleEncoded, equals: bytes)
            for (entry, expected) in zip(table.entries, content["first_three"].array) {
                report.expect("\(name) \(entry.name)", entry.json, equals: expected)
            }
        } catch {
            report.fail(name, because: error.description)
        }
    }
}

extension TypesTable.NamedType {
    /// `[name, ["struct", [[field, type]…]]]`; other descriptions by their kind alone.
    fileprivate var json: JSON {
        switch description {
        case .structure(let fields):
            let fields = fields.map { JSON.array([$0.name.map { .string($0) } ?? .null, .string($0.type)]) }
            return .array([.string(name), .array([.string("struct"), .array(fields)])])
        case .alias: return .array([.string(name), .array([.string("alias")])])
        case .enumeration: return .array([.string(name), .array([.string("enum")])])
        }
    }
}
