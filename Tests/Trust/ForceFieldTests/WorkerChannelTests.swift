import Files
import ForceFieldTestMethods
import Glibc
import Testing

@testable import ForceField
@testable import ForceFieldWire

/// The host's end of a channel whose other end is the test's: a worker that sends what it likes, and need not read.
@Suite("What waits for a worker that does not read")
struct WorkerChannelTests {
    private final class NoReceiver: CallReceiver {
        func receive(_ item: [UInt8]) {}
        func finish(_ result: Result<[UInt8], ForceFieldError>) {}
    }

    private struct Ends {
        let host, worker: OpenFile

        init() throws {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            host = try #require(OpenFile(taking: ends[0], "host"))
            worker = try #require(OpenFile(taking: ends[1], "worker"))
            // The least that there is.
            var size: Int32 = 1
            setsockopt(host.number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }

        func send(_ frames: Frame...) throws { try send(frames) }

        func send(_ frames: [Frame]) throws {
            let bytes = frames.flatMap(\.bytes)
            try #require(write(worker.number, bytes, bytes.count) == bytes.count)
        }

        /// Everything that has come.
        func read() -> [UInt8] {
            var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
            while true {
                let count = Glibc.read(worker.number, &piece, piece.count)
                guard count > 0 else { return all }
                all += piece[..<count]
            }
        }
    }

    private func channel(_ ends: Ends, streamCredit: Int = 4) throws -> WorkerChannel {
        var channel = WorkerChannel(
            ends.host, .test, pace: Pace(), configuration: [], streamCredit: streamCredit)
        try ends.send(.testHello)
        var events: [WorkerEvent] = []
        try channel.receive(at: TestClock.start, isLast: false, into: &events)
        #expect(channel.flush() == .done)
        return channel
    }

    private func call(_ kind: CallKind, bytes: Int) -> Call {
        Call(
            Hostile.act.signature, kind, body: [UInt8](repeating: 1, count: bytes), options: CallOptions(),
            deadline: nil,
            to: NoReceiver())
    }

    @Test("answers to host calls that are not read count as open, and end the worker at the ninth")
    func unreadAnswers() throws {
        let ends = try Ends()
        var channel = try channel(ends)
        var (asked, most) = (0, 0)
        #expect(throws: ChannelFault.violation(.tooManyHostCalls)) {
            for number in 1...100 as ClosedRange<UInt64> {
                asked += 1
                try ends.send(.hostCall(HostCallID(number: number), MethodID(name: "net.connect"), body: []))
                var events: [WorkerEvent] = []
                try channel.receive(at: TestClock.start, isLast: false, into: &events)
                channel.answer(
                    HostCallID(number: number), body: [UInt8](repeating: 1, count: 60_000), descriptors: [])
                _ = channel.flush()
                most = max(most, channel.waitingFrames)
            }
        }
        #expect(most <= 8)
        #expect(asked < 20)
    }

    @Test("a worker that reads its answers may ask without end")
    func readAnswers() throws {
        let ends = try Ends()
        var channel = try channel(ends)
        for number in 1...100 as ClosedRange<UInt64> {
            try ends.send(.hostCall(HostCallID(number: number), MethodID(name: "net.connect"), body: []))
            var events: [WorkerEvent] = []
            try channel.receive(at: TestClock.start, isLast: false, into: &events)
            channel.answer(
                HostCallID(number: number), body: [UInt8](repeating: 1, count: 60_000), descriptors: [])
            while channel.flush() == .waits { #expect(!ends.read().isEmpty) }
            _ = ends.read()
        }
        #expect(channel.waitingFrames == 0)
    }

    /// A channel with one call, of whose progress the worker reports.
    private func reporting(_ ends: Ends) throws -> WorkerChannel {
        var channel = try channel(ends)
        try channel.begin(call(.unary(maxReply: 10), bytes: 1), at: TestClock.start)
        #expect(channel.flush() == .done)
        return channel
    }

    @Test("a flood of what is dropped is not read for as long as it was too much, and nothing of it is lost")
    func flood() throws {
        let ends = try Ends()
        var channel = try reporting(ends)
        try ends.send([Frame](repeating: .progress(1, done: 0, total: 1), count: 2_000) + [.response(1, [7])])
        var events: [WorkerEvent] = []
        while channel.pauseEnd == nil { try channel.receive(at: TestClock.start, isLast: false, into: &events) }
        let pauseEnd = channel.pauseEnd
        let end = try #require(pauseEnd)
        #expect(end > TestClock.at(Flood.lead) && end < TestClock.at(.milliseconds(100)))
        channel.endPause(at: TestClock.at(Flood.lead))
        #expect(channel.pauseEnd == end && channel.deadline == end)
        channel.endPause(at: end)
        #expect(channel.pauseEnd == nil)
        while channel.openCount > 0 { try channel.receive(at: end, isLast: false, into: &events) }
        #expect(events.count == 1)
    }

    @Test("whoever reports often, one report after the other, is always read")
    func reports() throws {
        let ends = try Ends()
        var channel = try reporting(ends)
        var events: [WorkerEvent] = []
        for number in 0..<5_000 {
            try ends.send(.progress(1, done: UInt64(number), total: 5_000))
            try channel.receive(at: TestClock.at(.microseconds(200 * number)), isLast: false, into: &events)
            #expect(channel.pauseEnd == nil)
        }
    }

    @Test(
        "nobody can answer a request that has not been sent whole",
        arguments: [Frame.response(1, []), .error(1, .cancelled, text: ""), .progress(1, done: 0, total: 1)])
    func unsentRequest(frame: Frame) throws {
        let ends = try Ends()
        var channel = try channel(ends)
        try channel.begin(call(.unary(maxReply: 10), bytes: 1 << 20), at: TestClock.start)
        #expect(channel.flush() == .waits)
        try ends.send(frame)
        var events: [WorkerEvent] = []
        #expect(throws: ChannelFault.violation(.unknownRequest)) {
            try channel.receive(at: TestClock.start, isLast: false, into: &events)
        }
        #expect(events.isEmpty)
        // Who asked hears of it when the worker is ended.
        #expect(channel.openCalls.count == 1)
    }

    @Test("nor with the last item of a stream")
    func unsentStream() throws {
        let ends = try Ends()
        var channel = try channel(ends, streamCredit: 1)
        try channel.begin(call(.stream(maxItem: 10), bytes: 1 << 20), at: TestClock.start)
        #expect(channel.flush() == .waits)
        try ends.send(.item(1, sequence: 0, [], isLast: true))
        var events: [WorkerEvent] = []
        #expect(throws: ChannelFault.violation(.unknownRequest)) {
            try channel.receive(at: TestClock.start, isLast: false, into: &events)
        }
        #expect(events.isEmpty && channel.openCalls.count == 1)
    }

    @Test("credit that is not read does not pile up, and comes in one piece when it is")
    func unreadCredit() throws {
        let ends = try Ends()
        var channel = try channel(ends, streamCredit: 1)
        let stream = call(.stream(maxItem: 10), bytes: 0)
        try channel.begin(stream, at: TestClock.start)
        for _ in 0..<10_000 {
            channel.grant(stream, items: 1)
            _ = channel.flush()
        }
        #expect(channel.waitingFrames <= 1)
        var bytes: [UInt8] = []
        repeat { bytes += ends.read() } while channel.flush() == .waits
        bytes += ends.read()
        // Behind the welcome and the request, which has no body, there are frames of credit alone.
        let starts = stride(from: bytes.count - 24, to: 0, by: -24).prefix { bytes[$0 + 4] == 0x15 }
        let credits = starts.map { start -> Int in
            bytes[start + 16..<start + 20].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(credits.reduce(0, +) == 10_001)
    }

    @Test("what is sent is forgotten, although more waits behind it")
    func forgotten() throws {
        let ends = try Ends()
        var outbound = Outbound()
        weak var first: OpenFile?
        do {
            let descriptor = try #require(OpenFile(taking: dup(ends.worker.number), "copy"))
            first = descriptor
            outbound.append(.shutdown, [descriptor])
        }
        outbound.append(.hostError(HostCallID(number: 1), .handlerFailed, text: "no"))
        outbound.append(.request(1, MethodID(name: "act"), body: [UInt8](repeating: 1, count: 1 << 20)))
        #expect(outbound.flush(to: ends.host) == .waits)
        #expect(first == nil)
        #expect(outbound.count == 1)
    }

    @Test("a stream that has ended is forgotten with all it held")
    func endedStream() {
        weak var call: Call?
        weak var inbox: StreamInbox?
        do {
            let made = StreamInbox(window: 4)
            let begun = Call(
                Hostile.stream.signature, .stream(maxItem: 10), body: [], options: CallOptions(), deadline: nil,
                to: made)
            made.begin(begun)
            begun.end(.success([]))
            (call, inbox) = (begun, made)
        }
        #expect(call == nil)
        #expect(inbox == nil)
    }

    @Test("a stream of which some items always wait keeps no more than those")
    func longStream() async throws {
        let inbox = StreamInbox(window: 16)
        for _ in 0..<8 { inbox.receive([0]) }
        var most = 0
        for number in 0..<100_000 {
            inbox.receive([UInt8(truncatingIfNeeded: number)])
            let item = try await inbox.next().get()
            #expect(item == [number < 8 ? 0 : UInt8(truncatingIfNeeded: number - 8)])
            most = max(most, inbox.placeCount)
        }
        #expect(most < 200)
    }

    @Test("a worker that is to be killed is told of once")
    func killedOnce() throws {
        let ends = try Ends()
        var channel = try channel(ends)
        let call = call(.unary(maxReply: 10), bytes: 0)
        try channel.begin(call, at: TestClock.start)
        channel.cancel(call, because: .caller, answerBy: TestClock.at(.seconds(1)))
        #expect(channel.deadline == TestClock.at(.seconds(1)))
        var events: [WorkerEvent] = []
        #expect(try channel.check(at: TestClock.at(.seconds(1)), cancelGrace: .zero, &events) == .cancelled)
        #expect(channel.deadline == nil)
    }
}
