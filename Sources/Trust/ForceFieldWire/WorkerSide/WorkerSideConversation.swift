import Scheduling

/// The worker's side of the channel: reads what the host sends, and keeps what is open.
///
///     while let message = try conversation.next() { … }
///
/// The host is trusted; the checks find programs that do not fit together. Its counterpart is
/// ``HostSideConversation``.
///
/// Source: `forcefield` sections 10 and 11.
package struct WorkerSideConversation: ~Copyable, Sendable {
    private let hello: Hello
    /// Host replies and requests may carry descriptors.
    private let takesDescriptors: Bool
    var reader = FrameReader()
    private var phase = Phase.awaitingWelcome
    /// Payload bytes of a frame: the worker's own limit until the host has said less.
    package private(set) var maxFrame: Int
    private var lastRequest: UInt64 = 0
    /// Requests that have no last frame yet.
    private var requests = RisingTable<Outlet>()
    private var lastHostCall: UInt64 = 0
    private var hostCalls: [HostCallID] = []

    /// Bytes of a request's payload before its body.
    private static let requestFixed = 8

    private enum Phase: Sendable {
        case awaitingWelcome
        case serving
        case ended
    }

    /// What a stream may still send.
    private struct Outlet: Sendable {
        var sequence: UInt32 = 0
        var credit = 0
    }

    package init(_ hello: Hello, takesDescriptors: Bool = false) {
        self.hello = hello
        self.takesDescriptors = takesDescriptors
        maxFrame = min(Int(hello.maxFrame), FrameLimits.largestFrame)
    }

    package var openRequests: Int { requests.count }
    package var isInsideFrame: Bool { reader.isInsideFrame }

    /// Lets `read` add bytes that have arrived at `now`, which is asked for behind it.
    package mutating func fill<E: Error>(
        at now: @autoclosure () -> SteadyInstant, _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        try reader.fill(at: now(), read)
    }

    /// - Returns: nil while there is no whole frame.
    package mutating func next() throws(ChannelFault) -> HostMessage? {
        if let header = try reader.begin() { try admit(header) }
        guard let type = reader.header.flatMap({ FrameType(rawValue: $0.type) }),
            let frame = reader.finish(fixed: type == .request ? Self.requestFixed : 0)
        else { return nil }
        return try message(type, frame.header, fixed: frame.fixed, body: frame.body)
    }
}

// MARK: Reading

extension WorkerSideConversation {
    /// Decides on a header before its payload is waited for.
    private func admit(_ header: FrameHeader) throws(ChannelFault) {
        guard let type = FrameType(rawValue: header.type), !type.isFromWorker else { throw .violation(.badType) }
        guard header.flags == 0 else { throw .violation(.badFlags) }
        guard header.descriptors == 0 || (takesDescriptors && (type == .request || type == .hostReply)) else {
            throw .violation(.unexpectedDescriptors)
        }
        guard Int(header.length) <= type.limit(maxFrame: maxFrame) else { throw .violation(.frameTooLarge) }
        guard (phase == .awaitingWelcome) == (type == .welcome), phase != .ended else { throw .violation(.badState) }
        switch type {
        case .welcome:
            guard header.id == 0 else { throw .violation(.badHeader) }
            guard FrameVersion.isSpoken(header.aux) else { throw .versionMismatch(found: header.aux) }
        case .request:
            guard header.id == lastRequest + 1 else { throw .violation(.unknownRequest) }
        case .hostReply, .hostError:
            guard let id = HostCallID(rawValue: header.id), hostCalls.contains(id) else {
                throw .violation(.unknownRequest)
            }
            guard type == .hostError || header.aux == 0 else { throw .violation(.badHeader) }
        case .shutdown:
            guard header.id == 0, header.aux == 0 else { throw .violation(.badHeader) }
        default:
            guard header.id > 0, header.id <= lastRequest else {
                throw .violation(.unknownRequest)
            }
        }
    }

    private mutating func message(
        _ type: FrameType, _ header: FrameHeader, fixed: [UInt8], body payload: [UInt8]
    ) throws(ChannelFault) -> HostMessage {
        switch type {
        case .welcome: return .welcome(try welcome(payload))
        case .request: return .request(try request(header, fixed: fixed, body: payload))
        case .cancel: return .cancel(header.id)
        case .credit:
            guard FrameLimits.credit.contains(Int(header.aux)) else { throw .violation(.badPayload) }
            // The host may not know yet that the stream has ended.
            requests[header.id]?.credit += Int(header.aux)
            return .credit(header.id)
        case .hostReply:
            return .hostReply(try close(header), payload, descriptors: header.descriptors)
        case .hostError:
            guard let code = WorkerErrorCode(rawValue: header.aux), WireText.isValid(payload) else {
                throw .violation(.badPayload)
            }
            return .hostError(try close(header), code, String(decoding: payload, as: UTF8.self))
        default:
            phase = .ended
            return .shutdown
        }
    }

    private mutating func welcome(_ payload: [UInt8]) throws(ChannelFault) -> Welcome {
        guard let welcome = Welcome(payload: payload), Int(welcome.maxFrame) <= maxFrame else {
            throw .violation(.badPayload)
        }
        guard welcome.interfaceHash == hello.interfaceHash else {
            throw .interfaceMismatch(found: welcome.interfaceHash)
        }
        maxFrame = Int(welcome.maxFrame)
        phase = .serving
        return welcome
    }

    private mutating func request(
        _ header: FrameHeader, fixed: [UInt8], body: [UInt8]
    ) throws(ChannelFault) -> IncomingRequest {
        guard fixed.count == Self.requestFixed else { throw .violation(.badPayload) }
        var fields = PayloadFields(fixed)
        let method = MethodID(rawValue: fields.next())
        guard fields.next(UInt32.self) == 0 else { throw .violation(.badPayload) }
        lastRequest = header.id
        requests[header.id] = Outlet()
        return IncomingRequest(
            id: header.id, method: method, timeLeft: header.aux == 0 ? nil : .milliseconds(Int64(header.aux)),
            descriptors: header.descriptors, body: body)
    }

    private mutating func close(_ header: FrameHeader) throws(ChannelFault) -> HostCallID {
        guard let id = HostCallID(rawValue: header.id), let place = hostCalls.firstIndex(of: id) else {
            throw .violation(.unknownRequest)
        }
        hostCalls.remove(at: place)
        return id
    }
}

// MARK: Sending

/// A host call that is on its way.
package struct SentHostCall: Sendable {
    package let id: HostCallID
    package let frame: Frame
}

extension WorkerSideConversation {
    /// The reply that ends a request.
    ///
    /// - Returns: nil if the request is not open; an error if the reply is larger than a frame may be.
    package mutating func response(_ id: UInt64, _ body: [UInt8]) -> Frame? {
        guard requests.remove(id) != nil else { return nil }
        guard body.count <= maxFrame else {
            return .error(id, .tooLarge, text: "the reply has \(body.count) bytes, the limit is \(maxFrame)")
        }
        return .response(id, body)
    }

    /// - Returns: nil if the request is not open.
    package mutating func error(_ id: UInt64, _ code: WorkerErrorCode, text: String) -> Frame? {
        requests.remove(id) == nil ? nil : .error(id, code, text: text)
    }

    /// Items that the stream may send now.
    package func credit(of id: UInt64) -> Int { requests[id]?.credit ?? 0 }

    /// - Returns: nil without credit, if the stream is not open, or if the item is larger than a frame may be.
    package mutating func item(_ id: UInt64, _ body: [UInt8], isLast: Bool) -> Frame? {
        guard var outlet = requests[id], outlet.credit > 0, body.count <= maxFrame else { return nil }
        let frame = Frame.item(id, sequence: outlet.sequence, body, isLast: isLast)
        outlet.credit -= 1
        outlet.sequence &+= 1
        requests[id] = isLast ? nil : outlet
        return frame
    }

    /// - Returns: nil if as many calls are open as may be, or the body is larger than a host call may be.
    package mutating func hostCall(_ capability: MethodID, body: [UInt8]) -> SentHostCall? {
        guard hostCalls.count < FrameLimits.hostCalls, body.count + 8 <= FrameLimits.small else { return nil }
        lastHostCall += 1
        let id = HostCallID(number: lastHostCall)
        hostCalls.append(id)
        return SentHostCall(id: id, frame: .hostCall(id, capability, body: body))
    }
}
