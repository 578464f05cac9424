/// Why bytes are not a JSON text that ``JSONReader`` takes, and at which byte.
public struct JSONError: Error, Hashable, Sendable {
    /// Bytes from the start of the text.
    public let offset: Int
    /// What is wrong there.
    public let reason: Reason

    /// Makes it of its parts.
    public init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// What is wrong with a text.
    public enum Reason: String, Sendable {
        /// The text is larger than the limit.
        case tooLarge = "the text is larger than the limit"
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep = "arrays and objects are nested deeper than the limit"
        /// There are more values than the limit.
        case tooMany = "there are more values than the limit"
        /// The text ends inside a value.
        case unexpectedEnd = "the text ends inside a value"
        /// This byte cannot stand here.
        case unexpectedByte = "this byte cannot stand here"
        /// The number is malformed.
        case malformedNumber = "the number is malformed"
        /// The escape is malformed.
        case malformedEscape = "the escape is malformed"
        /// The escape is one half of a surrogate pair.
        case loneSurrogate = "the escape is one half of a surrogate pair"
        /// A control character must be escaped.
        case controlCharacter = "a control character must be escaped"
        /// The string is not UTF-8.
        case invalidUTF8 = "the string is not UTF-8"
        /// The object has two members of this name.
        case duplicateMember = "the object has two members of this name"
        /// Bytes follow the value.
        case trailingBytes = "bytes follow the value"
    }
}

extension JSONError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String { "at byte \(offset): \(reason.rawValue)" }
}
