import ForceFieldWire

/// Why a request is not sent.
package enum RequestRefusal: Error, Hashable, Sendable {
    /// The worker has not said HELLO yet, or has said GOODBYE already.
    case notServing
    /// The worker has as many open requests as it takes.
    case busy
    case tooLarge(bytes: Int, limit: Int)
}

/// The frames that the host sends, as far as they depend on what is open.
extension WorkerConversation {
    /// The answer to HELLO.
    ///
    /// - Parameter configuration: FFV1, or nothing; at most 64 KiB with the fixed part.
    /// - Returns: nil before HELLO.
    package func welcome(configuration: [UInt8] = []) -> Frame? {
        guard var welcome = agreed else { return nil }
        welcome.configuration = configuration
        return .welcome(welcome)
    }

    /// Opens a call. A stream sends nothing until it has ``credit(_:items:)``, which may ride behind the request.
    ///
    /// - Parameter deadlineMilliseconds: until the reply has to be there; 0 for none.
    package mutating func request(
        _ method: MethodID, _ kind: CallKind, deadlineMilliseconds: UInt32 = 0, descriptors: UInt16 = 0, _ body: [UInt8]
    ) throws(RequestRefusal) -> (id: UInt64, frame: Frame) {
        guard phase == .serving, let agreed else { throw .notServing }
        guard calls.count < Int(agreed.maxInFlight) else { throw .busy }
        let limit = Int(agreed.maxFrame) - 8
        guard body.count <= limit else { throw .tooLarge(bytes: body.count, limit: limit) }
        let id = calls.open(method, kind, reports: terms.progressReports)
        lastRequest = (id, method)
        return (
            id,
            .request(id, method, deadlineMilliseconds: deadlineMilliseconds, descriptors: descriptors, body)
        )
    }

    /// - Returns: nil if the call is not open, or has been cancelled.
    package mutating func cancel(_ id: UInt64) -> Frame? { calls.cancel(id) ? .cancel(id) : nil }

    /// - Parameter items: at least 1.
    /// - Returns: nil if the stream is not open.
    package mutating func credit(_ id: UInt64, items: UInt16) -> Frame? {
        items > 0 && calls.credit(id, items: items) ? .credit(id, items: items) : nil
    }

    /// - Returns: nil if the host call is not open; an error if the body is larger than an answer may be.
    package mutating func answer(_ id: HostCallID, descriptors: UInt16 = 0, _ body: [UInt8]) -> Frame? {
        guard endHostCall(id) else { return nil }
        guard body.count <= FrameLimits.small else {
            return .hostError(id, .tooLarge, "the answer has \(body.count) bytes, the limit is \(FrameLimits.small)")
        }
        return .hostReply(id, descriptors: descriptors, body)
    }

    /// - Returns: nil if the host call is not open.
    package mutating func refuse(_ id: HostCallID, _ code: WorkerErrorCode, _ text: String) -> Frame? {
        endHostCall(id) ? .hostError(id, code, text) : nil
    }
}
