/// Lists of tokens in header fields (RFC 9110 sections 5.6.1 and 5.6.2).
public enum HeaderTokens {
    /// The members of a list; empty members are passed over, as a recipient must.
    ///
    /// - Parameter values: of all fields of one name, in order.
    /// - Returns: nil if a member is no token.
    public static func list(_ values: [String]) -> [String]? {
        var tokens: [String] = []
        let isList = read(values) { tokens.append(String(decoding: $0, as: UTF8.self)) }
        return isList ? tokens : nil
    }

    /// Whether a list has a token, in letters of either case; false for what is no list.
    public static func contains(_ token: String, in values: [String]) -> Bool {
        var token = token
        return token.withUTF8 { token in
            var isThere = false
            return read(values) { isThere = isThere || isEqual($0, to: token) } && isThere
        }
    }

    /// Reads a list, and tells its members.
    ///
    /// - Returns: whether it is one.
    private static func read(_ values: [String], _ member: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        values.allSatisfy { value in
            HeaderReader.read(value) { reader in
                repeat {
                    reader.skipSpace()
                    if let token = reader.tokenBytes() { member(token) }
                    reader.skipSpace()
                } while reader.take(",")
                return reader.isAtEnd
            }
        }
    }

    /// Whether two texts are equal but for the case of ASCII letters.
    @inlinable
    package static func isEqual(_ one: some StringProtocol, to other: some StringProtocol) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        let isEqual: Bool?? = one.utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in Self.isEqual(one, to: other) }
        }
        if case .some(.some(let isEqual)) = isEqual { return isEqual }
        // Texts of Apple's own lie elsewhere.
        return zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
    }

    @inlinable
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        for index in one.indices where lower(one[index]) != lower(other[index]) { return false }
        return true
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
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Calls `body` with a reader of a value, which is good for this call.
    static func read<Result>(_ value: String, _ body: (inout HeaderReader) -> Result) -> Result {
        var value = value
        return value.withUTF8 { bytes in
            var reader = HeaderReader(bytes)
            return body(&reader)
        }
    }

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
        tokenBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same as its bytes.
    mutating func tokenBytes() -> UnsafeBufferPointer<UInt8>? {
        let start = position
        while position < bytes.count, HeaderTokens.isTokenByte(bytes[position]) { position += 1 }
        return position > start ? UnsafeBufferPointer(rebasing: bytes[start..<position]) : nil
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
