/// A message of version 2 of the protocol, as a value.
package protocol WireMessage: Hashable, Sendable {
    static var type: MessageType { get }
    /// The sides that may send it.
    static var senders: Set<Role> { get }
    /// Bytes of the whole message; nil where its own fields say so.
    static var length: Int? { get }
    /// Bytes at its end that prove who made it: signatures or a code.
    static var proofLength: Int { get }

    /// Reads the fields behind the header. ``Sent/init(_:)`` checks header, length and end.
    init(reading fields: inout FieldReader) throws(Refusal)

    /// The message as it is sent.
    var bytes: [UInt8] { get }
}

extension WireMessage {
    package static var length: Int? { nil }
    package static var proofLength: Int { 0 }
}

/// A message together with the exact bytes that were sent or received: those are what signatures and digests are over.
///
/// Each message is read once in the process that receives it, by ``init(_:)``, and never in the process that made it;
/// from then on this travels, and not bytes that would have to be read again.
package struct Sent<Message: WireMessage>: Hashable, Sendable {
    package let message: Message
    package let bytes: [UInt8]

    /// Takes a message that this process has made, complete with its proof.
    init(made message: Message) {
        self.message = message
        bytes = message.bytes
    }

    /// Reads a message that was received. The descriptors that came with it are the caller's matter.
    ///
    /// - Throws: ``Refusal``: `profileUnsupported` for another version of the protocol or an unknown profile, else
    ///   `malformed`.
    package init(_ received: Received) throws(Refusal) {
        received.onReading?()
        var fields = try FieldReader(
            received.message, type: Message.type, from: Message.senders, length: Message.length)
        message = try Message(reading: &fields)
        try fields.end()
        bytes = received.message
    }

    /// All bytes but the proof at the end, which is made over them.
    package var unsigned: [UInt8] { Array(bytes.dropLast(Message.proofLength)) }
}
