import CodeMeasurement
import HardwareKeys
import SecretMemory
import Vigil

extension ValidatorConnection {
    /// Pins an app, once, while the window is open.
    ///
    /// Source: `vigil` section 6.3.
    func answer(
        provisioning received: Received, of handshake: ValidatorHandshake
    ) throws(Refusal) -> [Action] {
        let request = try Sent<ProvisionRequest>(received)
        // An app that is pinned already shows it too.
        var token = try services.identity.token()
        var status = ProvisionStatus.refused
        var refusal: Refusal?
        var measured: Levels = []
        do throws(Refusal) {
            let (key, kind) = try check(request, token: token, of: handshake)
            measured = .selfReported
            // The handles come with the message, and which they are is agreed upon by the challenge.
            try take(received.attachments, received.attachments.isEmpty ? [] : .usual)
            let seen = try look(services.policy.requiredLevels, isNewSession: true)
            measured.formUnion(seen.measured)
            guard seen.hash == nil || seen.hash == services.identity.appFiles else {
                throw Refusal(.hashMismatch, "the app's files are not what it reports")
            }
            status = try pin(key, kind) { (ofWindow) throws(Refusal) in
                token = ofWindow
                try check(ofWindow, of: request.message)
            }
        } catch {
            refusal = error
        }
        let answer: Sent<ProvisionResponse>
        do throws(HardwareKeyError) {
            answer = try ProvisionResponse(
                to: request.message, status: status, reason: refusal?.reason ?? .ok,
                keyKind: services.identity.key.kind,
                epoch: services.identity.epoch, validatorHash: services.identity.hash, token: token,
                publicKey: handshake.identity.publicKey
            ).signed(by: services.identity.key, answering: request, challenge: handshake.challenge)
        } catch {
            throw Refusal(.internal, "the validator cannot sign: \(error)")
        }
        return [
            .record(Verdict(.provisioning, of: identity, refusal, measured: measured)),
            .send(answer.bytes), .close,
        ]
    }

    /// Everything about a request but the process that sent it.
    private func check(
        _ sent: Sent<ProvisionRequest>, token: SecretBytes?, of handshake: ValidatorHandshake
    ) throws(Refusal) -> (PublicKey, KeyKind) {
        let request = sent.message
        guard request.challengeNonce == handshake.challenge.message.nonce else {
            throw Refusal(.nonceMismatch, "the request answers another challenge")
        }
        guard request.nonce != .zero, let kind = request.kind, let key = PublicKey(x963: request.publicKey) else {
            throw Refusal(.malformed, "nonce, kind or key of the request is malformed")
        }
        guard sent.isSigned(by: key, answering: handshake.challenge) else {
            throw Refusal(.signatureInvalid, "the app does not prove that it has the key")
        }
        try check(token, of: request)
        guard request.epoch == services.identity.epoch else {
            throw Refusal(
                .epochRollback, "the app's manifest has epoch \(request.epoch), not \(services.identity.epoch)")
        }
        guard request.hash == services.identity.appHash else {
            throw Refusal(
                .hashMismatch, "the app reports \(request.hash), and the manifest says \(services.identity.appHash)")
        }
        return (key, kind)
    }

    private func check(_ token: SecretBytes?, of request: ProvisionRequest) throws(Refusal) {
        guard let token else {
            guard !services.policy.requiresToken else {
                throw Refusal(.notProvisioned, "this validator pins nobody without a token, and has none")
            }
            return
        }
        guard request.carries(token) else {
            throw Refusal(.notProvisioned, "the app does not have the installer's token")
        }
    }

    /// Pins a key while the window is open.
    ///
    /// - Parameter checkToken: refuses an app that does not have the token of the window. Which one that is counts now:
    ///   the window may have been opened, with a token, since the app has asked.
    func pin(
        _ key: PublicKey, _ kind: KeyKind, checkToken: (SecretBytes?) throws(Refusal) -> Void
    ) throws(Refusal) -> ProvisionStatus {
        switch try services.pins.pin(of: .app) {
        // An app that died before it had stored the answer asks again.
        case .active(let pinned, _) where pinned == key: return .alreadyPinned
        case .active(let pinned, _):
            throw Refusal(.publicKeyMismatch, "another key is pinned: \(pinned.id). Unpin it first if it was lost")
        case .none, .revoked: break
        }
        try checkWindow()
        try checkToken(try services.identity.token())
        // A window that has ended meanwhile has taken its token along.
        try checkWindow()
        let status = try services.pins.pin(key, kind: kind, role: .app)
        try services.window.close()
        return status
    }

    private func checkWindow() throws(Refusal) {
        guard services.window.isOpen else {
            throw Refusal(
                .notProvisioned, "no window for provisioning is open; open one with vigil-validator provision")
        }
    }

    /// Takes a new key of the app, in place of the pinned one.
    ///
    /// Source: `vigil` section 6.4.
    func answer(
        rotation received: Received, of handshake: ValidatorHandshake
    ) throws(Refusal) -> [Action] {
        let sent = try Sent<RotationRequest>(received)
        let request = sent.message
        var refusal: Refusal?
        do throws(Refusal) {
            let (key, kind) = try check(sent, of: handshake)
            try services.pins.replace(
                request.oldKeyID, by: key, kind: kind, counter: request.counter, role: request.sender)
        } catch {
            refusal = error
        }
        let answer: Sent<RotationResponse>
        do throws(HardwareKeyError) {
            answer = try RotationResponse(
                from: .validator, to: request, status: refusal == nil ? .pinned : .refused,
                reason: refusal?.reason ?? .ok
            ).signed(by: services.identity.key, answering: sent, challenge: handshake.challenge)
        } catch {
            throw Refusal(.internal, "the validator cannot sign: \(error)")
        }
        return [
            .record(Verdict(.rotation, of: identity, refusal, measured: [])), .send(answer.bytes), .close,
        ]
    }

    private func check(
        _ sent: Sent<RotationRequest>, of handshake: ValidatorHandshake
    ) throws(Refusal) -> (PublicKey, KeyKind) {
        let request = sent.message
        guard request.challengeNonce == handshake.challenge.message.nonce else {
            throw Refusal(.nonceMismatch, "the request answers another challenge")
        }
        guard request.nonce != .zero, let kind = request.kind, let new = PublicKey(x963: request.newPublicKey) else {
            throw Refusal(.malformed, "nonce, kind or key of the request is malformed")
        }
        switch try services.pins.pin(of: request.sender) {
        case .none: throw Refusal(.notProvisioned, "no key is pinned that could be replaced")
        case .revoked: throw Refusal(.revoked, "the key was revoked")
        case .active(let old, let pinnedKind):
            guard old.id == request.oldKeyID else { throw Refusal(.publicKeyMismatch, "another key is pinned") }
            guard !kind.isWeaker(than: pinnedKind) else {
                throw Refusal(.publicKeyMismatch, "the new key is of a weaker kind")
            }
            guard sent.isSigned(by: old, and: new, answering: handshake.challenge) else {
                throw Refusal(.signatureInvalid, "the rotation is not signed by both keys")
            }
            return (new, kind)
        }
    }
}
