import ForceFieldWire
import ForceFieldWorker
import TestSupport
import Testing

/// The worker's side of a helper extension, with the host's side of the same messages.
struct HelperResponderTests {
    private static let double = Method<[Int], [Int]>("helper.double")
    private static let refuse = Method<Int, Int>("helper.refuse")
    private static let count = StreamMethod<Int, Int>("helper.count")

    private struct Told: Error, CustomStringConvertible {
        var description: String { "not today" }
    }

    private static var service: Service {
        var service = Service()
        service.handle(double) { numbers, context in
            context.log(.info, "goes nowhere")
            context.progress(done: 1, total: 2)
            return numbers.map { $0 * 2 }
        }
        service.handle(refuse) { _, _ in throw Told() }
        service.handle(count) { (most: Int, context: WorkerContext<Int>) in
            for number in 0..<most { try await context.emit(number) }
        }
        return service
    }

    /// What ``ForceField/init(helper:)`` does on Apple's systems: a message for each frame, and one frame for each
    /// answer.
    private struct Host: ~Copyable {
        let responder: HelperResponder
        var conversation: HostSideConversation

        init() throws {
            let interface = try HelperResponderTests.service.interface()
            let responder = try HelperResponder(HelperResponderTests.service)
            self.responder = responder
            conversation = HostSideConversation(ChannelTerms(interfaceHash: interface.hash))
        }

        mutating func exchange(_ bytes: [UInt8]) async throws -> WorkerMessage? {
            let answer = try #require(await responder.answer(bytes))
            return try conversation.take(message: answer, at: .now)
        }

        mutating func begin() async throws {
            guard case .hello = try await exchange([]) else {
                Issue.record("the first answer says who this is")
                return
            }
            guard let welcome = conversation.welcome() else {
                Issue.record("the host agrees")
                return
            }
            #expect(try await exchange(welcome.bytes) == nil)
        }

        mutating func call(_ method: MethodID, _ body: [UInt8]) async throws -> WorkerMessage? {
            let request = try conversation.request(method, .unary(maxReply: 1 << 20), body: body, at: .now)
            return try await exchange(request.frame.bytes)
        }
    }

    @Test("a host has its calls answered, one after the other")
    func calls() async throws {
        var host = try Host()
        try await host.begin()
        for number in 1...3 {
            let body = try MethodBody.encode([number, number * 10], raw: false)
            guard case .response(_, let reply) = try await host.call(Self.double.signature.id, body) else {
                Issue.record("the call is answered")
                return
            }
            let doubled: [Int] = try MethodBody.decode(reply, raw: false)
            #expect(doubled == [number * 2, number * 20])
        }
    }

    @Test("a request that is larger than one reading of the channel is answered")
    func largeRequest() async throws {
        var host = try Host()
        try await host.begin()
        let numbers = Array(0..<50_000)
        let body = try MethodBody.encode(numbers, raw: false)
        guard case .response(_, let reply) = try await host.call(Self.double.signature.id, body) else {
            Issue.record("the call is answered")
            return
        }
        let doubled: [Int] = try MethodBody.decode(reply, raw: false)
        #expect(doubled.last == 99_998)
    }

    @Test("what a handler throws, an unknown method, a stream and a malformed request are refused, each by its code")
    func refusals() async throws {
        var host = try Host()
        try await host.begin()
        let one = try MethodBody.encode(1, raw: false)
        let calls: [(MethodID, [UInt8], WorkerErrorCode)] = [
            (Self.refuse.signature.id, one, .handlerFailed), (MethodID(name: "helper.none"), one, .unknownMethod),
            (Self.count.signature.id, one, .unknownMethod), (Self.double.signature.id, one, .badRequest),
        ]
        for (method, body, wanted) in calls {
            guard case .error(_, let code, _) = try await host.call(method, body) else {
                Issue.record("\(wanted) is answered by an error")
                continue
            }
            #expect(code == wanted)
        }
    }

    @Test("a host of another interface, frames out of order, halves and random bytes end it for good")
    func brokenProtocol() async throws {
        let hostOfOthers = Frame.welcome(Welcome(interfaceHash: 1, maxFrame: 65_536, maxInFlight: 1)).bytes
        let request = Frame.request(1, Self.double.signature.id, body: []).bytes
        var generator = SplitMix64(state: 24)
        let random = (0..<200).map { _ in
            (0..<Int.random(in: 1...80, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        for bytes in [hostOfOthers, request, Array(hostOfOthers.dropLast()), hostOfOthers + [0]] + random {
            let responder = try HelperResponder(Self.service)
            #expect(await responder.answer([]) != nil)
            #expect(await responder.answer(bytes) == nil, "\(bytes)")
            #expect(await responder.answer([]) == nil)
        }
    }

    @Test("a shutdown is answered with a goodbye, and nothing after it")
    func shutdown() async throws {
        var host = try Host()
        try await host.begin()
        #expect(await host.responder.answer(Frame.shutdown.bytes) == Frame.goodbye.bytes)
        #expect(await host.responder.answer([]) == nil)
    }
}
