/// What a proxy writes before the first byte of a connection: the PROXY protocol, version 1 (text) or 2 (binary).
///
/// It takes the bytes in any pieces and holds at most ``maximumBytes``.
/// Source: `appattest-gate` section 3.8.
struct ProxyPreamble: Sendable {
    /// What has to stand at the beginning of the connection.
    enum Expectation: Sendable {
        /// The peer is a trusted proxy and has to send it.
        case required(Versions)
        /// Anyone else must not.
        case forbidden
    }

    enum Versions: String, Sendable, CaseIterable {
        case v1, v2
        case any
    }

    enum Progress: Equatable, Sendable {
        case incomplete
        /// - Parameters:
        ///   - source: nil where the socket's own address stands.
        ///   - consumed: how many bytes, of all that were fed, belong to the preamble.
        case complete(source: Source?, consumed: Int)
    }

    struct Source: Equatable, Sendable {
        let address: IPAddress
        let port: UInt16
    }

    static let maximumBytes = headBytes + maximumLength
    /// The longest line of version 1, its end included.
    static let maximumLine = 107
    static let headBytes = 16
    static let maximumLength = 536
    static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]
    static let word = Array("PROXY ".utf8)

    private let expectation: Expectation
    private var held: [UInt8] = []

    init(_ expectation: Expectation) { self.expectation = expectation }

    /// Takes the next bytes of the connection. Call it no more after ``Progress/complete(source:consumed:)`` or an
    /// error.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(ProxyPreambleError) -> Progress {
        held += bytes.prefix(Self.maximumBytes - held.count)
        let isText = held.starts(with: Self.word.prefix(held.count))
        let isBinary = held.starts(with: Self.signature.prefix(held.count))
        let beginsText = held.count >= Self.word.count && isText
        let beginsBinary = held.count >= Self.signature.count && isBinary
        switch expectation {
        case .forbidden:
            guard !beginsText, !beginsBinary else { throw .notAllowed }
            return isText || isBinary ? .incomplete : .complete(source: nil, consumed: 0)
        case .required(let versions):
            if beginsText {
                guard versions != .v2 else { throw .wrongVersion }
                return try readLine()
            }
            if beginsBinary {
                guard versions != .v1 else { throw .wrongVersion }
                return try readHead()
            }
            guard isText || isBinary else { throw .missing }
            return .incomplete
        }
    }

    // MARK: Version 1

    private func readLine() throws(ProxyPreambleError) -> Progress {
        guard let end = held.firstIndex(of: UInt8(ascii: "\n")) else {
            guard held.count < Self.maximumLine else { throw .tooLong }
            return .incomplete
        }
        guard end < Self.maximumLine else { throw .tooLong }
        guard held[end - 1] == UInt8(ascii: "\r"), held[..<(end - 1)].allSatisfy({ 0x20...0x7e ~= $0 }) else {
            throw .malformed(offset: end - 1)
        }
        let words = String(decoding: held[..<(end - 1)], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        if words[1] == "UNKNOWN" { return .complete(source: nil, consumed: end + 1) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6" else {
            throw .malformed(offset: Self.word.count)
        }
        let isDotted = words[1] == "TCP4"
        guard let source = Self.address(words[2], isDotted: isDotted),
            Self.address(words[3], isDotted: isDotted) != nil,
            let port = Self.port(words[4]), Self.port(words[5]) != nil
        else { throw .malformed(offset: Self.word.count + 5) }
        return .complete(source: Source(address: source, port: port), consumed: end + 1)
    }

    private static func address(_ text: Substring, isDotted: Bool) -> IPAddress? {
        text.utf8.contains(UInt8(ascii: ":")) == isDotted ? nil : IPAddress(text)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.count <= 5, text == "0" || text.utf8.first != UInt8(ascii: "0"),
            let number = ASCIIText.number(text)
        else { return nil }
        return UInt16(exactly: number)
    }

    // MARK: Version 2

    private func readHead() throws(ProxyPreambleError) -> Progress {
        guard held.count >= Self.headBytes else { return .incomplete }
        let command = held[12]
        guard command == 0x20 || command == 0x21 else { throw .malformed(offset: 12) }
        let family = held[13]
        let length = Int(held[14]) << 8 | Int(held[15])
        guard length <= Self.maximumLength else { throw .tooLong }
        let addresses =
            switch family {
            case 0x11: 12
            case 0x21: 36
            // Local connections may say any family; proxied ones may say that they do not know it.
            case _ where command == 0x20, 0x00: 0
            default: throw ProxyPreambleError.malformed(offset: 13)
            }
        guard command == 0x20 || length >= addresses else { throw .malformed(offset: 14) }
        guard held.count >= Self.headBytes + length else { return .incomplete }
        let source = command == 0x20 || addresses == 0 ? nil : readSource(isDotted: family == 0x11)
        return .complete(source: source, consumed: Self.headBytes + length)
    }

    private func readSource(isDotted: Bool) -> Source {
        func number(_ range: Range<Int>) -> UInt64 { held[range].reduce(0) { $0 << 8 | UInt64($1) } }
        return isDotted
            ? Source(address: IPAddress(v4: UInt32(number(16..<20))), port: UInt16(number(24..<26)))
            : Source(address: IPAddress(high: number(16..<24), low: number(24..<32)), port: UInt16(number(48..<50)))
    }
}

/// Why a connection is cut at its preamble.
enum ProxyPreambleError: Error, Equatable, Sendable {
    /// A trusted proxy did not send the preamble.
    case missing
    /// Someone who is no trusted proxy sent a preamble.
    case notAllowed
    case wrongVersion
    case tooLong
    /// - Parameter offset: bytes from the beginning of the connection.
    case malformed(offset: Int)
}
