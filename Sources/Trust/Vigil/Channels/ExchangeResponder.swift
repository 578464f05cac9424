import CodeMeasurement
import Synchronization
import Threads

/// The validator's end of calls that take one message and answer with one (``ExchangeChannel``).
///
/// A call that begins with a brace is a question in version 1, and its own conversation.
///
/// Source: `vigil` sections 11.2 and 11.3.
public final class ExchangeResponder: Sendable {
    static let numberCount = 4
    /// What ends a conversation, and is no message of either version.
    static let end: [UInt8] = [0]
    /// Conversations of one app, with those that have ended lately.
    private static let limit = 8
    /// The same in version 1, where each question is one.
    private static let versionOneLimit = 32

    private let peer: PeerCredentials?
    private let serve: @Sendable (any MessageChannel) -> Void
    private let conversations = Mutex<[(number: [UInt8]?, channel: ServedExchange)]>([])

    /// - Parameters:
    ///   - peer: who calls, as the system tells; nil where it does not.
    ///   - serve: talks with an app until one of the two ends it, as `VigilValidatorEngine.serve(_:)`; on a thread of
    ///     its own.
    public init(peer: PeerCredentials?, serve: @escaping @Sendable (any MessageChannel) -> Void) {
        self.peer = peer
        self.serve = serve
    }

    deinit { close() }

    /// Takes one call.
    ///
    /// - Parameter reply: is called once: with the next message of the validator, with nil when the conversation is
    ///   over.
    public func exchange(_ call: [UInt8], reply: @escaping @Sendable ([UInt8]?) -> Void) {
        if VersionOne.isMessage(call) {
            guard let question = conversation(nil) else { return reply(nil) }
            return question.take(call, reply)
        }
        let number = Array(call.prefix(Self.numberCount))
        guard number.count == Self.numberCount, let conversation = conversation(number) else { return reply(nil) }
        let message = Array(call.dropFirst(Self.numberCount))
        if message == Self.end { conversation.close() }
        conversation.take(message, reply)
    }

    /// - Parameter number: nil for a new one in version 1.
    /// - Returns: nil where there are too many, or no thread can be made.
    private func conversation(_ number: [UInt8]?) -> ServedExchange? {
        conversations.withLock { known in
            if let number, let found = known.first(where: { $0.number == number }) { return found.channel }
            let alike = known.indices.filter { (known[$0].number == nil) == (number == nil) }
            if alike.count >= (number == nil ? Self.versionOneLimit : Self.limit) {
                guard let ended = alike.first(where: { known[$0].channel.isOver }) else { return nil }
                known.remove(at: ended)
            }
            let channel = ServedExchange(peer: peer)
            guard SystemThread.tryStart({ [serve] in serve(channel) }) else { return nil }
            known.append((number, channel))
            return channel
        }
    }

    /// Ends all of them: the app is gone.
    public func close() {
        for (_, channel) in conversations.withLock({ $0 }) { channel.close() }
    }
}

/// The channel that a validator serves while an app calls.
// @unchecked: everything that changes is used under the condition's lock.
private final class ServedExchange: MessageChannel, @unchecked Sendable {
    /// Messages and calls that wait, of each kind: an app has one or two calls out at a time.
    private static let limit = 16

    let peer: PeerCredentials?
    private let condition = Condition()
    private var inbox: [[UInt8]] = []
    private var outbox: [[UInt8]] = []
    private var waiting: [@Sendable ([UInt8]?) -> Void] = []
    private var isClosed = false

    init(peer: PeerCredentials?) {
        self.peer = peer
    }

    var isOver: Bool { condition.withLock { isClosed } }

    /// Takes a call; an empty message only waits.
    func take(_ message: [UInt8], _ reply: @escaping @Sendable ([UInt8]?) -> Void) {
        condition.lock()
        guard !isClosed, inbox.count < Self.limit, waiting.count < Self.limit else {
            // What was said before the end is still delivered.
            let last = isClosed && !outbox.isEmpty ? outbox.removeFirst() : nil
            condition.unlock()
            return reply(last)
        }
        if !message.isEmpty { inbox.append(message) }
        let ready = outbox.isEmpty ? nil : outbox.removeFirst()
        if ready == nil { waiting.append(reply) }
        condition.broadcast()
        condition.unlock()
        if let ready { reply(ready) }
    }

    func send(_ message: [UInt8], attachments: [Attachment], until _: Deadline) throws(ChannelError) {
        guard attachments.isEmpty else { throw .malformed("descriptors do not travel over calls") }
        condition.lock()
        guard !isClosed, outbox.count < Self.limit else {
            condition.unlock()
            throw .closed
        }
        let reply = waiting.isEmpty ? nil : waiting.removeFirst()
        if reply == nil { outbox.append(message) }
        condition.unlock()
        reply?(message)
    }

    func receive(until deadline: Deadline) throws(ChannelError) -> Received {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if !inbox.isEmpty {
                let message = inbox.removeFirst()
                guard (1...Frame.messageLimit).contains(message.count) else {
                    throw .malformed("a message of \(message.count) bytes")
                }
                return Received(message, sender: peer)
            }
            if isClosed { throw .closed }
            let left = SuspendingClock().now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            condition.wait(atMost: left)
        }
    }

    func close() {
        condition.lock()
        isClosed = true
        let rest = waiting
        waiting = []
        condition.broadcast()
        condition.unlock()
        for reply in rest { reply(nil) }
    }
}
