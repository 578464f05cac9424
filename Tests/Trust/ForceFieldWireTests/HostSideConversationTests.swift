import ForceFieldTestMethods
import ForceFieldWire
import TestSupport
import Testing

@Suite("HostSideConversation: what a host takes from a worker")
struct HostSideConversationTests {
    private static let echo = MethodID(name: "echo")
    private static let unary = CallKind.unary(maxReply: 1 << 20)

    @Test("a host reads the same frames wherever the stream is cut")
    func cut() throws {
        let frames: [Frame] = [
            .testHello, .log(.info, "started"), .progress(1, done: 1, total: 2), .response(1, [1, 2, 3]),
            .item(2, sequence: 0, [4], isLast: false), .item(2, sequence: 1, [], isLast: true),
            .hostCall(HostCallID(number: 1), MethodID(name: "net.connect"), body: [9]), .goodbye,
        ]
        func messages(piece: Int) throws -> [WorkerMessage] {
            var host = HostSideConversation(.test)
            var messages = try host.receive(frames[0].bytes, piece: piece)
            _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
            let stream = try host.request(Self.echo, .stream(maxItem: 10), body: [], at: TestClock.start).id
            _ = host.credit(stream, items: 2)
            messages += try host.receive(frames[1...].flatMap(\.bytes), piece: piece)
            #expect(host.requestsServed == 2 && host.openCalls.isEmpty && host.hasSaidGoodbye)
            return messages
        }
        let expected = try messages(piece: .max)
        #expect(expected.count == frames.count)
        for piece in 1...260 { #expect(try messages(piece: piece) == expected) }
    }

    private func refusal(
        of frames: [Frame], from terms: ChannelTerms = .test,
        _ prepare: (inout HostSideConversation) throws -> Void = { _ in }
    ) throws -> ChannelFault? {
        var host = try HostSideConversation.serving(terms)
        _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
        try prepare(&host)
        do { _ = try host.receive(frames.flatMap(\.bytes)) } catch { return error as? ChannelFault }
        return nil
    }

    @Test("nothing but HELLO comes first, and it fits")
    func hello() throws {
        func fault(_ frame: Frame, version: UInt32? = nil) throws -> ChannelFault? {
            var host = HostSideConversation(.test)
            var bytes = frame.bytes
            if let version,
                var header = bytes.withUnsafeBytes({ FrameHeader(UnsafeRawBufferPointer(rebasing: $0[..<24])) })
            {
                header.aux = version
                bytes.replaceSubrange(..<24, with: header.bytes())
            }
            do { _ = try host.receive(bytes) } catch { return error as? ChannelFault }
            return nil
        }
        func hello(_ change: (inout Hello) -> Void) -> Frame {
            var hello = Hello(role: .linked, interfaceHash: 7, maxFrame: 1 << 20, maxInFlight: 1)
            change(&hello)
            return .hello(hello)
        }
        #expect(try fault(.goodbye) == .violation(.badState))
        #expect(try fault(.log(.info, "x")) == .violation(.badState))
        #expect(try fault(hello { $0.interfaceHash = 8 }) == .interfaceMismatch(found: 8))
        #expect(try fault(hello { $0.maxFrame = 100 }) == .violation(.badPayload))
        #expect(try fault(hello { $0.maxInFlight = 0 }) == .violation(.badPayload))
        #expect(try fault(hello { _ in }, version: 0x0002_0000) == .versionMismatch(found: 0x0002_0000))
        #expect(try fault(hello { _ in }, version: 0x0001_0007) == nil)
    }

    @Test("host and worker agree on the smaller of both limits")
    func agreement() throws {
        var terms = ChannelTerms.test
        terms.maxInFlight = 4
        terms.maxFrame = 1 << 16
        var host = try HostSideConversation.serving(terms)
        let welcome = host.agreed
        #expect(welcome == Welcome(interfaceHash: 7, maxFrame: 1 << 16, maxInFlight: 2))
        #expect(host.welcome(configuration: [1])?.body == [1])
        #expect(throws: RequestRefusal.tooLarge(bytes: 1 << 16, limit: (1 << 16) - 8)) {
            try host.request(Self.echo, Self.unary, body: Array(repeating: 0, count: 1 << 16), at: TestClock.start)
        }
        _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
        #expect(try host.request(Self.echo, Self.unary, body: [], at: TestClock.start).id == 2)
        #expect(throws: RequestRefusal.busy) { try host.request(Self.echo, Self.unary, body: [], at: TestClock.start) }
    }

    @Test("a call has one reply, also if it was cancelled")
    func oneReply() throws {
        #expect(try refusal(of: [.response(1, []), .response(1, [])]) == .violation(.unknownRequest))
        #expect(
            try refusal(of: [.error(1, .cancelled, text: ""), .progress(1, done: 0, total: 0)])
                == .violation(.unknownRequest)
        )
        var host = try HostSideConversation.serving()
        let id = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start).id
        #expect(host.cancel(id) == .cancel(id))
        #expect(host.cancel(id) == nil)
        #expect(try host.receive(.error(id, .cancelled, text: "x")) == [.error(id, .cancelled, text: [0x78])])
        #expect(host.openCalls.isEmpty)
    }

    @Test("a reply is as large as its method says, and no larger than a frame")
    func replyLimit() throws {
        var terms = ChannelTerms.test
        terms.maxReply = 100
        var host = try HostSideConversation.serving(terms)
        _ = try host.request(Self.echo, .unary(maxReply: 4), body: [], at: TestClock.start)
        #expect(throws: ChannelFault.violation(.frameTooLarge)) { try host.receive(.response(1, [1, 2, 3, 4, 5])) }
        #expect(
            try refusal(of: [.response(99, Array(repeating: 0, count: 101))], from: terms) == .violation(.frameTooLarge)
        )
    }

    @Test("a reply is refused by its header, before a byte of it has arrived")
    func refusedEarly() throws {
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, .unary(maxReply: 4), body: [], at: TestClock.start)
        let header = FrameHeader(.response, length: 16 << 20, id: 1).bytes()
        #expect(throws: ChannelFault.violation(.frameTooLarge)) { try host.receive(header) }
    }

    @Test("a large reply takes no more memory than has arrived and 256 KiB, and gives it back")
    func memory() throws {
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, .unary(maxReply: 16 << 20), body: [], at: TestClock.start)
        let frame = Frame.response(1, Array(repeating: 1, count: 8 << 20)).bytes
        var arrived = 0
        for start in stride(from: 0, to: frame.count, by: 4_096) {
            arrived = min(start + 4_096, frame.count)
            let events = try host.receive(Array(frame[start..<arrived]))
            #expect(host.memory <= arrived + (256 << 10))
            #expect(events.isEmpty == (arrived < frame.count))
        }
        #expect(host.memory <= 128 << 10)
    }

    @Test("a stream's items come in sequence, with credit, and end once")
    func streams() throws {
        func fault(_ frames: Frame...) throws -> ChannelFault? {
            try refusal(of: frames) { host in
                _ = try host.request(Self.echo, .stream(maxItem: 3), body: [], at: TestClock.start)
                _ = host.credit(2, items: 2)
            }
        }
        func item(_ sequence: UInt32, _ body: [UInt8] = [], isLast: Bool = false) -> Frame {
            .item(2, sequence: sequence, body, isLast: isLast)
        }
        #expect(try fault(item(0), item(1)) == nil)
        #expect(try fault(item(1)) == .violation(.badStream))
        #expect(try fault(item(0), item(0)) == .violation(.badStream))
        #expect(try fault(item(0), item(1), item(2)) == .violation(.badStream))
        #expect(try fault(item(0, isLast: true), item(1)) == .violation(.unknownRequest))
        #expect(try fault(item(0, [1, 2, 3, 4])) == .violation(.frameTooLarge))
        #expect(try fault(.response(2, [])) == .violation(.badState))
        #expect(try fault(.error(2, .handlerFailed, text: "x"), item(0)) == .violation(.unknownRequest))
    }

    @Test("progress does not fall, and what comes too fast is checked and not passed on")
    func progress() throws {
        #expect(
            try refusal(of: [.progress(1, done: 5, total: 9), .progress(1, done: 4, total: 9)])
                == .violation(.badPayload))
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
        var passed = 0
        for step in 0..<1_000 {
            passed += try host.receive(.progress(1, done: UInt64(step), total: 1_000), at: .milliseconds(step)).count
        }
        #expect((38...41).contains(passed))
        #expect(host.droppedFrames == 1_000 - passed)
    }

    @Test("log lines that come too fast are counted and not passed on")
    func log() throws {
        var host = try HostSideConversation.serving()
        let flood = (0..<1_000).flatMap { _ in Frame.log(.error, "x").bytes }
        #expect(try host.receive(flood).count == 200)
        #expect(host.droppedFrames == 800)
        #expect(try host.receive(flood, at: .seconds(1)).count == 100)
        let badLevel = FrameHeader(.log, aux: 5).bytes()
        #expect(throws: ChannelFault.violation(.badPayload)) { try host.receive(badLevel) }
    }

    @Test("host calls are numbered, granted, and eight at a time")
    func hostCalls() throws {
        let connect = MethodID(name: "net.connect")
        func call(_ number: UInt64) -> Frame { .hostCall(HostCallID(number: number), connect, body: []) }
        #expect(try refusal(of: [call(2)]) == .violation(.unknownRequest))
        #expect(try refusal(of: [call(1), call(1)]) == .violation(.unknownRequest))
        #expect(
            try refusal(of: [.hostCall(HostCallID(number: 1), Self.echo, body: [])]) == .violation(.capabilityDenied))
        #expect(try refusal(of: (1...9).map { call($0) }) == .violation(.tooManyHostCalls))
        var host = try HostSideConversation.serving()
        for number in 1...8 { _ = try host.receive(call(UInt64(number))) }
        #expect(host.answer(HostCallID(number: 3), body: [1]) == .hostReply(HostCallID(number: 3), body: [1]))
        #expect(host.answer(HostCallID(number: 3), body: [1]) == nil)
        #expect(try host.receive(call(9)).count == 1)
        let large = host.answer(HostCallID(number: 4), body: Array(repeating: 0, count: 65_537))
        #expect(large?.head[4] == FrameType.hostError.rawValue)
        #expect(host.openHostCalls == 7)
    }

    @Test("fields that have to be zero are")
    func zeros() throws {
        var response = FrameHeader(.response, id: 1)
        response.aux = 1
        var goodbye = FrameHeader(.goodbye)
        goodbye.id = 1
        var log = FrameHeader(.log)
        log.id = 9
        for header in [response, goodbye, log] {
            var host = try HostSideConversation.serving()
            _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
            #expect(throws: ChannelFault.violation(.badHeader)) { try host.receive(header.bytes()) }
        }
    }

    @Test("nothing comes behind GOODBYE")
    func goodbye() throws {
        #expect(try refusal(of: [.response(1, []), .goodbye]) == nil)
        #expect(try refusal(of: [.response(1, []), .goodbye, .goodbye]) == .violation(.badState))
        #expect(try refusal(of: [.response(1, []), .goodbye, .log(.info, "x")]) == .violation(.badState))
    }

    @Test("GOODBYE leaves no call, also none that was cancelled")
    func goodbyeInCall() throws {
        #expect(try refusal(of: [.goodbye]) == .violation(.badState))
        #expect(try refusal(of: [.goodbye]) { _ = $0.cancel(1) } == .violation(.badState))
        let second: [Frame] = [.response(1, []), .goodbye]
        #expect(
            try refusal(of: second) { host in
                _ = try host.request(Self.echo, .stream(maxItem: 3), body: [], at: TestClock.start)
            } == .violation(.badState))
    }

    @Test("the channel's end inside a frame is a violation, wherever it is")
    func truncated() throws {
        let frame = Frame.response(1, [1, 2]).bytes
        for end in 1..<frame.count {
            var host = try HostSideConversation.serving()
            _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
            _ = try host.receive(Array(frame[..<end]))
            #expect(throws: ChannelFault.violation(.truncated)) { try host.endOfFile(at: TestClock.start) }
        }
    }

    @Test("a worker that closes the channel has 250 ms to end")
    func closed() throws {
        var host = try HostSideConversation.serving()
        #expect(host.deadline == nil)
        try host.endOfFile(at: TestClock.start)
        #expect(host.deadline == TestClock.at(.milliseconds(250)))
        try host.check(at: TestClock.at(.milliseconds(249)))
        #expect(throws: ChannelFault.violation(.channelClosed)) { try host.check(at: TestClock.at(.milliseconds(250))) }
    }

    @Test("a frame has 5 s from its first byte; dripping does not help")
    func stalled() throws {
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
        let frame = Frame.response(1, Array(repeating: 0, count: 100)).bytes
        for (second, byte) in frame.prefix(5).enumerated() {
            _ = try host.receive([byte], at: .seconds(second))
            try host.check(at: TestClock.at(.seconds(second)))
        }
        #expect(host.deadline == TestClock.at(.seconds(5)))
        #expect(throws: ChannelFault.violation(.stalled)) { try host.check(at: TestClock.at(.seconds(5))) }
        #expect(try host.receive(Array(frame.dropFirst(5)), at: .seconds(4)).count == 1)
        #expect(host.deadline == nil)
    }

    @Test("a worker is not blamed for a host that was away")
    func away() throws {
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, Self.unary, body: [], at: TestClock.start)
        let frame = Frame.response(1, Array(repeating: 0, count: 100)).bytes
        _ = try host.receive([frame[0]], at: .seconds(0))
        try host.check(at: TestClock.at(.seconds(3600)))
        #expect(host.deadline == TestClock.at(.seconds(3605)))
        #expect(throws: ChannelFault.violation(.stalled)) { try host.check(at: TestClock.at(.seconds(3605))) }
        #expect(try host.receive(Array(frame.dropFirst(1)), at: .seconds(3601)).count == 1)
        try host.endOfFile(at: TestClock.at(.seconds(3602)))
        try host.check(at: TestClock.at(.seconds(7200)))
        #expect(throws: ChannelFault.violation(.channelClosed)) {
            try host.check(at: TestClock.at(.seconds(7200) + .milliseconds(250)))
        }
    }

    @Test("a frame that follows another in one read began with that read")
    func follows() throws {
        var host = try HostSideConversation.serving()
        _ = try host.receive(Frame.log(.info, "a").bytes + [0], at: .seconds(3))
        #expect(host.deadline == TestClock.at(.seconds(8)))
    }
}
