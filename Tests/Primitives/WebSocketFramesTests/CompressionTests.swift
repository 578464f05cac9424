import TestSupport
import Testing

@testable import WebSocketFrames

@Suite("permessage-deflate")
struct CompressionTests {
    private func talk(_ stream: [UInt8], limits: FrameLimits = FrameLimits()) -> [WebSocketEndpoint.Event] {
        var endpoint = WebSocketEndpoint(role: .server, limits: limits, compression: MessageCompression())
        var conversation = Conversation()
        endpoint.read(stream, into: &conversation)
        return conversation.events
    }

    @Test(
        "the examples of RFC 7692 section 7.2.3 are the same message",
        arguments: [
            [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
            [0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00],
            [0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00],
        ] as [[UInt8]])
    func published(payload: [UInt8]) {
        let hello = WebSocketEndpoint.Event.message(.text, Array("Hello".utf8))
        #expect(talk(masked(.text, payload, isCompressed: true)) == [hello])
        let (begin, end) = (payload[..<3], payload[3...])
        let frames = masked(.text, Array(begin), isFinal: false, isCompressed: true) + masked(.continuation, Array(end))
        #expect(talk(frames + masked(.text, payload, isCompressed: true)) == [hello, hello])
    }

    @Test("an empty message is one byte")
    func empty() {
        #expect(talk(masked(.text, [0], isCompressed: true)) == [.message(.text, [])])
        #expect(MessageCompression().compress(UnsafeRawBufferPointer(start: nil, count: 0)) == [0])
    }

    @Test("a message may refer to nothing before it")
    func noContext() {
        let first: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        // The second message of section 7.2.3.2 with context taken over: a distance beyond its own beginning.
        let second: [UInt8] = [0xf2, 0x00, 0x11, 0x00, 0x00]
        let events = talk(masked(.text, first, isCompressed: true) + masked(.text, second, isCompressed: true))
        #expect(events == [.message(.text, Array("Hello".utf8)), .violation(.malformedDeflate)])
    }

    @Test(
        "what is no DEFLATE, or is cut, is refused",
        arguments: [[], [0xf2], [0xf2, 0x48, 0xcd, 0xc9], [0xff, 0xff, 0xff], [0x07]] as [[UInt8]])
    func malformed(payload: [UInt8]) {
        #expect(talk(masked(.text, payload, isCompressed: true)) == [.violation(.malformedDeflate)])
    }

    @Test("the text is judged after it is expanded")
    func text() throws {
        let payload = try #require([UInt8(0xff)].withUnsafeBytes { MessageCompression().compress($0) })
        #expect(talk(masked(.text, payload, isCompressed: true)) == [.violation(.invalidText)])
        #expect(talk(masked(.binary, payload, isCompressed: true)) == [.message(.binary, [0xff])])
    }

    @Test("a message that expands too much is refused, and a short one of equal bytes is none")
    func bombs() throws {
        func zeros(_ count: Int) throws -> [UInt8] {
            let payload = [UInt8](repeating: 0, count: count).withUnsafeBytes { MessageCompression().compress($0) }
            return masked(.binary, try #require(payload), isCompressed: true)
        }
        #expect(talk(try zeros(60_000)) == [.message(.binary, [UInt8](repeating: 0, count: 60_000))])
        #expect(talk(try zeros(1 << 20)) == [.violation(.denseDeflate)])
        #expect(FrameViolation.denseDeflate.code == .tooBig)
        let limits = FrameLimits(frame: 1 << 20, message: 50_000)
        #expect(talk(try zeros(60_000), limits: limits) == [.violation(.messageTooBig)])
    }

    @Test("random payloads never trap and never pass the limit")
    func random() {
        var random = SplitMix64(state: 8)
        let compression = MessageCompression()
        for _ in 0..<20_000 {
            let payload = (0..<Int.random(in: 0..<60, using: &random)).map { _ in random.byte() }
            if let message = try? compression.expand(payload, maximumBytes: 1_000) { #expect(message.count <= 1_000) }
        }
    }
}
