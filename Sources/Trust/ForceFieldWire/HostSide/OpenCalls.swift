import Scheduling

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

/// Why a call is cancelled.
package enum CancelReason: Hashable, Sendable {
    /// The reply was not there in time.
    case deadline
    /// The caller does not wait for it any more.
    case caller
}

/// A call that a worker has.
package struct OpenCall: Sendable {
    let kind: CallKind
    package let began: SteadyInstant
    /// When the reply has to be there; nil for no such time.
    let deadline: SteadyInstant?
    /// The host's own record of the call, which is only held.
    package let caller: (any AnyObject & Sendable)?
    /// Nil as long as the reply is waited for. A cancelled call may still receive its one last frame.
    fileprivate(set) var cancellation: Cancellation?
    /// Items that the worker may send.
    fileprivate(set) var credit = 0
    /// Items that it may send once it has read what waits for it.
    fileprivate var owedCredit = 0
    fileprivate(set) var nextSequence: UInt32 = 0
    fileprivate var progress: UInt64 = 0
    fileprivate var reports: TokenBucket<SteadyInstant>

    struct Cancellation: Sendable {
        let reason: CancelReason
        /// When the worker has to have answered; nil for never, and once that time was told.
        var limit: SteadyInstant?
    }

    package var isUnary: Bool { if case .unary = kind { true } else { false } }

    /// When something is to be done about the call, if nothing arrives.
    fileprivate var due: SteadyInstant? {
        if let cancellation { cancellation.limit } else { deadline }
    }
}

/// What has not come in time.
package enum CallTimeout: Hashable, Sendable {
    /// The reply to a call, which is to be cancelled.
    case reply(UInt64)
    /// The answer to a cancelled call: told once.
    case answer(CancelReason)
}

/// The calls that one worker has open: the only table of them. Ids rise by 1 from 1 and are never used again.
///
/// Source: `forcefield` sections 11 and 14.
struct OpenCalls: Sendable {
    private var calls = RisingTable<OpenCall>()
    private(set) var lastID: UInt64 = 0
    /// Whether some stream is owed credit.
    private(set) var owesCredit = false

    var count: Int { calls.count }
    var ids: [UInt64] { calls.entries.map(\.number) }
    var callers: [any AnyObject & Sendable] { calls.entries.compactMap(\.value.caller) }

    subscript(id: UInt64) -> OpenCall? { calls[id] }

    func id(of caller: any AnyObject & Sendable) -> UInt64? {
        calls.entries.first { $0.value.caller === caller }?.number
    }

    mutating func open(
        _ kind: CallKind, at now: SteadyInstant, deadline: SteadyInstant?,
        for caller: (any AnyObject & Sendable)?, reports: TokenBucket<SteadyInstant>
    ) -> UInt64 {
        lastID += 1
        calls[lastID] = OpenCall(kind: kind, began: now, deadline: deadline, caller: caller, reports: reports)
        return lastID
    }

    mutating func close(_ id: UInt64) -> OpenCall? { calls.remove(id) }

    /// - Parameter limit: when the worker has to have answered; nil for never.
    /// - Returns: whether the call was open and not cancelled before.
    mutating func cancel(_ id: UInt64, _ reason: CancelReason, answerBy limit: SteadyInstant?) -> Bool {
        guard let place = calls.index(of: id), calls.entries[place].value.cancellation == nil else { return false }
        calls.entries[place].value.cancellation = OpenCall.Cancellation(reason: reason, limit: limit)
        return true
    }

    // MARK: Streams

    /// - Returns: whether the stream is open.
    mutating func credit(_ id: UInt64, items: UInt16) -> Bool {
        guard let place = calls.index(of: id), case .stream = calls.entries[place].value.kind else { return false }
        calls.entries[place].value.credit += Int(items)
        return true
    }

    /// Keeps credit back until ``takeOwedCredit()``.
    mutating func owe(_ id: UInt64, items: Int) {
        guard let place = calls.index(of: id), case .stream = calls.entries[place].value.kind else { return }
        calls.entries[place].value.owedCredit += items
        owesCredit = true
    }

    /// - Returns: the frames that give streams what they are owed.
    mutating func takeOwedCredit() -> [Frame] {
        guard owesCredit else { return [] }
        owesCredit = false
        var frames: [Frame] = []
        for place in calls.entries.indices where calls.entries[place].value.owedCredit > 0 {
            let items = UInt16(clamping: calls.entries[place].value.owedCredit)
            calls.entries[place].value.owedCredit -= Int(items)
            calls.entries[place].value.credit += Int(items)
            owesCredit = owesCredit || calls.entries[place].value.owedCredit > 0
            frames.append(.credit(calls.entries[place].number, items: items))
        }
        return frames
    }

    mutating func takeItem(_ id: UInt64) {
        guard let place = calls.index(of: id) else { return }
        calls.entries[place].value.credit -= 1
        // Begins anew behind the last number, on both sides.
        calls.entries[place].value.nextSequence &+= 1
    }

    // MARK: Progress

    /// - Returns: whether the report is to be passed on.
    /// - Throws: ``ChannelFault``: `badPayload` for more than all, or less than before.
    mutating func report(
        _ id: UInt64, done: UInt64, total: UInt64, at now: SteadyInstant
    ) throws(ChannelFault) -> Bool {
        guard let place = calls.index(of: id), done <= total, done >= calls.entries[place].value.progress else {
            throw .violation(.badPayload)
        }
        calls.entries[place].value.progress = done
        return calls.entries[place].value.reports.take(at: now)
    }

    // MARK: Time

    /// When ``takeTimeouts(at:)`` is due; nil for never.
    var nextDue: SteadyInstant? {
        var next: SteadyInstant?
        for entry in calls.entries {
            if let due = entry.value.due { next = next.map { min($0, due) } ?? due }
        }
        return next
    }

    /// What has not come in time. A call whose reply is late is told until it is cancelled.
    mutating func takeTimeouts(at now: SteadyInstant) -> [CallTimeout] {
        var timeouts: [CallTimeout] = []
        for place in calls.entries.indices {
            guard let due = calls.entries[place].value.due, due <= now else { continue }
            if let cancellation = calls.entries[place].value.cancellation {
                calls.entries[place].value.cancellation?.limit = nil
                timeouts.append(.answer(cancellation.reason))
            } else {
                timeouts.append(.reply(calls.entries[place].number))
            }
        }
        return timeouts
    }
}
