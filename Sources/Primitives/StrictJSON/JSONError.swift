/// Why bytes are not a JSON text that ``JSONReader`` takes, and at which byte.
public struct JSONError: Error, Hashable, Sendable {
    /// Bytes from the start of the text.
    public let offset: Int
    public let reason: Reason

    public init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    public enum Reason: String, Sendable {
        case tooLarge = "the text is larger than the limit"
        case tooDeep = "arrays and objects are nested deeper than the limit"
        case tooMany = "there are more values than the limit"
        case unexpectedEnd = "the text ends inside a value"
        case unexpectedByte = "this byte cannot stand here"
        case malformedNumber = "the number is malformed"
        case malformedEscape = "the escape is malformed"
        case loneSurrogate = "the escape is one half of a surrogate pair"
        case controlCharacter = "a control character must be escaped"
        case invalidUTF8 = "the string is not UTF-8"
        case duplicateMember = "the object has two members of this name"
        case trailingBytes = "bytes follow the value"
    }
}

extension JSONError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String { "at byte \(offset): \(reason.rawValue)" }
}
