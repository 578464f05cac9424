internal import NIOCore
internal import NIOHTTP1

/// What a server answered.
struct HTTPAnswer: Equatable, Sendable {
    let status: Int
    let body: [UInt8]
}

/// Reads one answer of an HTTP/1.1 server, on a connection that carries no other.
///
/// It is as strict as the readers of requests, and passes over a few answers before the last one (RFC 9110, section
/// 15.2).
/// Source: RFC 9112, section 6.
struct AnswerReader {
    enum Failure: Error, Equatable {
        case tooLarge
        case malformed
    }

    private enum State {
        case head
        case framed(status: Int, BodyReader)
        /// A body that ends with the connection.
        case open(status: Int, [UInt8])
    }

    private static let maximumInterim = 4

    private let maximumBytes: Int
    private var state = State.head
    private var head = HeadReader()
    private var interim = 0

    /// - Parameter maximumBytes: of the body.
    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Takes what is there of the answer.
    ///
    /// - Returns: the answer once it is complete.
    mutating func next(_ buffer: inout ByteBuffer) throws(Failure) -> HTTPAnswer? {
        while true {
            switch state {
            case .head:
                guard let lines = try readHead(&buffer) else { return nil }
                try begin(lines)
            case .framed(let status, var reader):
                let body = try read(&reader, &buffer)
                state = .framed(status: status, reader)
                return body.map { HTTPAnswer(status: status, body: $0) }
            case .open(let status, var body):
                guard buffer.readableBytes <= maximumBytes - body.count else { throw .tooLarge }
                body += buffer.readBytes(length: buffer.readableBytes) ?? []
                state = .open(status: status, body)
                return nil
            }
        }
    }

    /// The answer that is complete because the connection has ended; nil where it is not.
    func atEnd() -> HTTPAnswer? {
        guard case .open(let status, let body) = state else { return nil }
        return HTTPAnswer(status: status, body: body)
    }

    private mutating func readHead(_ buffer: inout ByteBuffer) throws(Failure) -> HeadLines? {
        do throws(HeadReader.Failure) { return try head.next(&buffer) } catch {
            throw error == .tooLarge ? .tooLarge : .malformed
        }
    }

    private func read(_ reader: inout BodyReader, _ buffer: inout ByteBuffer) throws(Failure) -> [UInt8]? {
        do throws(BodyReader.Failure) { return try reader.next(&buffer) } catch {
            throw error == .tooLarge ? .tooLarge : .malformed
        }
    }

    private mutating func begin(_ lines: HeadLines) throws(Failure) {
        let words = lines.start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3,
            let status = ASCIIText.number(words[1])
        else { throw .malformed }
        switch status {
        case 101: throw .malformed
        case 100..<200:
            interim += 1
            guard interim <= Self.maximumInterim else { throw .malformed }
        case 204, 304: state = .framed(status: status, BodyReader(.empty, maximumBytes: maximumBytes))
        case 200..<600: state = try body(of: status, lines.fields)
        default: throw .malformed
        }
    }

    private func body(of status: Int, _ fields: HTTPHeaders) throws(Failure) -> State {
        do throws(BodyFraming.MalformedField) {
            guard let framing = try BodyFraming.read(fields) else { return .open(status: status, []) }
            return .framed(status: status, BodyReader(framing, maximumBytes: maximumBytes))
        } catch {
            throw .malformed
        }
    }
}
