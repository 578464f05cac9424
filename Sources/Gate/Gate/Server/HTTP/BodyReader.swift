internal import NIOCore
internal import NIOHTTP1

/// Takes the body of a request, up to a limit.
///
/// Chunks are read strictly: neither extensions nor trailers, which are not needed here and have fooled other servers.
/// Source: RFC 9112, sections 6 and 7.1.
struct BodyReader {
    enum Failure: Error, Equatable {
        case tooLarge
        case malformed
    }

    private enum State {
        case counted(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case lastLine
        case done
    }

    /// The longest line with the size of a chunk, its end included.
    private static let maximumSizeLine = 18

    private let maximumBytes: Int
    private var state: State
    private var body: [UInt8] = []

    /// - Parameter head: without a violation.
    init(_ head: HTTPRequestHead, maximumBytes: Int) { self.init(head.bodyFraming, maximumBytes: maximumBytes) }

    init(_ framing: BodyFraming, maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        state =
            switch framing {
            case .empty: .done
            case .counted(let count): .counted(left: count)
            case .chunked: .chunkSize
            }
    }

    /// Takes what is there of the body.
    ///
    /// - Returns: the body once it is complete.
    mutating func next(_ buffer: inout ByteBuffer) throws(Failure) -> [UInt8]? {
        while true {
            switch state {
            case .done: return body
            case .counted(let left):
                guard left <= maximumBytes else { throw .tooLarge }
                let rest = take(left, &buffer)
                state = rest == 0 ? .done : .counted(left: rest)
                guard rest == 0 else { return nil }
            case .chunkSize:
                guard let size = try size(&buffer) else { return nil }
                guard size <= maximumBytes - body.count else { throw .tooLarge }
                state = size == 0 ? .lastLine : .chunk(left: size)
            case .chunk(let left):
                let rest = take(left, &buffer)
                state = rest == 0 ? .chunkEnd : .chunk(left: rest)
                guard rest == 0 else { return nil }
            case .chunkEnd, .lastLine:
                guard let end: UInt16 = buffer.readInteger() else { return nil }
                guard end == 0x0d0a else { throw .malformed }
                if case .lastLine = state { state = .done } else { state = .chunkSize }
            }
        }
    }

    /// - Returns: how many bytes are still to come.
    private mutating func take(_ count: Int, _ buffer: inout ByteBuffer) -> Int {
        let part = min(count, buffer.readableBytes)
        if let bytes = buffer.readBytes(length: part) { body += bytes }
        return count - part
    }

    private func size(_ buffer: inout ByteBuffer) throws(Failure) -> Int? {
        let view = buffer.readableBytesView.prefix(Self.maximumSizeLine)
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count < Self.maximumSizeLine else { throw .malformed }
            return nil
        }
        let line = view[..<end]
        guard line.last == UInt8(ascii: "\r"), line.count > 1,
            line.dropLast().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let size = Int(String(decoding: line.dropLast(), as: UTF8.self), radix: 16)
        else { throw .malformed }
        buffer.moveReaderIndex(forwardBy: line.count + 1)
        return size
    }
}
