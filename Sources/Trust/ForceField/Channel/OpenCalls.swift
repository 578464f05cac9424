import ForceFieldWire

/// The kind of a call, with the bytes of payload that the worker may answer it with.
package enum CallKind: Hashable, Sendable {
    case unary(maxReply: Int)
    case stream(maxItem: Int)

    var limit: Int {
        switch self {
        case .unary(let limit), .stream(let limit): limit
        }
    }
}

/// The calls that one worker has open. Ids rise by 1 from 1 and are never used again.
///
/// Source: `forcefield` sections 11 and 14.
struct OpenCalls: Sendable {
    private var calls: [UInt64: Call] = [:]
    private(set) var lastID: UInt64 = 0

    struct Call: Sendable {
        let method: MethodID
        let kind: CallKind
        /// A cancelled call may still receive its one last frame.
        var isCancelled = false
        /// Items that the worker may send.
        var credit = 0
        var nextSequence: UInt32 = 0
        var progress: UInt64 = 0
        var reports: Allowance
    }

    var count: Int { calls.count }
    var ids: [UInt64] { calls.keys.sorted() }

    subscript(id: UInt64) -> Call? { calls[id] }

    mutating func open(_ method: MethodID, _ kind: CallKind, reports: Allowance) -> UInt64 {
        lastID += 1
        calls[lastID] = Call(method: method, kind: kind, reports: reports)
        return lastID
    }

    mutating func close(_ id: UInt64) { calls[id] = nil }

    /// - Returns: whether the call was open and not cancelled before.
    mutating func cancel(_ id: UInt64) -> Bool {
        guard let call = calls[id], !call.isCancelled else { return false }
        calls[id]?.isCancelled = true
        return true
    }

    /// - Returns: whether the stream is open.
    mutating func credit(_ id: UInt64, items: UInt16) -> Bool {
        guard let call = calls[id], case .stream = call.kind else { return false }
        calls[id]?.credit += Int(items)
        return true
    }

    mutating func takeItem(_ id: UInt64, isLast: Bool) {
        calls[id]?.credit -= 1
        calls[id]?.nextSequence += 1
        if isLast { close(id) }
    }

    /// - Returns: whether the report is to be passed on.
    /// - Throws: ``ChannelFault``: `badPayload` for more than all, or less than before.
    mutating func report(
        _ id: UInt64, done: UInt64, total: UInt64, at now: ContinuousClock.Instant
    ) throws(ChannelFault) -> Bool {
        guard var call = calls[id], done <= total, done >= call.progress else { throw .violation(.badPayload) }
        call.progress = done
        let passes = call.reports.take(at: now)
        calls[id] = call
        return passes
    }
}
