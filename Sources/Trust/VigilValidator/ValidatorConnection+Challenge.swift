import CodeMeasurement
import HardwareKeys
import Vigil

/// The state in which a challenge is out.
extension ValidatorConnection {
    mutating func receive(
        _ received: Received, answering handshake: ValidatorHandshake, at now: Deadline
    ) -> [Action] {
        do throws(Refusal) {
            switch try received.header().type {
            case .request: return try answer(request: received, of: handshake, at: now)
            case .provisionRequest:
                let actions = try answer(provisioning: received, of: handshake)
                state = .closed
                return actions
            case .rotationRequest:
                let actions = try answer(rotation: received, of: handshake)
                state = .closed
                return actions
            case let other: throw Refusal(.malformed, "\(other) is no answer to a challenge")
            }
        } catch {
            return end(error)
        }
    }

    /// What was found about a request.
    private struct Findings {
        /// Nil where the request itself is refused.
        var accepted: RequestCheck.Accepted?
        var observation = ValidatorHandshake.Observation(hash: .zero, measured: [])
        var flags: MeasurementFlags = []
        /// Nil where all is as it has to be.
        var refusal: Refusal?
        var duration: Duration = .zero
    }

    private mutating func answer(
        request received: Received, of handshake: ValidatorHandshake, at now: Deadline
    ) throws(Refusal) -> [Action] {
        // What cannot be read is not answered by a signature.
        let request = try Sent<Request>(received)
        let started = SuspendingClock().now
        var findings = Findings()
        do throws(Refusal) {
            try check(request, attachments: received.attachments, of: handshake, &findings)
        } catch {
            let isReported = findings.accepted == nil && error.reason == .hashMismatch
            findings.refusal =
                isReported ? locate(error, in: request.message, attachments: received.attachments) : error
        }
        findings.duration = started.duration(to: SuspendingClock().now)
        return try answer(request, of: handshake, findings, at: now)
    }

    private func check(
        _ request: Sent<Request>, attachments: [Attachment], of handshake: ValidatorHandshake,
        _ findings: inout Findings
    ) throws(Refusal) {
        let check = RequestCheck(
            challenge: handshake.challenge, pin: try services.pins.pin(of: .app),
            expectedHash: services.identity.appHash, epoch: services.identity.epoch)
        findings.accepted = try check.accept(request)
        findings.observation.measured = .selfReported
        try take(attachments, request.message.handles)
        let seen = try look(services.policy.requiredLevels, isNewSession: true)
        findings.observation.measured.formUnion(seen.measured)
        findings.flags = seen.flags
        guard let files = seen.hash else { return }
        let isExpected = files == services.identity.appFiles
        // The digests of the manifest's files are known in every kind.
        findings.observation.hash = isExpected ? services.identity.appHash : files
        guard isExpected else {
            throw Refusal(.hashMismatch, "the app's files are \(files), and it reports \(request.message.hash)")
        }
    }

    /// Where the app differs that says itself that it does, for the log: its file or its memory may tell.
    private func locate(_ refusal: Refusal, in request: Request, attachments: [Attachment]) -> Refusal {
        do throws(Refusal) {
            try take(attachments, request.handles)
            _ = try inspect([.files, .mapShape, .codePages], isNewSession: true)
            return refusal
        } catch {
            guard error.finding.path != nil else { return refusal }
            return Refusal(MeasurementRefusal(refusal.reason, error.finding))
        }
    }

    /// Signs the verdict and, where it is positive, begins the time for which it counts.
    private mutating func answer(
        _ request: Sent<Request>, of handshake: ValidatorHandshake, _ findings: Findings, at now: Deadline
    ) throws(Refusal) -> [Action] {
        let policy = services.policy
        let answer: ValidatorHandshake.Answer
        do {
            answer = try handshake.answer(
                request, accepted: findings.accepted, reason: findings.refusal?.reason ?? .ok,
                observation: findings.observation, timeToLive: policy.timeToLive, at: services.calendar(),
                grant: findings.refusal == nil ? services.identity.grant : nil)
        } catch {
            throw error as? Refusal ?? Refusal(.internal, "the validator cannot sign: \(error)")
        }
        let record = Action.record(
            Verdict(
                .request, of: identity, findings.refusal, measured: findings.observation.measured,
                details: .init(flags: findings.flags, duration: findings.duration)))
        guard findings.refusal == nil else {
            state = .closed
            return [record, .send(answer.response.bytes), .close]
        }
        guard let accepted = findings.accepted else {
            throw Refusal(.internal, "a positive verdict on what was not accepted")
        }
        let confirmation =
            policy.wantsConfirmation
            ? ConfirmationCheck(
                challenge: handshake.challenge, request: request, response: answer.response, key: accepted.key) : nil
        state = .valid(
            Validity(
                session: answer.session, end: now.advanced(by: policy.sessionTime),
                expiry: now.advanced(by: policy.timeToLive), nextScan: now.advanced(by: services.nextInterval),
                nextFiles: now.advanced(by: policy.fileInterval), confirmation: confirmation, app: accepted.key,
                appKind: accepted.kind, measured: findings.observation.measured))
        return [record, .send(answer.response.bytes)]
    }
}
