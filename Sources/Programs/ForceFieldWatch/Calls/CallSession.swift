import ForceField
import ForceFieldWire
import Glibc
import Scheduling

/// The channel of one worker: requests out, checked events in.
package final class CallSession {
    private let worker: WatchedWorker
    private var conversation: HostSideConversation
    /// Bytes that are not sent yet.
    private var outgoing: ArraySlice<UInt8> = []
    private var isChannelOpen = true
    /// Reads after the worker's end: more than a socket holds.
    private var unreadTurns = 1_024
    /// Text that the worker wrote, or logged.
    private let onText: (Text) -> Void

    package enum Text {
        case output([UInt8])
        case log(LogLevel, [UInt8])
    }

    /// How a call ended.
    package enum Outcome: Hashable {
        case reply([UInt8])
        case error(WorkerErrorCode, text: [UInt8])
        case deadline
        /// The worker ended, or was killed for what it sent.
        case ended
    }

    package init(_ worker: WatchedWorker, terms: ChannelTerms, onText: @escaping (Text) -> Void = { _ in }) {
        self.worker = worker
        self.onText = onText
        conversation = HostSideConversation(terms)
    }

    package var requestsServed: Int { conversation.requestsServed }

    /// Waits until the worker serves, and welcomes it.
    ///
    /// - Returns: whether it does.
    package func begin(within time: Duration = .seconds(2)) -> Bool {
        switch next(before: SteadyInstant.now + time) {
        case .message(.hello):
            if let welcome = conversation.welcome() { outgoing += welcome.bytes }
            return true
        case .deadline:
            worker.fail(.timeout)
            finish()
            return false
        case .message, .ended: return false
        }
    }

    /// Calls, and waits for the end of the call.
    ///
    /// - Parameters:
    ///   - deadline: nil for none. A worker that has not answered then is asked to cancel, and killed if it goes on.
    ///   - grace: between the two.
    package func call(
        _ method: MethodID, body: [UInt8], maxReply: Int, deadline: Duration?, grace: Duration = .milliseconds(250)
    ) throws(RequestRefusal) -> Outcome {
        let now = SteadyInstant.now
        let end = deadline.map { now + $0 }
        let request = try conversation.request(
            method, .unary(maxReply: maxReply), body: body, at: now, deadline: end)
        outgoing += request.frame.bytes
        if let outcome = outcome(of: request.id, before: end) { return outcome }
        return cancel(request.id, because: .deadline, grace: grace)
    }

    /// Asks the worker to give up a call, and kills it if it does not.
    private func cancel(_ id: UInt64, because reason: KillReason, grace: Duration) -> Outcome {
        if let frame = conversation.cancel(id) { outgoing += frame.bytes }
        if outcome(of: id, before: SteadyInstant.now + grace) == nil { worker.kill(.reason(reason)) }
        return .deadline
    }

    /// The caller itself has had enough, although there is time.
    ///
    /// - Returns: the worker's answer, if it came in time; nil if it was killed.
    package func callAndCancel(_ method: MethodID, grace: Duration = .milliseconds(250)) throws(RequestRefusal)
        -> Outcome?
    {
        let request = try conversation.request(method, .unary(maxReply: 1 << 16), body: [], at: .now)
        outgoing += request.frame.bytes
        if let frame = conversation.cancel(request.id) { outgoing += frame.bytes }
        if let outcome = outcome(of: request.id, before: SteadyInstant.now + grace) { return outcome }
        worker.kill(.reason(.cancelled))
        return nil
    }

    /// - Returns: nil when the time is over.
    private func outcome(of id: UInt64, before deadline: SteadyInstant?) -> Outcome? {
        while true {
            switch next(before: deadline) {
            case .message(.response(id, let body)): return .reply(body)
            case .message(.error(id, let code, let text)): return .error(code, text: text)
            case .message: continue
            case .deadline: return nil
            case .ended: return .ended
            }
        }
    }

    /// Asks the worker to end, kills it if it does not, and waits until it is gone.
    package func end(grace: Duration = .milliseconds(250)) {
        guard !worker.isBeingKilled else { return finish() }
        outgoing += Frame.shutdown.bytes
        worker.note(wasAskedToEnd: true)
        let deadline = SteadyInstant.now + grace
        while true {
            switch next(before: deadline) {
            case .ended: return
            case .deadline:
                worker.kill(.reason(.shutdown))
                return finish()
            case .message: continue
            }
        }
    }

    /// Waits until the worker is gone.
    package func finish() {
        while worker.next(before: nil) != .ended {}
        note()
    }

    private func note() {
        worker.note(openCalls: conversation.openCalls.count, saidGoodbye: conversation.hasSaidGoodbye)
    }
}

// MARK: Reading and writing

extension CallSession {
    private enum Step {
        case message(WorkerMessage)
        case deadline
        case ended
    }

    private func next(before deadline: SteadyInstant?) -> Step {
        while true {
            do {
                if let message = try conversation.next(at: .now) {
                    if case .log(let level, let text) = message { onText(.log(level, text)) }
                    return .message(message)
                }
                try conversation.check(at: .now)
                if let step = try advance(before: deadline) { return step }
            } catch {
                refuse(error)
                finish()
                return .ended
            }
        }
    }

    private func advance(before deadline: SteadyInstant?) throws(ChannelFault) -> Step? {
        let soonest = [deadline, conversation.deadline].compactMap { $0 }.min()
        let interest = (isChannelOpen ? POLLIN : 0) | (outgoing.isEmpty || !isChannelOpen ? 0 : POLLOUT)
        switch worker.next(before: soonest, channel: interest) {
        case .channelReadable: try read()
        case .channelWritable: write()
        case .output(_, let bytes): onText(.output(bytes))
        case .started, .reported: break
        case .timeout:
            if let deadline, deadline <= .now { return .deadline }
        case .ended:
            // What it sent before its end counts, also where the end was heard first.
            if isChannelOpen { return try readRest() }
            note()
            return .ended
        }
        return nil
    }

    /// Reads on until there is something to tell, or the end.
    private func readRest() throws(ChannelFault) -> Step? {
        try read()
        if isChannelOpen { unreadTurns -= 1 }
        // Another process holds the worker's end: nothing that comes from it is the worker's.
        if unreadTurns == 0 { isChannelOpen = false }
        return nil
    }

    private func read() throws(ChannelFault) {
        var count = 0
        _ = conversation.fill(at: .now) { room in
            count = recv(worker.channel, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            return max(0, count)
        }
        guard count <= 0 else { return }
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        isChannelOpen = false
        try conversation.endOfFile(at: .now)
    }

    private func write() {
        let count = outgoing.withUnsafeBytes {
            send(worker.channel, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if count > 0 { outgoing = outgoing.dropFirst(count) }
        // A worker that is gone is told by its end, not here.
        if count < 0 && errno != EAGAIN && errno != EINTR { outgoing = [] }
    }

    private func refuse(_ fault: ChannelFault) {
        switch fault {
        case .violation(let violation): worker.refuse(violation, grace: conversation.terms.closedTime)
        case .versionMismatch: worker.fail(.versionMismatch)
        case .interfaceMismatch: worker.fail(.interfaceMismatch)
        }
    }
}
