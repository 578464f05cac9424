import CodeMeasurement
import HardwareKeys
import Vigil

/// The state in which a verdict was given.
extension ValidatorConnection {
    mutating func receive(
        _ received: Received, _ validity: inout Validity, at now: Deadline
    ) -> [Action] {
        do throws(Refusal) {
            guard received.attachments.isEmpty else { throw Refusal(.malformed, "descriptors where none belong") }
            switch try MessageHeader(of: received.message).type {
            case .revalidate: return try revalidate(received.message, &validity, at: now)
            case .confirmation:
                guard let check = validity.confirmation else { throw Refusal(.malformed, "nobody asked for that") }
                validity.confirmation = nil
                return try confirm(received.message, check)
            case .evidenceRequest: return try evidence(received.message, &validity, at: now)
            case let other: throw Refusal(.malformed, "\(other) has no place in a session")
            }
        } catch {
            return revoke(&validity, error)
        }
    }

    private mutating func revalidate(
        _ message: [UInt8], _ validity: inout Validity, at now: Deadline
    ) throws(Refusal) -> [Action] {
        guard var session = validity.session else { throw Refusal(.malformed, "there is no session to go on with") }
        let request = try session.accept(message)
        guard services.rates.admits(.revalidation, of: user, at: now) else {
            throw Refusal(.busy, "more questions than anybody needs")
        }
        let started = SuspendingClock().now
        var refusal: Refusal?
        var measured: Levels = []
        do throws(Refusal) { measured = try lookAgain(&validity, at: now).measured } catch {
            refusal = error
        }
        let answer = Revalidated(
            to: request, reason: refusal?.reason ?? .ok, measured: measured,
            timeToLiveMilliseconds: UInt32(clamping: services.policy.timeToLive.inMilliseconds)
        ).authenticated(by: session.secrets, answering: message)
        validity.session = session
        validity.expiry = now.advanced(by: services.policy.timeToLive)
        let details = Verdict.Details(duration: started.duration(to: SuspendingClock().now))
        let record = Action.record(Verdict(identity, .revalidation, refusal, measured: measured, details))
        // The app waits for its answer and not for the log.
        guard let refusal else { return [.send(answer.bytes), record] }
        state = .closed
        return [record, .send(answer.bytes), .close, .find(refusal)]
    }

    private mutating func confirm(_ message: [UInt8], _ check: ConfirmationCheck) throws(Refusal) -> [Action] {
        let confirmation = try check.accept(message)
        guard !confirmation.accepts else { return [] }
        state = .closed
        return [
            .record(
                Verdict(
                    identity, .confirmation,
                    Refusal(confirmation.reason, "the app does not trust this validator"), measured: [], .init())),
            .close,
        ]
    }

    private func evidence(
        _ message: [UInt8], _ validity: inout Validity, at now: Deadline
    ) throws(Refusal) -> [Action] {
        guard let session = validity.session else { throw Refusal(.malformed, "evidence needs a session") }
        let request = try session.accept(evidenceRequest: message)
        guard let give = services.evidence else { throw Refusal(.malformed, "this validator gives no evidence") }
        guard services.rates.admits(.evidence, of: user, at: now) else {
            let refusal = Refusal(.busy, "evidence was given to this user a moment ago")
            return [
                .record(Verdict(identity, .evidence, refusal, measured: [], .init())),
                .send(Failure(.busy, retryAfterMilliseconds: 1000).bytes),
            ]
        }
        // It says how the app is now, and not how it was at the last look.
        let started = SuspendingClock().now
        let seen = try lookAgain(&validity, at: now)
        let answer = try give(request, validity.facts(session))
        let details = Verdict.Details(flags: seen.flags, duration: started.duration(to: SuspendingClock().now))
        return [
            .record(Verdict(identity, .evidence, nil, measured: seen.measured, details)), .send(answer.bytes),
        ]
    }

    /// Takes back what was said.
    mutating func revoke(_ validity: inout Validity, _ refusal: Refusal) -> [Action] {
        state = .closed
        let finding: [Action] = [.expired, .busy].contains(refusal.reason) ? [] : [.find(refusal)]
        let record = Action.record(Verdict(identity, .scan, refusal, measured: services.scanLevels, .init()))
        guard var session = validity.session,
            let alert = try? session.alert(
                refusal.reason, measured: services.scanLevels, timestampMilliseconds: services.timestamp,
                by: services.identity.key)
        else { return [record, .close] + finding }
        return [record, .send(alert.bytes), .close] + finding
    }
}
