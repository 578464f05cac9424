import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import Gate

@Suite("Readers of heads and bodies")
struct ReaderTests {
    private static let head = "GET /a HTTP/1.1\r\nHost: b\r\nX-Y:\t c d \r\n\r\nrest"

    /// What random bytes are made of: bytes that no text has, too, and characters that are not ASCII.
    private static let alphabet =
        Array("\r\n: \t0aGET/HP1.;".utf8).map { [$0] } + [[0], [0x80], [0xff], [0xc3, 0xa9], [0xe2, 0x84, 0xaa]]

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

    @Test("a name that is not ASCII is malformed, be it UTF-8 or not; a value may be any UTF-8")
    func foreignNames() throws {
        let characters = ["\u{80}", "\u{e9}", "\u{3f3}", "\u{212a}", "\u{10ffff}"].map { Array($0.utf8) }
        for character in characters + [[0x80], [0xc3], [0xff], [0xed, 0xa0, 0x80]] {
            for (before, behind) in [("", ""), ("Content", "ength"), ("X-", "")] {
                let name = Array(before.utf8) + character + Array(behind.utf8)
                for start in ["GET / HTTP/1.1", "HTTP/1.1 200 OK"] {
                    let bytes = Array("\(start)\r\nHost: b\r\n".utf8) + name + Array(": x\r\n\r\n".utf8)
                    #expect(throws: HeadReader.Failure.malformed, "\(name)") { try read(bytes, pieces: bytes.count) }
                    #expect(WireParsers.head(bytes) && WireParsers.answer(bytes))
                }
            }
        }
        for character in characters {
            let bytes = Array("GET / HTTP/1.1\r\nX: ".utf8) + character + Array("\r\n\r\n".utf8)
            let (lines, _) = try #require(try read(bytes, pieces: bytes.count))
            #expect(lines.fields.first.map { Array($0.value.utf8) } == character)
        }
    }

    @Test("no bytes trap, neither as a head nor as a body in chunks")
    func randomBytes() {
        let chunked = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/", headers: HTTPHeaders([("Transfer-Encoding", "chunked")]))
        var generator = SplitMix64(state: 101)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).flatMap { _ in
                Self.alphabet.randomElement(using: &generator) ?? []
            }
            _ = try? read(bytes, pieces: Int.random(in: 1...8, using: &generator))
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
        var generator = SplitMix64(state: 102)
        for round in 0..<3_000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes.replaceSubrange(place...place, with: Self.alphabet.randomElement(using: &generator) ?? [])
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
