import ForceFieldWire
import Scheduling

/// The worker's side where the system starts and confines the process, and carries messages instead of a channel: in a
/// helper extension on Apple's systems, for the host's `ForceField(helper:)`.
///
///     let responder = try HelperResponder(service)
///     for each message of the host: reply(await responder.answer(message))
///
/// Each message brings one frame, and its answer one or none. So a handler's one reply is what reaches the host: a
/// method that streams is refused, reports and lines of the log go nowhere, and there are no host calls.
///
/// Source: `forcefield` section 22.
public actor HelperResponder {
    private let service: Service
    private let hello: Hello
    private var conversation: WorkerSideConversation
    private var welcome: Welcome?
    private var isOver = false

    /// - Throws: ``InterfaceError`` for two methods of one name, or of one hash.
    public init(_ service: Service) throws(InterfaceError) {
        self.service = service
        let hello = Hello(
            role: .linked, interfaceHash: try service.interface().hash,
            maxFrame: UInt32(clamping: service.maxFrameBytes), maxInFlight: 1)
        self.hello = hello
        conversation = WorkerSideConversation(hello)
    }

    /// Answers one message.
    ///
    /// - Parameter message: of the host; the first one is empty, and asks who this is.
    /// - Returns: the answer, empty where nothing is to be said; nil once the host has broken the protocol or has
    ///   enough: end the session then.
    public func answer(_ message: [UInt8]) async -> [UInt8]? {
        guard !isOver else { return nil }
        guard !message.isEmpty else { return welcome == nil ? Frame.hello(hello).bytes : end() }
        guard let message = try? conversation.take(message: message, at: .now) else { return end() }
        switch message {
        case .welcome(let welcome):
            self.welcome = welcome
            return []
        case .request(let request): return await reply(to: request)
        case .cancel, .credit, .hostReply, .hostError: return []
        case .shutdown:
            isOver = true
            return Frame.goodbye.bytes
        }
    }

    private func end() -> [UInt8]? {
        isOver = true
        return nil
    }

    private func reply(to request: IncomingRequest) async -> [UInt8] {
        guard case .unary(let handler)? = service.handler(of: request.method) else {
            let text = service.handler(of: request.method) == nil ? "no such method" : "a helper answers with one reply"
            return bytes(conversation.error(request.id, .unknownMethod, text: text))
        }
        let call = Call(
            id: request.id, deadline: request.timeLeft.map { SteadyInstant.now + $0 }, descriptors: [],
            channel: HelperChannel(configuration: welcome?.configuration ?? []))
        do {
            let body = try await handler(request.body, call)
            return bytes(conversation.response(request.id, body))
        } catch {
            let code: WorkerErrorCode = error is BadRequest ? .badRequest : .handlerFailed
            return bytes(conversation.error(request.id, code, text: String(describing: error)))
        }
    }

    private func bytes(_ frame: Frame?) -> [UInt8] { frame?.bytes ?? [] }
}

/// What a handler can reach of the host beside its reply: what the policy says, and nothing else.
private struct HelperChannel: CallChannel {
    let configuration: [UInt8]

    func progress(_ id: UInt64, done: UInt64, total: UInt64) {}
    func log(_ level: LogLevel, _ text: String) {}
    func emit(_ id: UInt64, _ body: [UInt8]) async throws { throw WorkerError.requestEnded }
    func hostCall(_ capability: MethodID, _ body: [UInt8]) async throws -> HostAnswer {
        throw WorkerError.tooManyHostCalls(limit: 0)
    }
}
