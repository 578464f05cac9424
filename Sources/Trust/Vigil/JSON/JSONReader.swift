/// Reads JSON strictly: RFC 8259 to the letter, no name twice in an object, and within limits that are checked before anything
/// is built.
package struct JSONReader {
    private let text: [UInt8]
    private let limits: JSONLimits
    private var offset = 0
    private var values = 0

    private init(_ text: [UInt8], _ limits: JSONLimits) {
        self.text = text
        self.limits = limits
    }

    package static func read(_ text: [UInt8], within limits: JSONLimits) throws(JSONSyntaxError) -> JSONValue {
        guard text.count <= limits.bytes else {
            throw JSONSyntaxError(offset: limits.bytes, reason: "more than \(limits.bytes) bytes")
        }
        var reader = JSONReader(text, limits)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.offset == text.count else { throw reader.error("something behind the value") }
        return value
    }

    private func error(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    private var next: UInt8? { offset < text.count ? text[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { offset += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        offset += 1
        return true
    }

    /// - Parameter depth: of the arrays and objects around it.
    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        values += 1
        guard values <= limits.values else { throw error("more than \(limits.values) values") }
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): return try number()
        default: throw error("a value expected")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard text[offset...].starts(with: word.utf8) else { throw error("a value expected") }
        offset += word.utf8.count
        return value
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        try enter(depth)
        skipSpace()
        if take("]") { return [] }
        var elements: [JSONValue] = []
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw error("a comma or the end of the array expected") }
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> [String: JSONValue] {
        try enter(depth)
        skipSpace()
        if take("}") { return [:] }
        var members: [String: JSONValue] = [:]
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("the name of a member expected") }
            let name = try string()
            guard members[name] == nil else { throw error("the name \"\(name.prefix(40))\" a second time") }
            skipSpace()
            guard take(":") else { throw error("a colon expected") }
            members[name] = try value(depth: depth)
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw error("a comma or the end of the object expected") }
        }
    }

    /// Steps over the opening bracket.
    private mutating func enter(_ depth: Int) throws(JSONSyntaxError) {
        guard depth <= limits.depth else { throw error("arrays and objects deeper than \(limits.depth)") }
        offset += 1
    }
}

extension JSONReader {
    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let digits = String(decoding: text[start..<offset], as: UTF8.self)
        if isWhole, let integer = Int64(digits) { return .integer(integer) }
        guard let number = Double(digits), number.isFinite else { throw error("a number beyond all measure") }
        return .number(number)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
        guard offset > start else { throw error("a digit expected") }
    }
}

extension JSONReader {
    private mutating func string() throws(JSONSyntaxError) -> String {
        offset += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: content, as: UTF8.self) else {
                    throw error("the string is not UTF-8")
                }
                offset += 1
                return string
            case UInt8(ascii: "\\"):
                offset += 1
                content += String(try escaped()).utf8
            case ..<0x20: throw error("a control character in a string")
            default:
                let end = text[offset...].firstIndex { $0 == 0x22 || $0 == 0x5c || $0 < 0x20 } ?? text.count
                content += text[offset..<end]
                offset = end
            }
        }
        throw error("the string does not end")
    }

    /// What stands behind a backslash.
    private mutating func escaped() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let byte = next else { throw error("the string does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: throw error("there is no such escape")
        }
    }

    private mutating func codePoint() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800...0xdbff).contains(first), take("\\"), take("u") else { throw error("half of a character") }
        let second = try codeUnit()
        guard (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + UInt32(second) - 0xdc00)
        else { throw error("half of a character") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        let digits = text[offset..<min(offset + 4, text.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("four hexadecimal digits expected") }
        offset += 4
        return unit
    }
}
