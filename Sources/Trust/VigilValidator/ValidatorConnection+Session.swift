import CodeMeasurement
import HardwareKeys
import Vigil

/// The state in which a verdict was given.
extension ValidatorConnection {
    mutating func receive(
        _ received: Received, in validity: inout Validity, at now: Deadline
    ) -> [Action] {
        do throws(Refusal) {
            guard received.attachments.isEmpty else { throw Refusal(.malformed, "descriptors where none belong") }
            switch try received.header().type {
            case .revalidate: return try revalidate(received, &validity, at: now)
            case .confirmation:
                guard let check = validity.confirmation else { throw Refusal(.malformed, "nobody asked for that") }
                validity.confirmation = nil
                return try confirm(received, check)
            case .evidenceRequest: return try evidence(received, validity, at: now)
            case let other: throw Refusal(.malformed, "\(other) has no place in a session")
            }
        } catch {
            return revoke(&validity, error)
        }
    }

    private mutating func revalidate(
        _ received: Received, _ validity: inout Validity, at now: Deadline
    ) throws(Refusal) -> [Action] {
        guard var session = validity.session else { throw Refusal(.malformed, "there is no session to go on with") }
        let request = try session.accept(received)
        guard services.rates.admits(.revalidation, of: user, at: now) else {
            throw Refusal(.busy, "more questions than anybody needs")
        }
        let started = SuspendingClock().now
        var refusal: Refusal?
        var measured: Levels = []
        do throws(Refusal) { measured = try lookAsked(validity).measured } catch {
            refusal = error
        }
        let answer = Revalidated(
            to: request.message, reason: refusal?.reason ?? .ok, measured: measured,
            timeToLive: services.policy.timeToLive
        ).authenticated(by: session.secrets, answering: request)
        validity.session = session
        validity.expiry = now.advanced(by: services.policy.timeToLive)
        let details = Verdict.Details(duration: started.duration(to: SuspendingClock().now))
        let record = Action.record(Verdict(.revalidation, of: identity, refusal, measured: measured, details: details))
        // The app waits for its answer and not for the log.
        guard let refusal else { return [.send(answer.bytes), record] }
        state = .closed
        return [record, .send(answer.bytes), .close] + Self.finding(refusal)
    }

    private mutating func confirm(_ received: Received, _ check: ConfirmationCheck) throws(Refusal) -> [Action] {
        let confirmation = try check.accept(received)
        guard !confirmation.accepts else { return [] }
        state = .closed
        return [
            .record(
                Verdict(
                    .confirmation, of: identity,
                    Refusal(confirmation.reason, "the app does not trust this validator"), measured: [])),
            .close,
        ]
    }

    private func evidence(
        _ received: Received, _ validity: Validity, at now: Deadline
    ) throws(Refusal) -> [Action] {
        guard let session = validity.session else { throw Refusal(.malformed, "evidence needs a session") }
        let request = try session.accept(evidenceRequest: received)
        guard let give = services.evidence else { throw Refusal(.malformed, "this validator gives no evidence") }
        guard services.rates.admits(.evidence, of: user, at: now) else {
            let refusal = Refusal(.busy, "evidence was given to this user a moment ago")
            return [
                .record(Verdict(.evidence, of: identity, refusal, measured: [])),
                .send(Failure(.busy, retryAfter: .seconds(1)).bytes),
            ]
        }
        // It says how the app is now, and not how it was at the last look.
        let started = SuspendingClock().now
        let seen = try lookAsked(validity, readsFiles: true)
        let answer = try give(request, validity.facts(session))
        let details = Verdict.Details(flags: seen.flags, duration: started.duration(to: SuspendingClock().now))
        return [
            .record(Verdict(.evidence, of: identity, nil, measured: seen.measured, details: details)),
            .send(answer.bytes),
        ]
    }

    /// What is reported of that which has ended a session: nothing where it says nothing of the app.
    private static func finding(_ refusal: Refusal) -> [Action] {
        [.expired, .busy].contains(refusal.reason) ? [] : [.find(refusal)]
    }

    /// Takes back what was said.
    mutating func revoke(_ validity: inout Validity, _ refusal: Refusal) -> [Action] {
        state = .closed
        let finding = Self.finding(refusal)
        let record = Action.record(Verdict(.scan, of: identity, refusal, measured: services.scanLevels))
        guard var session = validity.session,
            let alert = try? session.alert(
                refusal.reason, measured: services.scanLevels, at: services.calendar(), by: services.identity.key)
        else { return [record, .close] + finding }
        return [record, .send(alert.bytes), .close] + finding
    }
}
