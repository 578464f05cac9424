import TestSupport
import Testing
import WebSocketFrames

@Suite("WebSocketEndpoint")
struct EndpointTests {
    private typealias Event = WebSocketEndpoint.Event

    private func talk(_ stream: [UInt8], limits: FrameLimits = FrameLimits()) -> Conversation {
        var (endpoint, conversation) = (WebSocketEndpoint(role: .server, limits: limits), Conversation())
        endpoint.read(stream, into: &conversation)
        var (slow, apart) = (WebSocketEndpoint(role: .server, limits: limits), Conversation())
        for byte in stream { slow.read([byte], into: &apart) }
        #expect(apart == conversation)
        return conversation
    }

    private func close(_ code: CloseCode, _ reason: String) -> [UInt8] {
        ControlFrame.close(ClosePayload(code, reason: reason)).encoded()
    }

    @Test("the examples of RFC 6455 section 5.7 are messages and a ping that is answered")
    func published() {
        let stream: [UInt8] = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58, 0x89, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f,
            0x9f, 0x4d, 0x51, 0x58,
        ]
        let talk = talk(stream)
        #expect(talk.events == [.message(.text, Array("Hello".utf8)), .ping(Array("Hello".utf8))])
        #expect(talk.output == [0x8a, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
    }

    @Test("a message comes together from its frames, with control frames between them")
    func fragments() {
        let stream =
            masked(.text, Array("κόσ".utf8).dropLast(), isFinal: false) + masked(.ping, [1, 2])
            + masked(.continuation, [0x83], isFinal: false) + masked(.continuation, [], isFinal: false)
            + masked(.pong, [3]) + masked(.continuation, Array("με".utf8)) + masked(.binary, [0xff])
        #expect(
            talk(stream).events == [
                .ping([1, 2]), .pong([3]), .message(.text, Array("κόσμε".utf8)), .message(.binary, [0xff]),
            ])
    }

    @Test("a close is answered with its code, once, and nothing is read behind it")
    func closes() {
        let talk = talk(masked(.close, [0x0f, 0xa0, 0x61]) + masked(.text, [1]))
        #expect(talk.events == [.close(ClosePayload(CloseCode(rawValue: 4000), reason: "a"))])
        #expect(talk.output == [0x88, 3, 0x0f, 0xa0, 0x61])
        #expect(self.talk(masked(.close, [])).output == [0x88, 0])
        var (endpoint, conversation) = (WebSocketEndpoint(role: .server), Conversation())
        endpoint.send(.close(ClosePayload(.goingAway)))
        endpoint.read(masked(.ping, []) + masked(.close, [3, 0xe9]), into: &conversation)
        #expect(conversation.output == close(.goingAway, ""))
        #expect(conversation.events == [.ping([]), .close(ClosePayload(.goingAway))])
        let isSent = (endpoint.send(.text, [65]), endpoint.send(.ping([])))
        #expect(isSent == (false, false) && endpoint.output.isEmpty)
    }

    @Test(
        "a frame that breaks a rule is answered with the rule's close code, behind what came before",
        arguments: [
            (masked(.continuation, []), FrameViolation.unexpectedContinuation), ([0x83, 0x80], .reservedOpcode),
            ([0xc1, 0x80], .reservedBits), ([0x81, 0x01], .notMasked), ([0x89, 0xfe], .longControl),
            ([0x08, 0x80], .fragmentedControl), (masked(.close, [3]), .closeLength),
            (masked(.close, [3, 0xed]), .closeCode), (masked(.close, [3, 0xe8, 0xc0]), .closeReason),
            ([0x82, 0xfe, 0, 1, 0, 0, 0, 0], .lengthNotShortest),
            (masked(.text, [65], isFinal: false) + masked(.text, []), .interruptedMessage),
            (masked(.text, [0xf4, 0x90]), .invalidText), (masked(.text, [0xce]), .invalidText),
            (masked(.text, [0xce], isFinal: false) + masked(.continuation, []), .invalidText),
        ] as [([UInt8], FrameViolation)])
    func refused(frames: [UInt8], rule: FrameViolation) {
        let talk = talk(masked(.binary, [7]) + frames + masked(.ping, []))
        #expect(talk.events == [.message(.binary, [7]), .violation(rule)])
        #expect(talk.output == close(rule.code, rule.rawValue))
    }

    @Test("text fails at the first byte that cannot be UTF-8, not at the end of the frame")
    func failsFast() {
        var (endpoint, talk) = (WebSocketEndpoint(role: .server), Conversation())
        let frame = masked(.text, [0x61, 0xf4, 0x90, 0x80, 0x80, 0x62])
        endpoint.read(Array(frame[..<8]), into: &talk)
        #expect(talk.events.isEmpty)
        endpoint.read([frame[8]], into: &talk)
        #expect(talk.events == [.violation(.invalidText)])
    }

    @Test("an endpoint takes frames and messages as large as the limits and no larger")
    func limits() {
        let limits = FrameLimits(frame: 200, message: 300)
        let frame = [UInt8](repeating: 1, count: 200)
        #expect(talk(masked(.binary, frame), limits: limits).events == [.message(.binary, frame)])
        let begun = masked(.binary, frame, isFinal: false)
        let part = [UInt8](repeating: 1, count: 100)
        #expect(
            talk(begun + masked(.continuation, part), limits: limits).events == [.message(.binary, frame + part)])
        #expect(talk(masked(.binary, frame + [1]), limits: limits).events == [.violation(.frameTooBig)])
        #expect(
            talk(begun + masked(.continuation, part + [1]), limits: limits).events == [.violation(.messageTooBig)])
    }

    @Test("two endpoints understand each other, compressed or not", arguments: [false, true])
    func conversations(isCompressed: Bool) {
        var random = SplitMix64(state: 5)
        let compression = isCompressed ? MessageCompression(threshold: 20) : nil
        var server = WebSocketEndpoint(role: .server, compression: compression)
        var keys = SplitMix64(state: 6)
        var client = WebSocketEndpoint(
            role: .client(maskingKeys: { MaskingKey(UInt32(truncatingIfNeeded: keys.next())) }),
            compression: compression)
        for round in 0..<300 {
            let count = [0, 5, 125, 126, 3_000, 65_535, 65_536][round % 7]
            let bytes = (0..<count).map { _ in UInt8(0x61 + random.next() % 4) }
            let kind: WebSocketEndpoint.MessageKind = round % 2 == 0 ? .text : .binary
            var (asked, answered) = (Conversation(), Conversation())
            client.send(kind, bytes)
            client.send(.ping([UInt8(round & 0xff)]))
            let request = client.takeOutput()
            #expect(request.first.map { $0 & 0x40 != 0 } == (isCompressed && count >= 20))
            server.read(request, into: &asked)
            #expect(asked.events == [.message(kind, bytes), .ping([UInt8(round & 0xff)])])
            server.send(kind, bytes)
            client.read(asked.output + server.takeOutput(), into: &answered)
            #expect(answered.events == [.pong([UInt8(round & 0xff)]), .message(kind, bytes)])
        }
    }
}
