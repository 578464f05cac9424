internal import NIOHTTP1
internal import WebSocketFrames

extension HTTPHeaders {
    /// The value of a field that may stand once.
    enum Single: Equatable {
        case absent
        case one(String)
        case several

        mutating func take(_ value: String) { self = self == .absent ? .one(value) : .several }
    }

    func single(_ name: String) -> Single {
        var found = Single.absent
        for field in self where HeaderTokens.isEqual(field.name, to: name) { found.take(field.value) }
        return found
    }

    /// Which part of a field is none of HTTP: a name that is no token, or a value with a control character, which
    /// another reader may take for the end of a line. Nil where all are well.
    ///
    /// Source: RFC 9110, section 5.
    var malformedPart: StaticString? {
        for field in self {
            guard HeaderTokens.isToken(field.name) else { return "name" }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return "value" }
        }
        return nil
    }

    /// Whether a list has a token, in letters of either case; false where the fields of that name are no list.
    func lists(_ token: String, in name: String) -> Bool { HeaderTokens.contains(token, in: self[name]) }

    /// Whether a list has this one token and no other.
    func isOnly(_ token: String, in name: String) -> Bool {
        guard let tokens = HeaderTokens.list(self[name]), tokens.count == 1 else { return false }
        return HeaderTokens.isEqual(tokens[0], to: token)
    }
}

/// How a body is told from what follows it.
enum BodyFraming: Equatable, Sendable {
    case empty
    /// A body of so many bytes, at least one.
    case counted(Int)
    case chunked

    /// Reads the fields that frame a body, and no others: two readers must not come to different ends.
    ///
    /// - Returns: nil where none of them is there.
    /// - Throws: the name of the field that is malformed.
    static func read(_ headers: HTTPHeaders) throws(MalformedField) -> BodyFraming? {
        var (length, coding) = (HTTPHeaders.Single.absent, HTTPHeaders.Single.absent)
        for field in headers {
            if HeaderTokens.isEqual(field.name, to: "content-length") { length.take(field.value) }
            if HeaderTokens.isEqual(field.name, to: "transfer-encoding") { coding.take(field.value) }
        }
        switch (length, coding) {
        case (.absent, .absent): return nil
        case (.one(let length), .absent):
            guard let count = ASCIIText.number(length) else { throw MalformedField(name: "Content-Length") }
            return count == 0 ? BodyFraming.empty : .counted(count)
        case (.absent, .one(let coding)):
            guard HeaderTokens.isEqual(coding, to: "chunked") else { throw MalformedField(name: "Transfer-Encoding") }
            return .chunked
        case (.several, _): throw MalformedField(name: "Content-Length")
        default: throw MalformedField(name: "Transfer-Encoding")
        }
    }

    /// A field that frames a body and does not say one thing.
    struct MalformedField: Error, Equatable {
        let name: StaticString

        static func == (one: MalformedField, other: MalformedField) -> Bool {
            "\(one.name)" == "\(other.name)"
        }
    }
}
