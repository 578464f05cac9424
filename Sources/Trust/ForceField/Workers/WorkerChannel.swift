#if os(Linux)
    import CLinux
    import Files
    import ForceFieldWire
    import Glibc
    import Scheduling

    /// The host's end of the channel of one worker: its socket, what waits to be sent, and the conversation, which
    /// keeps the calls that the worker has.
    struct WorkerChannel: ~Copyable {
        let socket: OpenFile
        private var conversation: HostSideConversation
        private let pace: Pace
        private let configuration: [UInt8]
        private let streamCredit: Int
        private var outbound = Outbound()
        /// Whether nothing more is read: the worker has closed its end, or broken the protocol.
        private(set) var isInputClosed = false
        /// Whether the worker has broken the protocol.
        private var isFaulty = false
        private(set) var lastMethod: String?
        private var flood = Flood()
        /// Until when nothing is read of a worker that sends more than there is time for; nil if it is.
        private(set) var pauseEnd: SteadyInstant?

        /// Reads before other workers have their turn.
        private static let turn = 16
        /// Reads after the end: more than a socket holds.
        private static let lastTurn = 1_024
        /// Frames that are dropped in one turn, before it ends.
        private static let mostDropped = 1_000

        init(
            _ socket: OpenFile, _ terms: ChannelTerms, pace: Pace, configuration: [UInt8], streamCredit: Int
        ) {
            self.socket = socket
            self.pace = pace
            conversation = HostSideConversation(terms)
            self.configuration = configuration
            self.streamCredit = streamCredit
        }

        /// Calls that the worker takes at a time; nil before HELLO.
        var capacity: Int? { conversation.agreed.map { Int($0.maxInFlight) } }
        var hasSaidGoodbye: Bool { conversation.hasSaidGoodbye }
        var requestsServed: Int { conversation.requestsServed }
        var openCalls: [Call] { conversation.callers.compactMap { $0 as? Call } }
        var openCount: Int { conversation.openCount }
        var memory: Int { conversation.memory }

        // MARK: Sending

        /// - Throws: ``RequestRefusal`` if the worker takes no call, or not this one.
        mutating func begin(_ call: Call, at now: SteadyInstant) throws(RequestRefusal) {
            let request = try conversation.request(
                call.method, call.kind, body: call.body, descriptors: UInt16(call.descriptors.count), at: now,
                deadline: call.deadline, for: call)
            lastMethod = call.name
            outbound.append(request.frame, call.descriptors, for: .request(request.id))
            guard case .stream = call.kind else { return }
            if let frame = conversation.credit(request.id, items: UInt16(clamping: streamCredit)) {
                outbound.append(frame)
            }
        }

        /// Lets a stream go on once the worker has read what waits for it: credit would pile up for one that does not
        /// read.
        mutating func grant(_ call: Call, items: Int) {
            if let id = conversation.id(of: call) { conversation.owe(id, items: items) }
        }

        /// Tells the worker that a call's reply is not waited for any more.
        mutating func cancel(_ call: Call, because reason: CancelReason, answerBy limit: SteadyInstant) {
            if let id = conversation.id(of: call) { cancel(id, because: reason, answerBy: limit) }
        }

        private mutating func cancel(
            _ id: UInt64, because reason: CancelReason, answerBy limit: SteadyInstant
        ) {
            if let frame = conversation.cancel(id, because: reason, answerBy: limit) { outbound.append(frame) }
        }

        mutating func answer(_ id: HostCallID, body: [UInt8], descriptors: [OpenFile]) {
            guard let frame = conversation.answer(id, body: body, descriptors: UInt16(descriptors.count)) else {
                return
            }
            // An answer that is too large has become an error, on which nothing rides.
            outbound.append(frame, frame.body.count == body.count ? descriptors : [], for: .answer)
        }

        mutating func refuse(_ id: HostCallID, _ code: WorkerErrorCode, text: String) {
            if let frame = conversation.refuse(id, code, text: text) { outbound.append(frame, for: .answer) }
        }

        mutating func shutDown() { outbound.append(.shutdown) }

        mutating func flush() -> Outbound.Progress {
            let progress = outbound.flush(to: socket)
            guard progress == .done, conversation.owesCredit else { return progress }
            for frame in conversation.takeOwedCredit() { outbound.append(frame) }
            return outbound.flush(to: socket)
        }

        /// Frames that wait for a worker that does not read.
        var waitingFrames: Int { outbound.count }

        // MARK: Receiving

        /// - Parameter isLast: the worker has ended; everything that is left is read.
        mutating func receive(
            at now: SteadyInstant, isLast: Bool, into events: inout [WorkerEvent]
        ) throws(ChannelFault) {
            let before = conversation.droppedFrames
            do throws(ChannelFault) { try read(at: now, isLast: isLast, into: &events) } catch {
                throw close(for: error)
            }
            let dropped = conversation.droppedFrames - before
            if dropped > 0 { pauseEnd = flood.drop(units: dropped, at: now) ?? pauseEnd }
        }

        /// Goes on reading, if it is time to.
        mutating func endPause(at now: SteadyInstant) {
            if let end = pauseEnd, end <= now { pauseEnd = nil }
        }

        private mutating func read(
            at now: SteadyInstant, isLast: Bool, into events: inout [WorkerEvent]
        ) throws(ChannelFault) {
            var turns = isLast ? Self.lastTurn : Self.turn
            let enough = isLast ? Int.max : conversation.droppedFrames + Self.mostDropped
            while !isInputClosed, turns > 0, conversation.droppedFrames < enough {
                turns -= 1
                var refused: Int32 = 0
                var room = 0
                var reason: Int32 = 0
                let count = conversation.fill(at: now) { space in
                    room = space.count
                    let count = clinux_receive(socket.number, space.baseAddress, space.count, &refused)
                    if count < 0 { reason = errno }
                    return max(0, count)
                }
                guard refused == 0 else { throw .violation(.unexpectedDescriptors) }
                if count == 0 {
                    if reason == EAGAIN { return }
                    isInputClosed = true
                    return try conversation.endOfFile(at: now)
                }
                while let message = try conversation.next(at: now, sentUpTo: outbound.lastSentRequest) {
                    try admit(message)
                    handle(message, at: now, &events)
                }
                // A short read has emptied the socket.
                if count < room, !isLast { return }
            }
        }

        /// Takes note of a fault. After it nothing that the worker sends counts.
        private mutating func close(for fault: ChannelFault) -> ChannelFault {
            isInputClosed = true
            isFaulty = true
            return fault
        }

        /// Refuses what a worker that has read what it was sent would not send: else what waits for it would grow with
        /// each answer.
        private func admit(_ message: WorkerMessage) throws(ChannelFault) {
            guard case .hostCall = message else { return }
            guard conversation.openHostCalls + outbound.answers <= FrameLimits.hostCalls else {
                throw .violation(.tooManyHostCalls)
            }
        }

        private mutating func handle(
            _ message: WorkerMessage, at now: SteadyInstant, _ events: inout [WorkerEvent]
        ) {
            switch message {
            case .hello:
                if let welcome = conversation.welcome(configuration: configuration) { outbound.append(welcome) }
            case .response(_, let body): end(.success(body), at: now, &events)
            case .error(_, let code, let text):
                end(.failure(.worker(code, text: String(decoding: text, as: UTF8.self))), at: now, &events)
            case .item(let id, let body, isLast: false):
                if let call = call(id) { events.append(.item(call, body)) }
            case .item(_, let body, isLast: true): endStream(body, &events)
            case .progress(let id, let done, let total):
                guard let call = call(id), call.onProgress != nil else { return }
                events.append(.progress(call, CallProgress(done: done, total: total)))
            case .hostCall(let id, let capability, let body): events.append(.hostCall(id, capability, body))
            case .log(let level, let text): events.append(.log(level, text))
            case .goodbye: return
            }
        }

        private func call(_ id: UInt64) -> Call? { conversation.caller(of: id) as? Call }

        /// The call that the last message has ended.
        private mutating func end(
            _ result: Result<[UInt8], ForceFieldError>, at now: SteadyInstant, _ events: inout [WorkerEvent]
        ) {
            guard let ended = conversation.takeEnded(), let call = ended.caller as? Call else { return }
            if ended.isUnary { pace.note(answerAfter: now - ended.began) }
            events.append(.answered(call, result))
        }

        /// - Parameter last: the last item, which is none if it is empty.
        private mutating func endStream(_ last: [UInt8], _ events: inout [WorkerEvent]) {
            guard let call = conversation.takeEnded()?.caller as? Call else { return }
            if !last.isEmpty { events.append(.item(call, last)) }
            events.append(.answered(call, .success([])))
        }

        // MARK: Time

        var deadline: SteadyInstant? {
            var first = Earliest(isFaulty ? nil : conversation.deadline)
            first.add(conversation.callDeadline)
            first.add(pauseEnd)
            return first.time
        }

        /// - Returns: why the worker is to be killed; nil if it is not.
        mutating func check(
            at now: SteadyInstant, cancelGrace: Duration, _ events: inout [WorkerEvent]
        ) throws(ChannelFault) -> KillReason? {
            var kill: KillReason?
            for timeout in conversation.takeTimeouts(at: now) {
                switch timeout {
                case .answer(let reason): kill = KillReason(reason)
                case .reply(let id):
                    if let call = call(id) { events.append(.missedDeadline(call)) }
                    cancel(id, because: .deadline, answerBy: now + cancelGrace)
                    if cancelGrace == .zero { kill = .deadline }
                }
            }
            if !isFaulty {
                do throws(ChannelFault) { try conversation.check(at: now) } catch { throw close(for: error) }
            }
            return kill
        }
    }

    extension KillReason {
        init(_ reason: CancelReason) {
            switch reason {
            case .deadline: self = .deadline
            case .caller: self = .cancelled
            }
        }
    }
#endif
