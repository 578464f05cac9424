/// What a host says.
package enum HostMessage: Hashable, Sendable {
    case welcome(Welcome)
    case request(IncomingRequest)
    case cancel(UInt64)
    /// The stream may send more.
    case credit(UInt64)
    case hostReply(HostCallID, [UInt8], descriptors: UInt16)
    case hostError(HostCallID, WorkerErrorCode, String)
    case shutdown
}

/// A request as it has arrived.
package struct IncomingRequest: Hashable, Sendable {
    package var id: UInt64
    package var method: MethodID
    /// The time in which the reply has to be there; nil for no deadline.
    package var timeLeft: Duration?
    package var descriptors: UInt16
    package var body: [UInt8]

    package init(
        id: UInt64, method: MethodID, timeLeft: Duration?, descriptors: UInt16, body: [UInt8]
    ) {
        self.id = id
        self.method = method
        self.timeLeft = timeLeft
        self.descriptors = descriptors
        self.body = body
    }
}
