/// Why bytes are not the SCALE encoding of what was asked for. Every case says where: `offset` counts bytes from the
/// start of the whole input.
public enum ScaleError: Error, Hashable, Sendable {
    /// The input ends before the value does.
    case dataTooShort(offset: Int, needed: Int, available: Int)
    /// A compact integer that is cut, not in its shortest form, or too large for its width.
    case malformedCompact(offset: Int, reason: CompactFault)
    /// A count or length that the remaining bytes cannot hold.
    case lengthExceedsInput(offset: Int, claimed: Int, available: Int)
    /// A bool other than 00 or 01.
    case invalidBool(offset: Int, found: UInt8)
    /// An option tag other than 00 or 01.
    case invalidOption(offset: Int, found: UInt8)
    /// An enum index that `type` does not have.
    case invalidEnumIndex(offset: Int, found: UInt8, type: String)
    /// A string that is not UTF-8.
    case invalidUTF8(offset: Int)
    /// A string that is UTF-8 and not what `kind` asks for.
    case invalidText(offset: Int, kind: String)
    /// A char that is not a Unicode scalar value.
    case invalidCharacter(offset: Int, found: UInt32)
    /// Bytes are left over where the value should have been the last.
    case trailingBytes(offset: Int, count: Int)

    /// What is wrong with a compact integer.
    public enum CompactFault: String, Sendable {
        /// The input ends inside it.
        case truncated = "the input ends inside it"
        /// It is not in its shortest form.
        case notShortest = "it is not in its shortest form"
        /// Its value does not fit the width.
        case tooWide = "its value does not fit the width"
    }
}

extension ScaleError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .dataTooShort(let offset, let needed, let available):
            "at byte \(offset): \(needed) bytes needed, \(available) left"
        case .malformedCompact(let offset, let reason):
            "at byte \(offset): malformed compact integer, \(reason.rawValue)"
        case .lengthExceedsInput(let offset, let claimed, let available):
            "at byte \(offset): a length of \(claimed) is claimed, \(available) bytes are left"
        case .invalidBool(let offset, let found):
            "at byte \(offset): a bool is 0 or 1, found \(found)"
        case .invalidOption(let offset, let found):
            "at byte \(offset): an option starts with 0 or 1, found \(found)"
        case .invalidEnumIndex(let offset, let found, let type):
            "at byte \(offset): \(type) has no variant with index \(found)"
        case .invalidUTF8(let offset):
            "at byte \(offset): the string is not UTF-8"
        case .invalidText(let offset, let kind): "at byte \(offset): the text is no \(kind)"
        case .invalidCharacter(let offset, let found):
            "at byte \(offset): \(found) is not a Unicode scalar value"
        case .trailingBytes(let offset, let count):
            "at byte \(offset): \(count) bytes are left over"
        }
    }
}
