import CodeMeasurement
import HardwareKeys
import SecretMemory
import Vigil

/// Apps that speak version 1 of the protocol: one question, one answer, and the end. Pings go before it, as many as
/// there is time for.
///
/// Source: `vigil` sections 7.1 and 7.2.
extension ValidatorConnection {
    mutating func answer(versionOne received: Received, at now: Deadline) -> [Action] {
        let wasListening = if case .listening = state { true } else { false }
        do throws(Refusal) {
            guard let hashes = services.versionOneHashes, VersionOne.isMessage(received.message),
                received.attachments.isEmpty
            else { throw Refusal(.malformed, "neither a question in version 1 nor the answer to a challenge") }
            switch try VersionOne.Request(parsing: received.message) {
            case .ping:
                if wasListening { state = .versionOne(until: now.advanced(by: services.policy.stateTime)) }
                return [.send(VersionOne.Response.alive.json)]
            case .validate(let request): return try validate(request, hashes)
            case .exchangeKey(let key): return try exchange(key)
            }
        } catch {
            return refuse(error, .request, measured: [])
        }
    }

    private mutating func validate(
        _ request: VersionOne.Validation, _ hashes: VersionOne.Hashes
    ) throws(Refusal) -> [Action] {
        var measured: Levels = []
        var refusal: Refusal?
        do throws(Refusal) {
            try request.check(pin: try services.pins.pin(of: .app), expectedHash: hashes.app)
            measured = .selfReported
            measured.formUnion(try lookAtFilesOfManifest().measured)
        } catch {
            refusal = error
        }
        let verdict: VersionOne.Verdict
        do throws(HardwareKeyError) {
            verdict = try VersionOne.Verdict(
                isValid: refusal == nil, validatorHash: hashes.validator, to: request, by: services.identity.key)
        } catch {
            throw Refusal(.internal, "the validator cannot sign: \(error)")
        }
        return end(.request, refusal, measured: measured, sending: .verdict(verdict))
    }

    /// Pins an app that shows nothing but its key, under the rules of version 2 as far as the format has room for them.
    /// There is none for a token, so no app is pinned under a policy or an installer with one; nor for a hash or a
    /// signature, so the files have to have been measured. An app that is pinned with a key that it does not have can
    /// never use it.
    private mutating func exchange(_ key: PublicKey) throws(Refusal) -> [Action] {
        guard let own = PublicKey(x963: services.identity.key.publicKey) else {
            throw Refusal(.internal, "the validator's own public key is malformed")
        }
        var measured: Levels = []
        do throws(Refusal) {
            try checkIsWithoutToken(try services.identity.token())
            let seen = try lookAtFilesOfManifest()
            measured = seen.measured
            guard seen.hash != nil else {
                throw Refusal(.unmeasurable, "nobody is pinned by version 1 whose files were not measured")
            }
            _ = try pin(key, .software, checkToken: checkIsWithoutToken)
        } catch {
            return refuse(error, .provisioning, measured: measured)
        }
        return end(.provisioning, nil, measured: measured, sending: .key(own))
    }

    private func checkIsWithoutToken(_ token: SecretBytes?) throws(Refusal) {
        guard !services.policy.requiresToken, token == nil else {
            throw Refusal(.notProvisioned, "version 1 has no place for the token that an app has to show here")
        }
    }

    /// What version 2 measures as well, without the descriptors that only it can send.
    private func lookAtFilesOfManifest() throws(Refusal) -> Inspection {
        let seen = try look(services.policy.requiredLevels, isNewSession: true)
        guard seen.hash == nil || seen.hash == services.identity.appFiles else {
            throw Refusal(.hashMismatch, "the app's files are \(seen.hash ?? .zero), not those of the manifest")
        }
        return seen
    }

    private mutating func refuse(_ refusal: Refusal, _ occasion: Verdict.Occasion, measured: Levels) -> [Action] {
        end(occasion, refusal, measured: measured, sending: .refused)
    }

    private mutating func end(
        _ occasion: Verdict.Occasion, _ refusal: Refusal?, measured: Levels, sending answer: VersionOne.Response
    ) -> [Action] {
        state = .closed
        return [
            .record(Verdict(occasion, of: identity, refusal, measured: measured)), .send(answer.json), .close,
        ]
    }
}
