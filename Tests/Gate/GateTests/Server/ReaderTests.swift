import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import Gate

@Suite("Readers of heads and bodies")
struct ReaderTests {
    private static let head = "GET /a HTTP/1.1\r\nHost: b\r\nX-Y:\t c d \r\n\r\nrest"

    private func read(_ bytes: [UInt8], pieces: Int) throws -> (HeadLines, Int)? {
        var reader = HeadReader()
        var buffer = ByteBuffer()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            buffer.writeBytes(bytes[start..<min(bytes.count, start + pieces)])
            if let lines = try reader.next(&buffer) { return (lines, buffer.readableBytes) }
        }
        return nil
    }

    @Test("a head is the same in pieces of any size", arguments: 1...48)
    func pieces(_ size: Int) throws {
        let (lines, _) = try #require(try read(Array(Self.head.utf8), pieces: size))
        #expect(lines.start == "GET /a HTTP/1.1")
        #expect(lines.fields.map(\.name) == ["Host", "X-Y"])
        #expect(lines.fields.map(\.value) == ["b", "c d"])
    }

    @Test("a head that ends early is not complete, wherever it ends")
    func truncations() throws {
        let bytes = Array(Self.head.utf8.dropLast(4))
        for count in 0..<bytes.count { #expect(try read(Array(bytes[..<count]), pieces: max(1, count))?.1 == nil) }
    }

    @Test("no bytes trap, neither as a head nor as a body in chunks")
    func randomBytes() {
        let chunked = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/", headers: HTTPHeaders([("Transfer-Encoding", "chunked")]))
        let alphabet = Array("\r\n: \t0aGET/HP1.;".utf8) + [0, 0x80, 0xff]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...60)).map { _ in alphabet.randomElement() ?? 0 }
            _ = try? read(bytes, pieces: Int.random(in: 1...8))
            var body = BodyReader(chunked, maximumBytes: 32)
            var buffer = ByteBuffer(bytes: bytes)
            if let taken = try? body.next(&buffer) { #expect(taken.count <= 32) }
        }
    }

    @Test("heads, bodies and answers come to the same whole and in pieces, whatever they are")
    func wholeAndPieces() {
        let seeds = [
            Self.head, "POST /a HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
            "5\r\nhello\r\n0A\r\n0123456789\r\n0\r\n\r\n",
            "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nMII=\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nMII=", "HTTP/1.1 200 OK\r\n\r\nMII=",
        ]
        let alphabet = Array("\r\n: \t0aGET/HP1.;".utf8) + [0, 0x80, 0xff]
        for round in 0..<3_000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 0...3) {
                bytes[Int.random(in: bytes.indices)] = alphabet.randomElement() ?? 0
            }
            #expect(WireParsers.head(bytes), "\(bytes)")
            #expect(WireParsers.body(bytes), "\(bytes)")
            #expect(WireParsers.answer(bytes), "\(bytes)")
        }
    }

    @Test("a head without an end is given up at its limit")
    func bounds() {
        let line = Array(("X: " + String(repeating: "a", count: 1_000) + "\r\n").utf8)
        let bytes = Array("GET / HTTP/1.1\r\n".utf8) + [[UInt8]](repeating: line, count: 20).joined()
        #expect(throws: HeadReader.Failure.tooLarge) { try read(bytes, pieces: 777) }
        #expect(throws: HeadReader.Failure.tooLarge) {
            try read([UInt8](repeating: UInt8(ascii: "a"), count: 20_000), pieces: 500)
        }
    }
}
