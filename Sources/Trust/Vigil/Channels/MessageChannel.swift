import BigEndian
import CodeMeasurement
import Files

/// Bytes that were sent as one message, and what the kernel told beside them.
public struct Received: Sendable {
    /// The message, without the frame around it.
    public var message: [UInt8]
    /// Descriptors that travelled with the message, in their order.
    public var attachments: [Attachment]
    /// The sender of the message; nil where the channel does not tell.
    public var sender: PeerCredentials?
    /// Is told of each time that the message is read, for tests: that is once.
    package var onReading: (@Sendable () -> Void)?

    /// - Parameter message: one whole message, without the frame around it.
    public init(_ message: [UInt8], attachments: [Attachment] = [], sender: PeerCredentials? = nil) {
        self.message = message
        self.attachments = attachments
        self.sender = sender
    }

    /// The header of the message, which tells how to read it.
    ///
    /// - Throws: ``Refusal``: `malformed`, `profileUnsupported` for another version.
    package func header() throws(Refusal) -> MessageHeader { try MessageHeader(of: message) }
}

#if os(Linux)
    /// What may travel with a message.
    public typealias Attachment = OpenFile
#else
    /// What may travel with a message: nothing on this system.
    public enum Attachment: Sendable {}
#endif

/// A way for messages between two processes: a Unix socket, the memory of one process in tests, XPC or a provider's
/// messages on Apple's systems.
///
/// Calls block the calling thread; one thread sends and receives at a time. ``close()`` may be called from any.
///
/// Source: `vigil` sections 2.4 and 7.
public protocol MessageChannel: AnyObject, Sendable {
    /// The process at the other end; nil where the channel does not know it.
    var peer: PeerCredentials? { get }

    /// - Throws: ``ChannelError``
    func send(_ message: [UInt8], attachments: [Attachment], until deadline: Deadline) throws(ChannelError)

    /// Waits for the next message.
    ///
    /// - Throws: ``ChannelError``: `timedOut` when no whole message has come by then; a part of one is kept for the
    ///   next call.
    func receive(until deadline: Deadline) throws(ChannelError) -> Received

    /// Ends it, also for a thread that waits. What was not received is lost.
    func close()
}

/// A channel that tells when there is something to receive, so that one thread may listen while others ask.
package protocol AwaitedChannel: MessageChannel {
    /// Waits until ``MessageChannel/receive(until:)`` has something to take or an end to tell of. Any thread may.
    ///
    /// - Returns: false when there was nothing by then.
    func awaitMessage(until deadline: Deadline) -> Bool
}

extension MessageChannel {
    /// Sends a message without descriptors.
    ///
    /// - Throws: ``ChannelError``
    public func send(_ message: [UInt8], until deadline: Deadline) throws(ChannelError) {
        try send(message, attachments: [], until: deadline)
    }
}

/// An instant on the clock that stands still while the machine sleeps: sleep makes no message late.
public typealias Deadline = SuspendingClock.Instant

/// Why a message was not sent or received.
public enum ChannelError: Error, Hashable, Sendable {
    case timedOut
    /// The other side is gone.
    case closed
    /// What came is no frame, or only a part of one.
    case malformed(String)
    /// The message comes from another sender than those before.
    case otherSender(String)
    /// The system refused; the text is its own.
    case failed(String)
}

extension ChannelError: CustomStringConvertible {
    /// What happened, for the log.
    public var description: String {
        switch self {
        case .timedOut: "nothing came in time"
        case .closed: "the other side has closed the connection"
        case .malformed(let what), .otherSender(let what): what
        case .failed(let reason): "the connection failed: \(reason)"
        }
    }
}

/// How messages lie one behind the other on a stream: the length in four bytes, then the message.
///
/// Source: `vigil` section 7.
package enum Frame {
    package static let headerCount = 4
    package static let messageLimit = 65_536

    static func bytes(of message: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(message.count))
        return bytes + message
    }

    static func length(_ header: [UInt8]) throws(ChannelError) -> Int {
        let length = Int(header.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard (1...messageLimit).contains(length) else {
            throw .malformed("a frame of \(length) bytes, where 1 to \(messageLimit) are allowed")
        }
        return length
    }
}
