import Scheduling

/// Why a request is not sent.
package enum RequestRefusal: Error, Hashable, Sendable {
    /// The worker has not said HELLO yet, or has said GOODBYE already.
    case notServing
    /// The worker has as many open requests as it takes.
    case busy
    case tooLarge(bytes: Int, limit: Int)
}

/// A request that is on its way.
package struct SentRequest: Sendable {
    package let id: UInt64
    package let frame: Frame
}

/// The frames that the host sends, as far as they depend on what is open.
extension HostSideConversation {
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
    /// - Parameters:
    ///   - descriptors: that ride on the frame's first byte.
    ///   - deadline: when the reply has to be there; nil for no such time.
    ///   - caller: the host's own record of the call, which is held until the call is closed.
    package mutating func request(
        _ method: MethodID, _ kind: CallKind, body: [UInt8], descriptors: UInt16 = 0, at now: SteadyInstant,
        deadline: SteadyInstant? = nil, for caller: (any AnyObject & Sendable)? = nil
    ) throws(RequestRefusal) -> SentRequest {
        guard phase == .serving, let agreed else { throw .notServing }
        guard calls.count < Int(agreed.maxInFlight) else { throw .busy }
        let limit = Int(agreed.maxFrame) - 8
        guard body.count <= limit else { throw .tooLarge(bytes: body.count, limit: limit) }
        let id = calls.open(kind, at: now, deadline: deadline, for: caller, reports: terms.progressReports)
        let frame = Frame.request(
            id, method, body: body, descriptors: descriptors, timeLeft: deadline.map { $0 - now })
        return SentRequest(id: id, frame: frame)
    }

    /// - Parameter limit: when the worker has to have answered; nil for never.
    /// - Returns: nil if the call is not open, or has been cancelled.
    package mutating func cancel(
        _ id: UInt64, because reason: CancelReason = .caller, answerBy limit: SteadyInstant? = nil
    ) -> Frame? {
        calls.cancel(id, reason, answerBy: limit) ? .cancel(id) : nil
    }

    /// - Parameter items: at least 1.
    /// - Returns: nil if the stream is not open.
    package mutating func credit(_ id: UInt64, items: UInt16) -> Frame? {
        items > 0 && calls.credit(id, items: items) ? .credit(id, items: items) : nil
    }

    /// Keeps credit for a stream back until ``takeOwedCredit()``, so that it does not pile up as frames for a worker
    /// that does not read.
    package mutating func owe(_ id: UInt64, items: Int) { calls.owe(id, items: items) }

    /// Whether ``takeOwedCredit()`` gives anything.
    package var owesCredit: Bool { calls.owesCredit }

    /// - Returns: the frames that give streams what they are owed.
    package mutating func takeOwedCredit() -> [Frame] { calls.takeOwedCredit() }

    /// - Returns: nil if the host call is not open; an error if the body is larger than an answer may be.
    package mutating func answer(_ id: HostCallID, body: [UInt8], descriptors: UInt16 = 0) -> Frame? {
        guard endHostCall(id) else { return nil }
        guard body.count <= FrameLimits.small else {
            return .hostError(
                id, .tooLarge, text: "the answer has \(body.count) bytes, the limit is \(FrameLimits.small)")
        }
        return .hostReply(id, body: body, descriptors: descriptors)
    }

    /// - Returns: nil if the host call is not open.
    package mutating func refuse(_ id: HostCallID, _ code: WorkerErrorCode, text: String) -> Frame? {
        endHostCall(id) ? .hostError(id, code, text: text) : nil
    }
}
