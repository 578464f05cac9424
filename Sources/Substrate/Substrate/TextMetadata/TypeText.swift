/// A type as metadata 12 and 13 and the types table write it, as `Vec<(AccountId, u32)>`. Texts are equal byte by byte.
///
/// Parts of a text share its storage.
struct TypeText: Hashable, Sendable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = ArraySlice(bytes)
    }

    private init(part: ArraySlice<UInt8>) {
        bytes = part
    }

    var byteCount: Int { bytes.count }

    /// What stands between `head`, which ends in an opening bracket, and the closing bracket at the end of the text;
    /// nil for a text of another form.
    func inside(_ head: StaticString, _ closing: Unicode.Scalar) -> TypeText? {
        let headCount = head.utf8CodeUnitCount
        guard bytes.count > headCount, bytes.last == UInt8(ascii: closing),
            bytes.starts(with: UnsafeBufferPointer(start: head.utf8Start, count: headCount))
        else { return nil }
        return TypeText(part: bytes.dropFirst(headCount).dropLast())
    }

    /// The parts between separators outside all brackets, without spaces around them; nil if brackets do not match.
    func split(_ separator: Unicode.Scalar) -> [TypeText]? {
        var parts: [TypeText] = []
        var start = bytes.startIndex
        var awaited: [UInt8] = []
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "<"): awaited.append(UInt8(ascii: ">"))
            case UInt8(ascii: "("): awaited.append(UInt8(ascii: ")"))
            case UInt8(ascii: "["): awaited.append(UInt8(ascii: "]"))
            case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard awaited.popLast() == bytes[index] else { return nil }
            case UInt8(ascii: separator) where awaited.isEmpty:
                parts.append(Self.trimmed(bytes[start..<index]))
                start = index + 1
            default: break
            }
        }
        guard awaited.isEmpty else { return nil }
        return parts + [Self.trimmed(bytes[start...])]
    }

    /// Whether each bracket has its counterpart.
    var isBalanced: Bool { split(",") != nil }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> TypeText {
        let space = UInt8(ascii: " ")
        guard let last = bytes.lastIndex(where: { $0 != space }) else { return TypeText(part: bytes.prefix(0)) }
        return TypeText(part: bytes[...last].drop { $0 == space })
    }

    /// The text as a decimal number of 32 bits.
    var number: Int? {
        let isDecimal = !bytes.isEmpty && bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isDecimal ? UInt32(String(decoding: bytes, as: UTF8.self)).map(Int.init) : nil
    }

    func wrapped(head: StaticString, tail: StaticString) -> TypeText {
        TypeText(Array("\(head)".utf8) + bytes + Array("\(tail)".utf8))
    }
}

extension TypeText: CustomStringConvertible {
    /// At most 64 bytes of the text, for messages.
    var description: String {
        let isLong = bytes.count > 64
        return String(decoding: bytes.prefix(64), as: UTF8.self) + (isLong ? "…" : "")
    }
}

extension TypeText: ExpressibleByStringLiteral {
    init(stringLiteral text: StaticString) {
        self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
