#if os(Linux)
    import CLinux
    import ForceFieldWire
    import Glibc

    /// The channel of one worker, with the calls that it has.
    struct Dialogue: ~Copyable {
        let channel: OwnedDescriptor
        private var conversation: WorkerConversation
        private let pace: Pace
        private let configuration: [UInt8]
        private let streamCredit: Int
        private var outbound = Outbound()
        private var running: [UInt64: Running] = [:]
        /// Items by call that the worker may send once it has read what waits.
        private var owedCredit: [UInt64: Int] = [:]
        /// Whether nothing more is read: the worker has closed its end, or broken the protocol.
        private(set) var isDeaf = false
        /// Whether the worker has broken the protocol.
        private var isFaulty = false
        private(set) var lastMethod: String?

        private struct Running {
            let call: Call
            let began: ContinuousClock.Instant
            /// CANCEL was sent: when the worker is killed unless it answers, nil once it is to be, and for what.
            var abandoned: (killTime: ContinuousClock.Instant?, reason: KillReason)?
        }

        /// Reads before other workers have their turn.
        private static let turn = 16
        /// Reads after the end: more than a socket holds.
        private static let lastTurn = 1_024

        init(
            _ channel: OwnedDescriptor, _ terms: ChannelTerms, pace: Pace, configuration: [UInt8], streamCredit: Int
        ) {
            self.channel = channel
            self.pace = pace
            conversation = WorkerConversation(terms)
            self.configuration = configuration
            self.streamCredit = streamCredit
        }

        /// Calls that the worker takes at a time; nil before HELLO.
        var capacity: Int? { conversation.agreed.map { Int($0.maxInFlight) } }
        var hasSaidGoodbye: Bool { conversation.hasSaidGoodbye }
        var requestsServed: Int { conversation.requestsServed }
        var openCalls: [Call] { running.sorted { $0.key < $1.key }.map(\.value.call) }
        var openCount: Int { running.count }
        var memory: Int { conversation.memory }

        // MARK: Sending

        /// - Returns: whether the call is on its way; false if the worker takes none.
        mutating func begin(_ call: Call, at now: ContinuousClock.Instant) throws(RequestRefusal) {
            let (id, frame) = try conversation.request(
                call.method, call.kind, deadlineMilliseconds: call.deadlineMilliseconds(at: now),
                descriptors: UInt16(call.descriptors.count), call.body)
            running[id] = Running(call: call, began: now)
            lastMethod = call.name
            outbound.append(frame, call.descriptors, .request(id))
            if case .stream = call.kind { grant(id, streamCredit) }
        }

        private mutating func grant(_ id: UInt64, _ items: Int) {
            if let frame = conversation.credit(id, items: UInt16(clamping: items)) { outbound.append(frame) }
        }

        /// A worker that does not read gets no credit, which would pile up.
        mutating func grant(_ call: Call, items: Int) {
            if let id = id(of: call) { owedCredit[id, default: 0] += items }
        }

        private mutating func grantOwed() {
            for (id, items) in owedCredit { grant(id, items) }
            owedCredit = [:]
        }

        /// Tells the worker that a call's reply is not waited for any more.
        mutating func abandon(_ call: Call, killAt time: ContinuousClock.Instant, _ reason: KillReason) {
            if let id = id(of: call) { abandon(id, killAt: time, reason) }
        }

        private mutating func abandon(_ id: UInt64, killAt time: ContinuousClock.Instant, _ reason: KillReason) {
            guard running[id]?.abandoned == nil, let frame = conversation.cancel(id) else { return }
            running[id]?.abandoned = (time, reason)
            outbound.append(frame)
        }

        mutating func answer(_ id: HostCallID, _ body: [UInt8], _ descriptors: [OwnedDescriptor]) {
            guard let frame = conversation.answer(id, descriptors: UInt16(descriptors.count), body) else { return }
            // An answer that is too large has become an error, on which nothing rides.
            outbound.append(frame, frame.body.count == body.count ? descriptors : [], .answer)
        }

        mutating func refuse(_ id: HostCallID, _ code: WorkerErrorCode, _ text: String) {
            if let frame = conversation.refuse(id, code, text) { outbound.append(frame, [], .answer) }
        }

        mutating func shutDown() { outbound.append(.shutdown) }

        mutating func flush() -> Outbound.Progress {
            let progress = outbound.flush(to: channel)
            guard progress == .done, !owedCredit.isEmpty else { return progress }
            grantOwed()
            return outbound.flush(to: channel)
        }

        /// Frames that wait for a worker that does not read.
        var waitingFrames: Int { outbound.count }

        private func id(of call: Call) -> UInt64? { running.first { $0.value.call === call }?.key }

        // MARK: Receiving

        /// - Parameter isLast: the worker has ended; everything that is left is read.
        mutating func receive(
            at now: ContinuousClock.Instant, isLast: Bool, into news: inout [WorkerNews]
        ) throws(ChannelFault) {
            var turns = isLast ? Self.lastTurn : Self.turn
            while !isDeaf, turns > 0 {
                turns -= 1
                var refused: Int32 = 0
                var room = 0
                var reason: Int32 = 0
                let count = conversation.fill(at: now) { space in
                    room = space.count
                    let count = clinux_receive(channel.number, space.baseAddress, space.count, &refused)
                    if count < 0 { reason = errno }
                    return max(0, count)
                }
                guard refused == 0 else { throw hear(.violation(.unexpectedDescriptors)) }
                if count == 0 {
                    if reason == EAGAIN { return }
                    isDeaf = true
                    do throws(ChannelFault) { try conversation.endOfFile(at: now) } catch { throw hear(error) }
                    return
                }
                do throws(ChannelFault) {
                    while let event = try conversation.next(at: now) {
                        try admit(event)
                        handle(event, at: now, &news)
                    }
                } catch { throw hear(error) }
                // A short read has emptied the socket.
                if count < room, !isLast { return }
            }
        }

        /// Takes note of a fault. After it nothing that the worker says counts.
        private mutating func hear(_ fault: ChannelFault) -> ChannelFault {
            isDeaf = true
            isFaulty = true
            return fault
        }

        /// Refuses what a worker that has read what it was sent would not say: else what waits for it would grow with
        /// each answer.
        private func admit(_ event: WorkerEvent) throws(ChannelFault) {
            switch event {
            case .response(let id, _), .error(let id, _, _), .item(let id, _, _), .progress(let id, _, _):
                guard !outbound.holds(request: id) else { throw .violation(.unknownRequest) }
            case .hostCall:
                guard conversation.openHostCalls + outbound.answers <= FrameLimits.hostCalls else {
                    throw .violation(.tooManyHostCalls)
                }
            case .hello, .log, .goodbye: return
            }
        }

        private mutating func handle(
            _ event: WorkerEvent, at now: ContinuousClock.Instant, _ news: inout [WorkerNews]
        ) {
            switch event {
            case .hello:
                if let welcome = conversation.welcome(configuration: configuration) { outbound.append(welcome) }
            case .response(let id, let body): close(id, .success(body), at: now, &news)
            case .error(let id, let code, let text):
                close(id, .failure(.worker(code, text: String(decoding: text, as: UTF8.self))), at: now, &news)
            case .item(let id, let body, let isLast):
                if let call = running[id]?.call, !isLast || !body.isEmpty { news.append(.item(call, body)) }
                if isLast { close(id, .success([]), at: now, &news) }
            case .progress(let id, let done, let total):
                guard let call = running[id]?.call, call.onProgress != nil else { return }
                news.append(.progress(call, CallProgress(done: done, total: total)))
            case .hostCall(let id, let capability, let body): news.append(.hostCall(id, capability, body))
            case .log(let level, let text): news.append(.log(level, text))
            case .goodbye: return
            }
        }

        private mutating func close(
            _ id: UInt64, _ result: Result<[UInt8], ForceFieldError>, at now: ContinuousClock.Instant,
            _ news: inout [WorkerNews]
        ) {
            owedCredit[id] = nil
            guard let closed = running.removeValue(forKey: id) else { return }
            if case .unary = closed.call.kind { pace.note(answerAfter: now - closed.began) }
            news.append(.answered(closed.call, result))
        }

        // MARK: Time

        var deadline: ContinuousClock.Instant? {
            var first = Earliest(isFaulty ? nil : conversation.deadline)
            for entry in running.values {
                let next = if let abandoned = entry.abandoned { abandoned.killTime } else { entry.call.deadline }
                first.add(next)
            }
            return first.time
        }

        /// - Returns: why the worker is to be killed; nil if it is not.
        mutating func check(
            at now: ContinuousClock.Instant, cancelGrace: Duration, _ news: inout [WorkerNews]
        ) throws(ChannelFault) -> KillReason? {
            var kill: KillReason?
            for (id, entry) in running {
                if let abandoned = entry.abandoned {
                    guard let time = abandoned.killTime, time <= now else { continue }
                    // Told once: what ends the worker then is not waited for here.
                    running[id]?.abandoned?.killTime = nil
                    kill = abandoned.reason
                } else if let deadline = entry.call.deadline, deadline <= now {
                    news.append(.missedDeadline(entry.call))
                    abandon(id, killAt: now + cancelGrace, .deadline)
                    if cancelGrace == .zero { kill = .deadline }
                }
            }
            if !isFaulty {
                do throws(ChannelFault) { try conversation.check(at: now) } catch { throw hear(error) }
            }
            return kill
        }
    }
#endif
