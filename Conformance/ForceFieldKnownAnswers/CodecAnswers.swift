import ForceFieldWire
import KnownAnswers

/// Values with their canonical bytes, and bytes that are refused with the reason.
enum CodecAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["codec"].string == "FFV1" }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.expect(file.name("codec"), content["codec"].string, equals: "FFV1")
        report.check(content["valid"]) { row in
            let bytes = try row.bytes("hex")
            let value = try WireValue(row["value"])
            row.expect("encoding", try value.ffv1(), equals: bytes)
            row.expect("decoding", try WireValue(ffv1: bytes), equals: value)
        }
        report.check(content["invalid"]) { row in
            let bytes = try row.bytes("hex")
            var outcome = "ok"
            do throws(CodecError) { _ = try WireValue(ffv1: bytes) } catch { outcome = error.name }
            row.expect(try row.text("name"), outcome, equals: try row.text("error"))
        }
        report.check(content["limits"]) { row in
            row.expect("depth", CodecLimits.depth, equals: row["depth"].int ?? -1)
            row.expect("items", CodecLimits.items, equals: row["items"].int ?? -1)
        }
    }
}

extension WireValue {
    /// Reads the tagged form of the known answers: `{"int": "-1"}`.
    package init(_ json: JSON) throws {
        let members = json.object
        guard members.count == 1, let (tag, content) = members.first, let value = try Self.value(tag, content) else {
            throw RowError.missing("value")
        }
        self = value
    }

    private static func value(_ tag: String, _ content: JSON) throws -> WireValue? {
        switch tag {
        case "nil": .nil
        case "bool": content.bool.map { .bool($0) }
        case "int": content.string.flatMap { Int64($0) }.map { .int($0) }
        case "uint": content.string.flatMap { UInt64($0) }.map { .uint($0) }
        case "double": content.string.flatMap { Double($0) }.map { .double($0) }
        case "float": content.string.flatMap { Float($0) }.map { .float($0) }
        case "string": content.string.map { .string($0) }
        case "bytes": content.hex.map { .bytes($0) }
        case "array": .array(try content.array.map { try WireValue($0) })
        case "map": .map(try content.array.map { try Entry($0[0].string ?? "", WireValue($0[1])) })
        default: nil
        }
    }
}
