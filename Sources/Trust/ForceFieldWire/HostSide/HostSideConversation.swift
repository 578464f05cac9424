import Scheduling

/// The host's side of a worker's channel: reads what the worker sends, refuses what `forcefield` section 14 forbids,
/// and keeps what is open.
///
///     _ = conversation.fill(at: now) { read(channel, $0.baseAddress, $0.count) }
///     while let message = try conversation.next(at: now) { … }
///
/// After it has thrown nothing more is read: the worker is killed, and its open calls fail. Memory is bounded by the
/// terms, whatever arrives: a frame is refused by its header, before its payload is waited for. Its counterpart is
/// ``WorkerSideConversation``.
///
/// Source: `forcefield` sections 11 and 14.
package struct HostSideConversation: ~Copyable, Sendable {
    package let terms: ChannelTerms
    var reader = FrameReader()
    private(set) var phase = Phase.awaitingHello
    var calls = OpenCalls()
    /// The call that the last message ended, until it is taken or the next message is read.
    private var ended: OpenCall?
    private var hostCalls: Set<HostCallID> = []
    private var lastHostCall: UInt64 = 0
    private var logLines: TokenBucket<SteadyInstant>
    private var channelEnded: SteadyInstant?
    /// What both sides agreed on; nil before HELLO.
    package private(set) var agreed: Welcome?
    package private(set) var requestsServed = 0
    /// Lines of the log and reports of progress that came too fast and were not passed on.
    package private(set) var droppedFrames = 0

    enum Phase: Sendable {
        case awaitingHello
        case serving
        case ended
    }

    package init(_ terms: ChannelTerms) {
        self.terms = terms
        logLines = terms.logLines
    }

    package var openCalls: [UInt64] { calls.ids }
    package var openCount: Int { calls.count }
    /// What the open calls were made for, in the order in which they were made; and behind them the one whose end was
    /// read and not taken.
    package var callers: [any AnyObject & Sendable] { calls.callers + [ended?.caller].compactMap(\.self) }
    package var openHostCalls: Int { hostCalls.count }
    package var hasSaidGoodbye: Bool { phase == .ended }
    /// Bytes of memory for what has arrived and not been passed on.
    package var memory: Int { reader.memory }

    /// Lets `read` add bytes that arrived at `now`. Messages are taken until there are none before more is
    /// added.
    ///
    /// - Returns: what `read` returned: the bytes it has written.
    package mutating func fill<E: Error>(
        at now: SteadyInstant, _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        try reader.fill(at: now, read)
    }

    /// - Parameter sent: the last request that was sent whole: no later one can have been read, and answered.
    /// - Returns: nil while there is no whole frame.
    package mutating func next(
        at now: SteadyInstant, sentUpTo sent: UInt64 = .max
    ) throws(ChannelFault) -> WorkerMessage? {
        ended = nil
        while true {
            if let header = try reader.begin() { try admit(header, sentUpTo: sent) }
            guard let frame = reader.finish(), let type = FrameType(rawValue: frame.header.type) else { return nil }
            if let message = try message(type, frame.header, payload: frame.body, at: now) { return message }
        }
    }

    // MARK: Calls

    /// - Returns: the call that the last message ended; nil if it ended none, or was taken.
    package mutating func takeEnded() -> OpenCall? {
        defer { ended = nil }
        return ended
    }

    /// The caller of an open call.
    package func caller(of id: UInt64) -> (any AnyObject & Sendable)? { calls[id]?.caller }

    /// The id of the open call that was made for `caller`.
    package func id(of caller: any AnyObject & Sendable) -> UInt64? { calls.id(of: caller) }

    /// When ``takeTimeouts(at:)`` is due if nothing arrives; nil for never.
    package var callDeadline: SteadyInstant? { calls.nextDue }

    /// What has not come in time.
    package mutating func takeTimeouts(at now: SteadyInstant) -> [CallTimeout] {
        calls.takeTimeouts(at: now)
    }

    // MARK: The end of the channel

    /// The worker has closed the channel. Its process should end now.
    ///
    /// - Throws: ``ChannelFault``: `truncated` inside a frame.
    package mutating func endOfFile(at now: SteadyInstant) throws(ChannelFault) {
        guard !reader.isInsideFrame else { throw .violation(.truncated) }
        if channelEnded == nil { channelEnded = now }
    }

    /// When ``check(at:)`` is due if nothing arrives; nil for never.
    package var deadline: SteadyInstant? {
        channelEnded.map { $0 + terms.closedTime } ?? reader.frameBegan.map { $0 + terms.frameTime }
    }

    /// What a look may come too late and be one still.
    private static let lateness = Duration.milliseconds(250)

    /// Refuses what has not come in time. Where this host was away when it was due, as a machine is that sleeps or a
    /// process that was stopped, nobody knows whether it has: the time begins anew.
    ///
    /// - Throws: ``ChannelFault``: `stalled`, or `channelClosed` where the process runs on.
    package mutating func check(at now: SteadyInstant) throws(ChannelFault) {
        guard let deadline, now >= deadline else { return }
        guard now < deadline + Self.lateness else {
            if channelEnded != nil { channelEnded = now } else { reader.restartClock(at: now) }
            return
        }
        throw .violation(channelEnded == nil ? .stalled : .channelClosed)
    }
}

// MARK: What a header may say

extension HostSideConversation {
    /// The checks of `forcefield` section 14, in its order, that need no payload.
    private func admit(_ header: FrameHeader, sentUpTo sent: UInt64) throws(ChannelFault) {
        guard let type = FrameType(rawValue: header.type), type.isFromWorker else { throw .violation(.badType) }
        guard header.flags == 0 || (type == .item && header.flags == FrameHeader.end) else {
            throw .violation(.badFlags)
        }
        guard header.descriptors == 0 else { throw .violation(.unexpectedDescriptors) }
        let call = calls[header.id]
        guard Int(header.length) <= limit(type, of: call) else { throw .violation(.frameTooLarge) }
        try admitZeros(type, header)
        try admitState(type, of: call)
        try admitID(type, header, of: call, sentUpTo: sent)
    }

    /// Payload bytes that a frame may have.
    private func limit(_ type: FrameType, of call: OpenCall?) -> Int {
        let limit = type.limit(maxFrame: agreed.map { Int($0.maxFrame) } ?? terms.maxFrame)
        guard type == .response || type == .item else { return limit }
        return min(limit, call?.kind.limit ?? terms.maxReply)
    }

    private func admitZeros(_ type: FrameType, _ header: FrameHeader) throws(ChannelFault) {
        let isZero =
            switch type {
            case .hello, .log: header.id == 0
            case .goodbye: header.id == 0 && header.aux == 0
            case .response, .progress, .hostCall: header.aux == 0
            default: true
            }
        guard isZero else { throw .violation(.badHeader) }
    }

    private func admitState(_ type: FrameType, of call: OpenCall?) throws(ChannelFault) {
        guard (phase == .awaitingHello) == (type == .hello), phase != .ended else { throw .violation(.badState) }
        switch (type, call?.kind) {
        case (.item, .unary), (.response, .stream): throw .violation(.badState)
        // A worker that may leave a call would choose how its end is judged.
        case (.goodbye, _) where calls.count > 0: throw .violation(.badState)
        default: return
        }
    }

    private func admitID(
        _ type: FrameType, _ header: FrameHeader, of call: OpenCall?, sentUpTo sent: UInt64
    ) throws(ChannelFault) {
        switch type {
        case .hello, .log, .goodbye: return
        case .hostCall:
            guard let id = HostCallID(rawValue: header.id), id.number == lastHostCall + 1 else {
                throw .violation(.unknownRequest)
            }
        default:
            guard let call, header.id <= sent else { throw .violation(.unknownRequest) }
            guard type != .item || (call.credit > 0 && call.nextSequence == header.aux) else {
                throw .violation(.badStream)
            }
        }
    }
}

// MARK: What a payload may say

extension HostSideConversation {
    /// - Returns: nil for what came too fast and is not passed on.
    private mutating func message(
        _ type: FrameType, _ header: FrameHeader, payload: [UInt8], at now: SteadyInstant
    ) throws(ChannelFault) -> WorkerMessage? {
        switch type {
        case .hello: return .hello(try agree(header, payload))
        case .response:
            close(header.id)
            return .response(header.id, payload)
        case .error:
            guard let code = WorkerErrorCode(rawValue: header.aux), WireText.isValid(payload) else {
                throw .violation(.badPayload)
            }
            close(header.id)
            return .error(header.id, code, text: payload)
        case .item:
            let isLast = header.flags == FrameHeader.end
            calls.takeItem(header.id)
            if isLast { close(header.id) }
            return .item(header.id, payload, isLast: isLast)
        case .progress: return try progress(header.id, payload, at: now)
        case .hostCall: return try hostCall(header, payload)
        case .log:
            guard let level = LogLevel(rawValue: header.aux), WireText.isValid(payload) else {
                throw .violation(.badPayload)
            }
            guard logLines.take(at: now) else {
                droppedFrames += 1
                return nil
            }
            return .log(level, payload)
        default:
            phase = .ended
            return .goodbye
        }
    }

    private mutating func close(_ id: UInt64) {
        ended = calls.close(id)
        requestsServed += 1
    }

    private mutating func agree(_ header: FrameHeader, _ payload: [UInt8]) throws(ChannelFault) -> Hello {
        guard let hello = Hello(payload: payload) else { throw .violation(.badPayload) }
        guard FrameVersion.isSpoken(header.aux) else { throw .versionMismatch(found: header.aux) }
        let hash = terms.interfaceHash ?? hello.interfaceHash
        guard hello.interfaceHash == hash else { throw .interfaceMismatch(found: hello.interfaceHash) }
        agreed = Welcome(
            interfaceHash: hash, maxFrame: min(hello.maxFrame, UInt32(clamping: terms.maxFrame)),
            maxInFlight: min(hello.maxInFlight, UInt32(clamping: terms.maxInFlight)))
        phase = .serving
        return hello
    }

    private mutating func progress(
        _ id: UInt64, _ payload: [UInt8], at now: SteadyInstant
    ) throws(ChannelFault) -> WorkerMessage? {
        guard payload.count == 16 else { throw .violation(.badPayload) }
        var fields = PayloadFields(payload)
        let (done, total) = (fields.next(UInt64.self), fields.next(UInt64.self))
        guard try calls.report(id, done: done, total: total, at: now) else {
            droppedFrames += 1
            return nil
        }
        return .progress(id, done: done, total: total)
    }

    private mutating func hostCall(_ header: FrameHeader, _ payload: [UInt8]) throws(ChannelFault) -> WorkerMessage {
        guard payload.count >= 8, let id = HostCallID(rawValue: header.id) else { throw .violation(.badPayload) }
        var fields = PayloadFields(payload)
        let capability = MethodID(rawValue: fields.next())
        guard fields.next(UInt32.self) == 0 else { throw .violation(.badPayload) }
        guard terms.capabilities.contains(capability) else { throw .violation(.capabilityDenied) }
        guard hostCalls.count < FrameLimits.hostCalls else { throw .violation(.tooManyHostCalls) }
        lastHostCall = id.number
        hostCalls.insert(id)
        return .hostCall(id, capability, Array(payload[8...]))
    }

    /// - Returns: whether the host call was open, which it is no more.
    mutating func endHostCall(_ id: HostCallID) -> Bool { hostCalls.remove(id) != nil }
}
