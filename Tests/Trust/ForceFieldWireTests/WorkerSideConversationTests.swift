@_spi(Fuzzing) import ForceFieldWire
import TestSupport
import Testing

@Suite("WorkerSideConversation: the worker's side")
struct WorkerSideConversationTests {
    private static let hello = Hello(role: .linked, interfaceHash: 7, maxFrame: 1 << 20, maxInFlight: 2)
    private static let welcome = Frame.welcome(Welcome(interfaceHash: 7, maxFrame: 1 << 16, maxInFlight: 1))
    private static let echo = MethodID(name: "echo")

    /// Everything that the host says in `bytes`, given in pieces.
    private func messages(
        _ bytes: [UInt8], piece: Int = .max, to worker: inout WorkerSideConversation
    ) throws -> [HostMessage] {
        var (messages, rest) = ([HostMessage](), bytes[...])
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(
                worker.fill(at: .now) { room in
                    room.copyBytes(from: part.prefix(room.count))
                    return min(part.count, room.count)
                })
            while let message = try worker.next() { messages.append(message) }
        }
        return messages
    }

    private func fault(_ frames: [Frame], takesDescriptors: Bool = false) -> ChannelFault? {
        var worker = WorkerSideConversation(Self.hello, takesDescriptors: takesDescriptors)
        do { _ = try messages(frames.flatMap(\.bytes), to: &worker) } catch { return error as? ChannelFault }
        return nil
    }

    @Test("a worker reads the same frames wherever the stream is cut")
    func cut() throws {
        let bytes = [
            Self.welcome, .request(1, Self.echo, body: [1, 2, 3], timeLeft: .milliseconds(9)), .credit(1, items: 2),
            .cancel(1),
            .shutdown,
        ].flatMap(\.bytes)
        var whole = WorkerSideConversation(Self.hello)
        let expected = try messages(bytes, to: &whole)
        #expect(expected.count == 5)
        #expect(
            expected[1]
                == .request(
                    IncomingRequest(
                        id: 1, method: Self.echo, timeLeft: .milliseconds(9), descriptors: 0, body: [1, 2, 3]))
        )
        for piece in 1...bytes.count {
            var worker = WorkerSideConversation(Self.hello)
            #expect(try messages(bytes, piece: piece, to: &worker) == expected)
        }
    }

    @Test("a stream sends as many items as it has credit for, and none after its last")
    func credit() throws {
        var worker = WorkerSideConversation(Self.hello)
        _ = try messages((Self.welcome.bytes + Frame.request(1, Self.echo, body: []).bytes), to: &worker)
        #expect(worker.item(1, [1], isLast: false) == nil)
        _ = try messages(Frame.credit(1, items: 2).bytes, to: &worker)
        #expect(worker.item(1, [1], isLast: false) == .item(1, sequence: 0, [1], isLast: false))
        #expect(worker.item(1, [2], isLast: true) == .item(1, sequence: 1, [2], isLast: true))
        #expect(worker.item(1, [3], isLast: true) == nil)
        #expect(worker.openRequests == 0)
        #expect(try messages(Frame.credit(1, items: 9).bytes, to: &worker) == [.credit(1)])
    }

    @Test("a request has one reply; one that is too large becomes an error")
    func response() throws {
        var worker = WorkerSideConversation(Self.hello)
        _ = try messages((Self.welcome.bytes + Frame.request(1, Self.echo, body: []).bytes), to: &worker)
        let large = worker.response(1, Array(repeating: 0, count: (1 << 16) + 1))
        #expect(large?.head[4] == FrameType.error.rawValue)
        #expect(worker.response(1, []) == nil)
    }

    @Test("eight host calls may be open, and each has one answer")
    func hostCalls() throws {
        var worker = WorkerSideConversation(Self.hello)
        _ = try messages(Self.welcome.bytes, to: &worker)
        for number in 1...8 { #expect(worker.hostCall(Self.echo, body: [])?.id == HostCallID(number: UInt64(number))) }
        #expect(worker.hostCall(Self.echo, body: []) == nil)
        let answers =
            Frame.hostReply(HostCallID(number: 3), body: [5]).bytes
            + Frame.hostError(HostCallID(number: 1), .busy, text: "no").bytes
        #expect(
            try messages(answers, to: &worker) == [
                .hostReply(HostCallID(number: 3), [5], descriptors: 0), .hostError(HostCallID(number: 1), .busy, "no"),
            ])
        #expect(throws: ChannelFault.violation(.unknownRequest)) {
            try messages(Frame.hostReply(HostCallID(number: 3), body: []).bytes, to: &worker)
        }
    }

    @Test("a host that does not fit is refused")
    func refusals() {
        #expect(
            fault([.welcome(Welcome(interfaceHash: 8, maxFrame: 1 << 16, maxInFlight: 1))])
                == .interfaceMismatch(found: 8))
        #expect(
            fault([.welcome(Welcome(interfaceHash: 7, maxFrame: 1 << 21, maxInFlight: 1))]) == .violation(.badPayload))
        #expect(fault([.shutdown]) == .violation(.badState))
        #expect(fault([Self.welcome, Self.welcome]) == .violation(.badState))
        #expect(fault([Self.welcome, .request(2, Self.echo, body: [])]) == .violation(.unknownRequest))
        #expect(fault([Self.welcome, .cancel(1)]) == .violation(.unknownRequest))
        #expect(fault([Self.welcome, .goodbye]) == .violation(.badType))
        #expect(fault([Self.welcome, .shutdown, .shutdown]) == .violation(.badState))
        let withDescriptor = Frame.request(1, Self.echo, body: [], descriptors: 1)
        #expect(fault([Self.welcome, withDescriptor]) == .violation(.unexpectedDescriptors))
        #expect(fault([Self.welcome, withDescriptor], takesDescriptors: true) == nil)
    }

    @Test("texts are cut between two characters")
    func texts() {
        let text = String(repeating: "x", count: 1_023) + "é"
        #expect(WireText.bytes(text).count == 1_023)
        #expect(WireText.bytes(String(repeating: "é", count: 512)).count == 1_024)
    }

    @Test("random and changed bytes never trap")
    func fuzz() {
        var random = SplitMix64(state: 5)
        let good = [Self.welcome, .request(1, Self.echo, body: [1]), .credit(1, items: 2), .shutdown].flatMap(\.bytes)
        for _ in 0..<5_000 {
            let bytes = good.flipping(bit: Int.random(in: 0..<good.count * 8, using: &random))
            OutsideWireBytes.fromHost(bytes, piece: Int.random(in: 1..<40, using: &random))
        }
    }
}
