import CodeMeasurement
import HardwareKeys
import Vigil

/// The state in which a challenge is out.
extension ValidatorConnection {
    mutating func receive(
        _ received: Received, _ handshake: ValidatorHandshake, at now: Deadline
    ) -> [Action] {
        do throws(Refusal) {
            switch try MessageHeader(of: received.message).type {
            case .request: return try answer(request: received, handshake, at: now)
            case .provisionRequest:
                let actions = try answer(provisioning: received, handshake)
                state = .closed
                return actions
            case .rotationRequest:
                let actions = try answer(rotation: received.message, handshake)
                state = .closed
                return actions
            case let other: throw Refusal(.malformed, "\(other) is no answer to a challenge")
            }
        } catch {
            return end(error)
        }
    }

    private mutating func answer(
        request received: Received, _ handshake: ValidatorHandshake, at now: Deadline
    ) throws(Refusal) -> [Action] {
        // What cannot be read is not answered by a signature.
        let request = try Request(parsing: received.message)
        let started = SuspendingClock().now
        var observation = ValidatorHandshake.Observation(hash: .zero, measured: [])
        var accepted: RequestCheck.Accepted?
        var refusal: Refusal?
        var flags: MeasurementFlags = []
        do throws(Refusal) {
            let check = RequestCheck(
                challenge: handshake.challenge, pin: try services.pins.pin(of: .app),
                expectedHash: services.identity.appHash, epoch: services.identity.epoch)
            accepted = try check.accept(received.message)
            observation.measured = .selfReported
            try take(received.attachments, request.handles)
            let seen = try look(services.policy.requiredLevels, isNewSession: true)
            observation.measured.formUnion(seen.measured)
            flags = seen.flags
            if let files = seen.hash {
                let isExpected = files == services.identity.appFiles
                // The digests of the manifest's files are known in every kind.
                observation.hash = isExpected ? services.identity.appHash : files
                guard isExpected else {
                    throw Refusal(.hashMismatch, "the app's files are \(files), and it reports \(request.hash)")
                }
            }
        } catch {
            refusal = accepted == nil && error.reason == .hashMismatch ? locate(error, request, received) : error
        }
        return try give(
            refusal, request, received.message, accepted, observation, handshake, at: now,
            Verdict.Details(flags: flags, duration: started.duration(to: SuspendingClock().now)))
    }

    /// Where the app differs that says itself that it does, for the log: its file or its memory may tell.
    private func locate(_ refusal: Refusal, _ request: Request, _ received: Received) -> Refusal {
        do throws(Refusal) {
            try take(received.attachments, request.handles)
            _ = try see([.files, .mapShape, .codePages], isNewSession: true)
            return refusal
        } catch {
            guard error.finding.path != nil else { return refusal }
            return Refusal(MeasurementRefusal(refusal.reason, error.finding))
        }
    }

    /// Signs a verdict and says it.
    private mutating func give(
        _ refusal: Refusal?, _ request: Request, _ message: [UInt8], _ accepted: RequestCheck.Accepted?,
        _ observation: ValidatorHandshake.Observation, _ handshake: ValidatorHandshake, at now: Deadline,
        _ details: Verdict.Details
    ) throws(Refusal) -> [Action] {
        let policy = services.policy
        let answer: ValidatorHandshake.Answer
        do {
            answer = try handshake.answer(
                request, message: message, accepted: accepted, reason: refusal?.reason ?? .ok, observation: observation,
                timeToLive: policy.timeToLive, timestampMilliseconds: services.timestamp,
                grant: refusal == nil ? services.identity.grant : nil)
        } catch {
            throw error as? Refusal ?? Refusal(.internal, "the validator cannot sign: \(error)")
        }
        let record = Action.record(
            Verdict(identity, .request, refusal, measured: observation.measured, details))
        guard refusal == nil else {
            state = .closed
            return [record, .send(answer.message), .close]
        }
        guard let accepted else { throw Refusal(.internal, "a positive verdict on what was not accepted") }
        let confirmation =
            policy.wantsConfirmation
            ? ConfirmationCheck(handshake.challenge, message, answer.message, key: accepted.key) : nil
        state = .valid(
            Validity(
                session: answer.session, end: now.advanced(by: policy.sessionTime),
                expiry: now.advanced(by: policy.timeToLive), nextScan: now.advanced(by: services.nextInterval),
                nextFiles: now.advanced(by: policy.fileInterval), confirmation: confirmation, app: accepted.key,
                appKind: accepted.kind,
                measured: observation.measured))
        return [record, .send(answer.message)]
    }
}
