import ForceFieldWire

/// What a worker does for its host: methods, each with what answers it.
///
///     var service = Service()
///     service.handle(Codes.decode) { request, context in try decode(request) }
///     service.handle(Codes.pages) { request, context in
///         for page in request.pages { try await context.emit(try read(page)) }
///     }
///     ForceFieldWorker.run(service)
///
/// An error that a handler throws is sent as its description, cut at 1,024 bytes: it must not hold the request's
/// content.
///
/// Source: `forcefield` section 10.
public struct Service: Sendable {
    /// Payload bytes of a frame that the worker takes: 4 KiB to 64 MiB.
    public var maxFrameBytes = FrameLimits.defaultFrame
    /// Requests that the worker takes at a time. They take turns on one thread where they wait.
    public var maxInFlight = 1
    /// Requests and answers of the host may bring descriptors. The host's policy has to grant them.
    public var takesDescriptors = false
    /// The program links Foundation and can do with one UUID for all, should the policy not grant `entropyDevice`.
    public var acceptsConstantUUID = false
    /// Runs before anything from the host is read, and before the lock where the policy locks at ready: loads what
    /// handlers need.
    public var prepare: @Sendable () throws -> Void = {}

    private var methods: [Entry] = []

    private struct Entry {
        let signature: MethodSignature
        let handler: Handler
    }

    enum Handler: Sendable {
        /// Gives the reply's body.
        case unary(@Sendable ([UInt8], Call) async throws -> [UInt8])
        case stream(@Sendable ([UInt8], Call) async throws -> Void)
    }

    /// Has no methods yet.
    public init() {}

    /// Answers a method with one reply.
    public mutating func handle<Request, Response>(
        _ method: Method<Request, Response>,
        _ handler: @escaping @Sendable (Request, WorkerContext<Never>) async throws -> Response
    ) {
        let isRaw = method.isRaw
        add(
            method.signature,
            .unary { body, call in
                let request: Request = try Self.decode(body, raw: isRaw)
                let response = try await handler(request, WorkerContext(call, raw: isRaw))
                return try MethodBody.encode(response, raw: isRaw)
            })
    }

    /// Answers a method with what the handler emits until it returns.
    public mutating func handle<Request, Item>(
        _ method: StreamMethod<Request, Item>,
        _ handler: @escaping @Sendable (Request, WorkerContext<Item>) async throws -> Void
    ) {
        let isRaw = method.isRaw
        add(
            method.signature,
            .stream { body, call in
                try await handler(try Self.decode(body, raw: isRaw), WorkerContext(call, raw: isRaw))
            })
    }

    private mutating func add(_ signature: MethodSignature, _ handler: Handler) {
        methods.append(Entry(signature: signature, handler: handler))
    }

    private static func decode<Request: Decodable>(_ body: [UInt8], raw: Bool) throws -> Request {
        do throws(CodecError) { return try MethodBody.decode(body, raw: raw) } catch { throw BadRequest(reason: error) }
    }

    /// - Throws: ``InterfaceError`` for two methods of one name, or of one hash.
    public func interface() throws(InterfaceError) -> Interface { try Interface(methods.map(\.signature)) }

    /// - Returns: nil if there is no such method.
    func handler(of method: MethodID) -> Handler? { methods.first { $0.signature.id == method }?.handler }
}

/// A request that is not of its method's type.
struct BadRequest: Error, CustomStringConvertible {
    let reason: CodecError

    /// The reason without the path, whose keys may be the request's content.
    var description: String { "the request is not of its method's type (\(reason.name))" }
}
