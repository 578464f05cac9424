import TextForms

/// Why bytes are not FFV1, why they are not the type that was asked for, or why a value cannot be written.
///
/// `offset` counts bytes from the start of the encoding. `path` says where in the value, as `items[3].name`; keys in it
/// may be the peer's, so only ``description`` is fit for a screen.
///
/// Source: `forcefield` section 12.
public enum CodecError: Error, Hashable, Sendable {
    /// The bytes end before the value does.
    case truncated(offset: Int)
    case badTag(offset: Int, found: UInt8)
    case badUTF8(offset: Int)
    case trailingBytes(offset: Int, count: Int)
    case depthExceeded(offset: Int)
    /// A count that the bytes left cannot hold, or more than a million items.
    case countExceeded(offset: Int, claimed: Int)
    /// Keys that do not ascend, or one key twice.
    case keyOrder(offset: Int)
    case emptyKey(offset: Int)
    /// A key to be written that has more than 255 bytes.
    case keyTooLong(offset: Int, count: Int)
    /// A NaN other than the canonical one.
    case nonCanonical(offset: Int)
    case typeMismatch(path: String, expected: String, found: String)
    case missingKey(path: String)
    case unknownKey(path: String)
    /// An integer that its type cannot hold.
    case outOfRange(path: String)
    /// The type itself refused the value.
    case invalidValue(path: String, reason: String)

    /// A stable identifier, which known answers name and programs print.
    package var name: String {
        switch self {
        case .truncated: "truncated"
        case .badTag: "badTag"
        case .badUTF8: "badUTF8"
        case .trailingBytes: "trailingBytes"
        case .depthExceeded: "depthExceeded"
        case .countExceeded: "countExceeded"
        case .keyOrder: "keyOrder"
        case .emptyKey: "emptyKey"
        case .keyTooLong: "keyTooLong"
        case .nonCanonical: "nonCanonical"
        case .typeMismatch: "typeMismatch"
        case .missingKey: "missingKey"
        case .unknownKey: "unknownKey"
        case .outOfRange: "outOfRange"
        case .invalidValue: "invalidValue"
        }
    }
}

extension CodecError: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .truncated(let offset): "at byte \(offset): the bytes end inside a value"
        case .badTag(let offset, let found): "at byte \(offset): no value begins with the byte \(found)"
        case .badUTF8(let offset): "at byte \(offset): the text is not UTF-8"
        case .trailingBytes(let offset, let count): "at byte \(offset): \(count) bytes are left over behind the value"
        case .depthExceeded(let offset):
            "at byte \(offset): more than \(CodecLimits.depth) values within each other"
        case .countExceeded(let offset, let claimed):
            "at byte \(offset): a count of \(claimed) is more than the bytes or the limit of items allow"
        case .keyOrder(let offset): "at byte \(offset): a key stands twice or out of order"
        case .emptyKey(let offset): "at byte \(offset): a key has no bytes"
        case .keyTooLong(let offset, let count):
            "at byte \(offset): a key has \(count) bytes, the limit is \(CodecLimits.keyBytes)"
        case .nonCanonical(let offset): "at byte \(offset): a NaN that is not the canonical one"
        case .typeMismatch(let path, let expected, let found):
            "\(Self.place(path)): \(expected) expected, \(found) found"
        case .missingKey(let path): "\(Self.place(path)): the key is missing"
        case .unknownKey(let path): "\(Self.place(path)): the type has no such key"
        case .outOfRange(let path): "\(Self.place(path)): the integer does not fit its type"
        case .invalidValue(let path, let reason): "\(Self.place(path)): \(ScreenText.escape(reason))"
        }
    }

    private static func place(_ path: String) -> String {
        path.isEmpty ? "at the value itself" : "at \(ScreenText.escape(path))"
    }
}
