import ForceFieldWire
import Scheduling

/// What a handler knows of the request that it answers, and what it can do beside answering.
///
/// Source: `forcefield` section 10.
public struct WorkerContext<Item: Encodable & Sendable>: Sendable {
    private let call: Call
    private let isRaw: Bool

    init(_ call: Call, raw: Bool) {
        self.call = call
        isRaw = raw
    }

    /// When the reply has to be there; nil for no such time. The handler's task is cancelled then.
    public var deadline: ContinuousClock.Instant? { call.deadline.map { .now + ($0 - .now) } }
    /// The host wants no reply any more, or the deadline has passed. A handler that computes sees it only after it has
    /// waited for something, say `Task.yield()`.
    public var isCancelled: Bool { Task.isCancelled }
    /// Descriptors that came with the request. They are closed with the last reference.
    public var descriptors: [ReceivedDescriptor] { call.descriptors }
    /// Calls into the host.
    public var host: HostCalls { HostCalls(channel: call.channel) }

    /// What the host's policy says to this program.
    ///
    /// - Throws: ``CodecError`` where the host says nothing, or something of another type.
    public func configuration<Value: Decodable>(as type: Value.Type = Value.self) throws(CodecError) -> Value {
        try FFV1.decode(type, from: call.channel.configuration)
    }

    /// Reports how far the work is. Reports come through at most twenty times a second; one that goes back is dropped.
    public func progress(done: UInt64, total: UInt64) { call.channel.progress(call.id, done: done, total: total) }

    /// Writes a line to the host's log, cut at 1,024 bytes. It must not hold the request's content.
    public func log(_ level: LogLevel, _ text: String) { call.channel.log(level, text) }

    /// Sends the next item. Waits until the host wants one.
    ///
    /// - Throws: ``WorkerError``, and `CancellationError` once the task is cancelled.
    public func emit(_ item: Item) async throws {
        let body: [UInt8]
        do throws(CodecError) { body = try MethodBody.encode(item, raw: isRaw) } catch {
            throw WorkerError.unencodable(error)
        }
        try await call.channel.emit(call.id, body)
    }
}

/// One request that is being answered.
struct Call: Sendable {
    let id: UInt64
    let deadline: SteadyInstant?
    let descriptors: [ReceivedDescriptor]
    let channel: any CallChannel
}

/// What a call asks of the channel to the host.
protocol CallChannel: Sendable {
    var configuration: [UInt8] { get }
    func progress(_ id: UInt64, done: UInt64, total: UInt64)
    func log(_ level: LogLevel, _ text: String)
    func emit(_ id: UInt64, _ body: [UInt8]) async throws
    func hostCall(_ capability: MethodID, _ body: [UInt8]) async throws -> HostAnswer
}

struct HostAnswer: Sendable {
    let body: [UInt8]
    let descriptors: [ReceivedDescriptor]
}
