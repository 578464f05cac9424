/// Lists of tokens in header fields (RFC 9110 sections 5.6.1 and 5.6.2).
public enum HeaderTokens {
    /// The members of a list; empty members are passed over, as a recipient must.
    ///
    /// - Parameter values: of all fields of one name, in order.
    /// - Returns: nil if a member is no token.
    public static func list(_ values: [String]) -> [String]? {
        var tokens: [String] = []
        for value in values {
            var reader = HeaderReader(value)
            repeat {
                reader.skipSpace()
                if let token = reader.token() { tokens.append(token) }
                reader.skipSpace()
            } while reader.take(",")
            guard reader.isAtEnd else { return nil }
        }
        return tokens
    }

    /// Whether a list has a token, in letters of either case; false for what is no list.
    public static func contains(_ token: String, in values: [String]) -> Bool {
        list(values)?.contains { isEqual($0, to: token) } ?? false
    }

    /// Whether two texts are equal but for the case of ASCII letters.
    @inlinable
    package static func isEqual(_ one: some StringProtocol, to other: some StringProtocol) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
    }

    /// Whether a text is a token.
    @inlinable
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    @inlinable
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    @inlinable
    static func lower(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

/// Reads a header field, front to back.
struct HeaderReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skipSpace() {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
    }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    /// A token; nil if there is none here.
    mutating func token() -> String? {
        let start = position
        while position < bytes.count, HeaderTokens.isTokenByte(bytes[position]) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// A quoted string whose content is a token (RFC 6455 section 9.1); the opening quote is behind.
    mutating func quotedToken() -> String? {
        var content: [UInt8] = []
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return content.isEmpty ? nil : String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { return nil }
                byte = bytes[position]
                position += 1
            }
            guard HeaderTokens.isTokenByte(byte) else { return nil }
            content.append(byte)
        }
        return nil
    }
}
