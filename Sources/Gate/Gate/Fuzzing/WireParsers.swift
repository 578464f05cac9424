internal import NIOCore
internal import NIOHTTP1

/// The parsers of what comes over connections, for the fuzzer and its kin among the tests. Each reads the bytes whole
/// and in pieces.
enum WireParsers {
    private static let pieces = [1, 7, 1_000]

    /// Reads them as the head of a request.
    ///
    /// - Returns: whether all come to the same.
    static func head(_ bytes: [UInt8]) -> Bool {
        agree { piece -> Outcome<[String]> in
            var reader = HeadReader()
            return read(bytes, by: piece) { (buffer) throws(HeadReader.Failure) -> [String]? in
                guard let lines = try reader.next(&buffer) else { return nil }
                let head = try HTTPRequestHead(lines)
                return [head.method.rawValue, head.uri] + head.headers.flatMap { [$0.name, $0.value] }
            }
        }
    }

    /// Reads them as a body in chunks, and as one of a length that the first byte tells.
    ///
    /// - Returns: whether all come to the same, and no body is longer than it may be.
    static func body(_ bytes: [UInt8]) -> Bool {
        [BodyFraming.chunked, .counted(Int(bytes.first ?? 1) + 1)].allSatisfy { framing in
            agree { piece -> Outcome<[UInt8]> in
                var reader = BodyReader(framing, maximumBytes: 200)
                return read(bytes, by: piece) { (buffer) throws(BodyReader.Failure) -> [UInt8]? in
                    let body = try reader.next(&buffer)
                    precondition(body.map { $0.count <= 200 } ?? true)
                    return body
                }
            }
        }
    }

    /// Reads them as the answer of a server that ends the connection behind it.
    ///
    /// - Returns: whether all come to the same.
    static func answer(_ bytes: [UInt8]) -> Bool {
        agree { piece -> Outcome<HTTPAnswer> in
            var reader = AnswerReader(maximumBytes: 200)
            let outcome = read(bytes, by: piece) { (buffer) throws(AnswerReader.Failure) -> HTTPAnswer? in
                try reader.next(&buffer)
            }
            return outcome == .incomplete ? reader.atEnd().map { .complete($0, rest: 0) } ?? .incomplete : outcome
        }
    }

    /// Why something was refused is not compared: a limit may be met before what is malformed behind it is there.
    private enum Outcome<Value: Equatable>: Equatable {
        case complete(Value, rest: Int)
        case incomplete
        case refused
    }

    private static func agree<Value>(_ outcome: (_ piece: Int) -> Outcome<Value>) -> Bool {
        let whole = outcome(.max)
        return pieces.allSatisfy { outcome($0) == whole }
    }

    private static func read<Value, Failure>(
        _ bytes: [UInt8], by piece: Int, _ next: (inout ByteBuffer) throws(Failure) -> Value?
    ) -> Outcome<Value> {
        var buffer = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            buffer.writeBytes(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            do throws(Failure) {
                if let value = try next(&buffer) { return .complete(value, rest: buffer.readableBytes + rest.count) }
            } catch {
                return .refused
            }
        }
        return .incomplete
    }
}
