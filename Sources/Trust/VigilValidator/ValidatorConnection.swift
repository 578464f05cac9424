import CodeMeasurement
import HardwareKeys
import Vigil

/// One app's conversation with a validator, as a state machine: what comes in goes through ``receive(_:at:)``, the time
/// through ``advance(to:)``, and both tell what is to be sent. It waits for nothing and sends nothing itself.
///
///     challenged ── request ──▶ valid ◀──▶ revalidating
///         │                       │ finding, silence, end of the session
///         └── anything wrong ──▶ closed
///
/// Where version 1 of the protocol is spoken, the validator listens for a short while before it challenges: an app of
/// version 1 speaks first.
///
/// Source: `vigil` section 7.8.
struct ValidatorConnection {
    enum State {
        /// Nothing was said yet. An app of version 1 speaks first; one that is silent until then is challenged.
        case listening(until: Deadline)
        /// The app has asked in version 1 whether the validator is there, and may ask for more until then.
        case versionOne(until: Deadline)
        /// A challenge is out, and waits for its answer until then.
        case challenged(ValidatorHandshake, until: Deadline)
        /// A positive verdict was given.
        case valid(Validity)
        case closed
    }

    /// What is to be done, in the order of the list: a verdict is recorded before it is sent.
    enum Action {
        case send([UInt8])
        case sendWithHandles([UInt8])
        case record(Verdict)
        case close
        /// Reports the finding that has ended the session.
        case find(Refusal)
    }

    let services: ValidatorServices
    let peer: any InspectedPeer
    let lastIdentity: LastIdentity
    /// The user whom the app runs as.
    let user: UInt32
    var state: State = .closed

    init(_ services: ValidatorServices, _ peer: any InspectedPeer, identity: ProcessIdentity?, user: UInt32) {
        self.services = services
        self.peer = peer
        lastIdentity = LastIdentity(identity)
        self.user = user
    }

    /// The identity of the app, for the log.
    var identity: ProcessIdentity? { lastIdentity.value }

    /// Whether a positive verdict stands.
    var isValid: Bool { if case .valid = state { true } else { false } }

    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// When ``advance(to:)`` has to be called next.
    var nextDeadline: Deadline? {
        switch state {
        case .listening(let end), .versionOne(let end), .challenged(_, let end): end
        case .valid(let validity): min(validity.end, validity.expiry, validity.nextScan)
        case .closed: nil
        }
    }

    /// Opens the conversation.
    mutating func begin(at now: Deadline) -> [Action] {
        guard services.versionOneHashes != nil else { return challenge(at: now) }
        state = .listening(until: now.advanced(by: services.policy.firstWordTime))
        return []
    }

    private mutating func challenge(at now: Deadline) -> [Action] {
        do throws(Refusal) {
            let handshake = try services.handshake()
            state = .challenged(handshake, until: now.advanced(by: services.policy.stateTime))
            return [.sendWithHandles(handshake.challenge.bytes)]
        } catch {
            return end(error)
        }
    }

    /// Takes a message. What the time has brought comes first: an app that sends without a pause is looked at
    /// nevertheless.
    mutating func receive(_ received: Received, at now: Deadline) -> [Action] {
        guard let deadline = nextDeadline else { return [] }
        // Not the challenge, which an app of version 1 would take for the answer to what it has just asked.
        let isFirstOfVersionOne = if case .listening = state { VersionOne.isMessage(received.message) } else { false }
        let due = now < deadline || isFirstOfVersionOne ? [] : advance(to: now)
        return isClosed ? due : due + answer(received, at: now)
    }

    private mutating func answer(_ received: Received, at now: Deadline) -> [Action] {
        if received.message == Ping.request, received.attachments.isEmpty { return ping(at: now) }
        switch state {
        case .closed: return []
        case .listening, .versionOne: return answer(versionOne: received, at: now)
        case .challenged(let handshake, _):
            // The challenge may have crossed the first word of a slow app.
            if services.versionOneHashes != nil, VersionOne.isMessage(received.message) {
                return answer(versionOne: received, at: now)
            }
            return receive(received, answering: handshake, at: now)
        case .valid(var validity):
            let actions = receive(received, in: &validity, at: now)
            if case .valid = state { state = .valid(validity) }
            return actions
        }
    }

    private mutating func ping(at now: Deadline) -> [Action] {
        let question: SessionRates.Question = isValid ? .ping : .pingBeforeVerdict
        guard !services.rates.admits(question, of: user, at: now) else { return [.send(Ping.answer)] }
        let refusal = Refusal(.busy, "more pings than anybody needs")
        guard case .valid(var validity) = state else { return end(refusal) }
        return revoke(&validity, refusal)
    }

    /// The connection is gone, or what came over it was no message.
    mutating func fail(with error: ChannelError) -> [Action] {
        let wasValid = if case .valid = state { true } else { false }
        switch error {
        case .closed, .timedOut, .failed:
            state = .closed
            return []
        case .malformed(let what): return fail(Refusal(.malformed, what), wasValid)
        case .otherSender(let what): return fail(Refusal(.peerIdentity, what), wasValid)
        }
    }

    private mutating func fail(_ refusal: Refusal, _ wasValid: Bool) -> [Action] {
        end(refusal) + (wasValid ? [.find(refusal)] : [])
    }

    /// Looks at the clock, and at the app where it is time to.
    mutating func advance(to now: Deadline) -> [Action] {
        switch state {
        case .closed: return []
        case .listening(let end): return now < end ? [] : challenge(at: now)
        case .versionOne(let end):
            if now >= end { state = .closed }
            return isClosed ? [.close] : []
        case .challenged(_, let end):
            return now < end ? [] : self.end(Refusal(.expired, "the app did not answer the challenge in time"))
        case .valid(var validity):
            if now >= validity.end { return revoke(&validity, Refusal(.expired, "the session has come to its end")) }
            if now >= validity.expiry { return revoke(&validity, Refusal(.expired, "the app was silent for too long")) }
            guard now >= validity.nextScan else { return [] }
            do throws(Refusal) {
                try scan(&validity, at: now)
                state = .valid(validity)
                return []
            } catch {
                return revoke(&validity, error)
            }
        }
    }

    /// Ends without a verdict.
    mutating func end(_ refusal: Refusal) -> [Action] {
        state = .closed
        return [
            .record(Verdict(.request, of: identity, refusal, measured: [])),
            .send(Failure(refusal.reason).bytes), .close,
        ]
    }
}
