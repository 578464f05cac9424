import TextForms

/// Why bytes do not become a picture, as the worker says it.
public struct PictureDamage: Error, Codable, Hashable, Sendable {
    /// What is wrong, in one word.
    public enum Kind: String, Codable, Sendable {
        /// The format is none of those that are read.
        case unknownFormat
        /// The format's rules are broken.
        case malformed
        /// A form of the format that is not read.
        case unsupported
        /// The picture has more pixels than are read.
        case tooLarge
        /// The file has more bytes than are read at once.
        case fileTooLarge
    }

    /// What is wrong.
    public var kind: Kind
    /// The name of the format, as `PNG`; empty where it does not matter.
    public var format: String
    /// The reader's words; what they say is not checked.
    public var reason: String
    /// Bytes from the film's begin.
    public var offset: UInt64

    package init(kind: Kind, format: String = "", reason: String = "", offset: UInt64 = 0) {
        self.kind = kind
        self.format = format
        self.reason = reason
        self.offset = offset
    }

    static let formatLimit = 16
    static let reasonLimit = 256

    /// - Throws: ``ReplyRefusal`` for words that are too long.
    func check() throws(ReplyRefusal) {
        guard format.utf8.count <= Self.formatLimit, reason.utf8.count <= Self.reasonLimit else { throw .words }
    }
}

extension PictureDamage: CustomStringConvertible {
    /// Fit for a screen; the reader's words are marked as its own.
    public var description: String {
        let format = ScreenText.escape(format)
        let reason = ScreenText.escape(reason)
        return switch kind {
        case .unknownFormat: "It is none of PNG, APNG, GIF, JPEG, MJPEG, PGM and Y4M."
        case .malformed: "The \(format) picture is damaged at byte \(offset): its reader says “\(reason)”."
        case .unsupported: "The \(format) picture has a form that is not read: its reader says “\(reason)”."
        case .tooLarge: "The picture has more pixels than are read. Make it smaller."
        case .fileTooLarge: "The file has more bytes than are read at once."
        }
    }
}

/// Why a worker's reply is not believed. The worker is not to be used again.
package enum ReplyRefusal: Error, Hashable, Sendable {
    /// The reply is about another picture, or about more of the film than it has.
    case wrongPlace
    /// The reply is no answer to what was asked.
    case wrongEvent
    case size
    case tooManyCodes(Int)
    case contentTooLong(Int)
    case corners
    case symbol
    case words
    case errorNumber(Int)
}

extension ReplyRefusal: CustomStringConvertible {
    /// What is wrong as a part of a sentence.
    package var description: String {
        switch self {
        case .wrongPlace: "the picture reader answered for another place of the film"
        case .wrongEvent: "the picture reader answered what was not asked"
        case .size: "the picture reader told of a size that cannot be"
        case .tooManyCodes(let count): "the picture reader told of \(count) codes in one picture"
        case .contentTooLong(let count): "the picture reader told of a code with \(count) bytes"
        case .corners: "the picture reader told of corners that no code has"
        case .symbol: "the picture reader told of a symbol that there is not"
        case .words: "the picture reader said more than it may"
        case .errorNumber(let number): "the picture reader told of an error \(number), which there is not"
        }
    }
}
