internal import NIOCore
internal import NIOHTTP1
internal import TextForms

/// The first line of a message and its header fields.
struct HeadLines: Sendable {
    let start: String
    let fields: HTTPHeaders

    /// The first line in pieces, between single spaces.
    ///
    /// - Parameter count: so many pieces at most, and one more for what is behind them.
    func words(_ count: Int) -> [Substring] {
        start.utf8.split(separator: UInt8(ascii: " "), maxSplits: count, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}

/// Reads heads of HTTP/1.1 messages, strictly: what two readers may take for different things is refused.
///
/// Lines end with CR LF and nothing else, fields are not folded, texts are UTF-8. It looks at each byte once, however
/// many pieces they come in, and never lets the buffer grow behind the limits. The parser of NIOHTTP1 takes chunk
/// extensions, trailers and any number of fields, which are refused here.
/// Source: RFC 9112; `appattest-gate` section 3.7.
struct HeadReader {
    enum Failure: Error, Equatable {
        case tooLarge
        case malformed
    }

    /// The most bytes of a head. Its first line counts with its fields.
    static let maximumBytes = HTTPRequestHead.maximumHeaderBytes
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Bytes that have been looked at, and where the line begins that is not complete.
    private var scanned = 0
    private var lineStart = 0
    private var lines: [Range<Int>] = []

    /// - Returns: nil if the head is not complete. Otherwise it has been taken from `buffer`.
    mutating func next(_ buffer: inout ByteBuffer) throws(Failure) -> HeadLines? {
        let end = try buffer.withUnsafeReadableBytes { bytes throws(Failure) in try scan(bytes) }
        guard let end else { return nil }
        let result = try buffer.withUnsafeReadableBytes { bytes throws(Failure) in try read(bytes) }
        buffer.moveReaderIndex(forwardBy: end)
        self = HeadReader()
        return result
    }

    /// Finds the ends of lines.
    ///
    /// - Returns: where the head ends.
    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        while let place = Self.first(Self.lineFeed, of: bytes, in: scanned..<bytes.count) {
            guard place < Self.maximumBytes else { throw .tooLarge }
            guard place > lineStart, bytes[place - 1] == Self.carriageReturn else { throw .malformed }
            let line = lineStart..<place - 1
            scanned = place + 1
            lineStart = scanned
            if line.isEmpty {
                // One empty line before the first is left over from a message before (RFC 9112, section 2.2).
                if !lines.isEmpty { return scanned }
                guard line.lowerBound == 0 else { throw .malformed }
                continue
            }
            lines.append(line)
            guard lines.count <= HTTPRequestHead.maximumFields + 1, line.count <= HTTPRequestHead.maximumFieldBytes
            else {
                throw .tooLarge
            }
        }
        scanned = bytes.count
        guard bytes.count <= Self.maximumBytes, bytes.count - lineStart <= HTTPRequestHead.maximumFieldBytes + 2 else {
            throw .tooLarge
        }
        return nil
    }

    private static func first(_ byte: UInt8, of bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            if bytes[place] == byte { return place }
            place += 1
        }
        return nil
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> HeadLines {
        var fields = HTTPHeaders()
        fields.reserveCapacity(lines.count)
        for line in lines.dropFirst() {
            guard let colon = Self.first(UInt8(ascii: ":"), of: bytes, in: line), colon > line.lowerBound,
                !Self.isSpace(bytes[line.lowerBound])
            else { throw .malformed }
            let name = try Self.text(bytes, line.lowerBound..<colon)
            // ``HTTPHeaders`` ends the process over any other name.
            guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
            fields.add(
                name: name, value: try Self.text(bytes, Self.trimmed(bytes, colon + 1..<line.upperBound)))
        }
        return HeadLines(start: try Self.text(bytes, lines[0]), fields: fields)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(Failure) -> String {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
        guard let text = UTF8Check.text(of: part) else { throw .malformed }
        return text
    }
}

extension HTTPRequestHead {
    /// Reads the first line: a method, a target and a version, with one space between them.
    init(_ lines: HeadLines) throws(HeadReader.Failure) {
        let words = lines.words(3)
        guard words.count == 3, !words[0].isEmpty, words[0].utf8.count <= 32,
            words[0].utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") })
        else { throw .malformed }
        let version: HTTPVersion =
            switch words[2] {
            case "HTTP/1.1": .http1_1
            case "HTTP/1.0": .http1_0
            default: throw .malformed
            }
        self.init(
            version: version, method: HTTPMethod(rawValue: String(words[0])), uri: String(words[1]),
            headers: lines.fields)
    }
}
