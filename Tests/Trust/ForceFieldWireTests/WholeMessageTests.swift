import ForceFieldTestMethods
import ForceFieldWire
import TestSupport
import Testing

/// Messages of a system that carries them whole, as XPC does: one frame each.
struct WholeMessageTests {
    private static let echo = MethodID(name: "echo")
    private static let answer = Frame.response(1, [1, 2, 3]).bytes

    /// A host with an open call.
    private func asking() throws -> HostSideConversation {
        var host = try HostSideConversation.serving()
        _ = try host.request(Self.echo, .unary(maxReply: 1 << 20), body: [], at: TestClock.start)
        return host
    }

    @Test("one frame of any size is taken, one message after the other")
    func wholeFrames() throws {
        var host = HostSideConversation(.test)
        let first = try host.take(message: Frame.testHello.bytes, at: TestClock.start)
        guard case .hello = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(try host.take(message: [], at: TestClock.start) == nil)
        for (call, size) in [0, 1, 65_511, 65_512, 65_536, 131_048, 131_072, 1 << 20].enumerated() {
            let id = try host.request(Self.echo, .unary(maxReply: 1 << 20), body: [], at: TestClock.start).id
            #expect(id == UInt64(call) + 1)
            let body = Array(repeating: UInt8(7), count: size)
            let message = Frame.response(id, body).bytes
            #expect(try host.take(message: message, at: TestClock.start) == .response(id, body))
        }
    }

    @Test("bytes behind an answer are found with that answer", arguments: [1, 24, 65_512, 100_000, 1 << 20])
    func bytesBehind(count: Int) throws {
        var host = try asking()
        #expect(throws: ChannelFault.violation(.badState)) {
            try host.take(message: Self.answer + Array(repeating: 0, count: count), at: TestClock.start)
        }
    }

    @Test("an answer to a later call does not come with that of an earlier one, nor behind a line of the log")
    func secondFrame() throws {
        for message in [Self.answer + Frame.response(2, [66]).bytes, Frame.log(.info, "x").bytes + Self.answer] {
            var host = try asking()
            #expect(throws: ChannelFault.violation(.badState)) {
                try host.take(message: message, at: TestClock.start)
            }
        }
    }

    @Test("nor behind a line of the log that came too fast to be passed on")
    func droppedFrame() throws {
        var host = try asking()
        let line = Frame.log(.info, "x").bytes
        while try host.take(message: line, at: TestClock.start) != nil {}
        #expect(throws: ChannelFault.violation(.badState)) {
            try host.take(message: line + Self.answer, at: TestClock.start)
        }
    }

    @Test("less than a frame is no message")
    func half() throws {
        for count in [1, 23, 24, Self.answer.count - 1] {
            var host = try asking()
            #expect(throws: ChannelFault.violation(.truncated)) {
                try host.take(message: Array(Self.answer.prefix(count)), at: TestClock.start)
            }
        }
    }

    @Test("a worker takes one frame of its host in a message, and nothing else")
    func hostMessages() throws {
        let hello = Hello(role: .linked, interfaceHash: 7, maxFrame: 1 << 20, maxInFlight: 1)
        let welcome = Frame.welcome(Welcome(interfaceHash: 7, maxFrame: 1 << 20, maxInFlight: 1)).bytes
        let faults: [([UInt8], ProtocolViolation)] = [
            ([], .truncated), (Array(welcome.dropLast()), .truncated), (welcome + [0], .badState),
            (welcome + Array(repeating: 0, count: 100_000), .badState),
            (welcome + Frame.request(1, Self.echo, body: []).bytes, .badState),
        ]
        for (message, violation) in faults {
            var worker = WorkerSideConversation(hello)
            #expect(throws: ChannelFault.violation(violation)) {
                _ = try worker.take(message: message, at: TestClock.start)
            }
        }
        var worker = WorkerSideConversation(hello)
        guard case .welcome = try worker.take(message: welcome, at: TestClock.start) else {
            Issue.record("WELCOME is taken")
            return
        }
        let body = Array(repeating: UInt8(7), count: 900_000)
        let request = Frame.request(1, Self.echo, body: body).bytes
        guard case .request(let taken) = try worker.take(message: request, at: TestClock.start) else {
            Issue.record("a request is taken")
            return
        }
        #expect(taken.body == body)
    }
}
