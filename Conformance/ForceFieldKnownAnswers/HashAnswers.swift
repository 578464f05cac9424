import ForceFieldWire
import KnownAnswers

/// FNV-1a, and the hash of an interface with its text.
enum HashAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("fnv1a32", "fnv1a64", "interface") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content["fnv1a32"]) { row in
            let name = try row.text("in")
            row.expect(name, FNV1a.hash32(name.utf8).bigEndianBytes, equals: try row.bytes("out"))
        }
        report.check(content["fnv1a64"]) { row in
            let name = try row.text("in")
            row.expect(name, FNV1a.hash64(name.utf8).bigEndianBytes, equals: try row.bytes("out"))
        }
        report.check(content["interface"]) { row in
            let interface = try Interface(row["lines"].strings.reversed().map { try MethodSignature(line: $0) })
            row.expect("text", interface.text, equals: try row.text("text"))
            row.expect("hash", interface.hash.bigEndianBytes, equals: try row.bytes("hash"))
        }
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension MethodSignature {
    /// Reads `name(Request)->Reply`.
    fileprivate init(line: String) throws {
        guard let match = line.wholeMatch(of: #/(.+?)\((.*)\)->(>?)(.+)/#) else { throw RowError.missing("lines") }
        self.init(
            name: String(match.1), request: String(match.2), reply: String(match.4),
            kind: match.3.isEmpty ? .unary : .stream)
    }
}
