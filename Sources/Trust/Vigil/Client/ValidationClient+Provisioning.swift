import CodeMeasurement
import HardwareKeys
import SecretMemory

extension ValidationClient {
    /// Has this app pinned by a validator, and pins the validator.
    ///
    /// - Parameter token: what the installer handed to both; nil only where this app wants none.
    /// - Returns: whether it was pinned now or had been before.
    /// - Throws: ``Refusal``; nothing is pinned here then. The validator may have pinned this app where its answer was
    ///   lost: ask again.
    ///
    /// Source: `vigil` sections 6.3 and 7.5.
    package func provision(token: SecretBytes?, within time: Duration) throws(Refusal) -> ProvisionStatus {
        guard token != nil || !requiresToken else {
            throw Refusal(
                .notProvisioned,
                "without the installer's token any genuine validator would be pinned; name its file, or set requireToken to false"
            )
        }
        return try limited(within: time) { (link, deadline) throws(Refusal) in
            try provision(token, over: link, until: deadline)
        }
    }

    private func provision(
        _ token: SecretBytes?, over link: OpenLink, until deadline: Deadline
    ) throws(Refusal) -> ProvisionStatus {
        let channel = try reaching { try link.connect(to: endpoint, until: deadline) }
        defer { channel.close() }
        let first = try reaching { try channel.receive(until: deadline) }
        let challenge = try Sent<Challenge>(first)
        let peer = try inspector.inspect(channel)
        try peer.take(first.attachments, challenge.message.handles)
        _ = try look(at: peer)
        let request = try provisionRequest(answering: challenge, token: token)
        try reaching { try channel.send(request.bytes, attachments: identity.handles, until: deadline) }
        let answer = try Sent<ProvisionResponse>(try reaching { try channel.receive(until: deadline) })
        let (key, kind) = try check(answer, answering: request, challenge: challenge, token: token)
        try link.check()
        return try pins.pin(key, kind: kind, role: .validator)
    }

    private func provisionRequest(
        answering challenge: Sent<Challenge>, token: SecretBytes?
    ) throws(Refusal) -> Sent<ProvisionRequest> {
        guard let publicKey = PublicKey(x963: identity.key.publicKey) else {
            throw Refusal(.internal, "this app's own public key is malformed")
        }
        let request = ProvisionRequest(
            to: challenge.message, nonce: .random(), token: token, hash: try identity.measure(), epoch: identity.epoch,
            keyKind: identity.key.kind, publicKey: publicKey)
        do throws(HardwareKeyError) { return try request.signed(by: identity.key, answering: challenge) } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }

    /// Checks the validator's answer as the validator checked the request.
    ///
    /// - Returns: the key to pin.
    private func check(
        _ received: Sent<ProvisionResponse>, answering request: Sent<ProvisionRequest>, challenge: Sent<Challenge>,
        token: SecretBytes?
    ) throws(Refusal) -> (PublicKey, KeyKind) {
        let (answer, sent) = (received.message, request.message)
        guard answer.requestNonce == sent.nonce, answer.challengeNonce == sent.challengeNonce else {
            throw Refusal(.nonceMismatch, "the answer is to another request")
        }
        guard let key = PublicKey(x963: answer.publicKey), let kind = answer.kind else {
            throw Refusal(.malformed, "the validator's key is malformed")
        }
        guard received.isSigned(by: key, answering: request, challenge: challenge) else {
            throw Refusal(.signatureInvalid, "the validator does not prove that it has its key")
        }
        guard challenge.message.validatorKeyID == key.id else {
            throw Refusal(.publicKeyMismatch, "the validator answers with another key than it announced")
        }
        guard answer.status != .refused else { throw Refusal(answer.reason, "the validator refuses to pin this app") }
        if let token, !answer.carries(token) {
            throw Refusal(.notProvisioned, "the validator does not have the installer's token")
        }
        guard answer.epoch == identity.epoch else {
            throw Refusal(.epochRollback, "the validator's manifest has epoch \(answer.epoch), not \(identity.epoch)")
        }
        guard answer.validatorHash == identity.validatorHash else {
            throw Refusal(.hashMismatch, "the validator reports \(answer.validatorHash)")
        }
        return (key, kind)
    }

    /// Gives the validator a new key of this app in place of the pinned one.
    ///
    /// - Parameters:
    ///   - new: already stored; the old one stays in use until this returns.
    ///   - counter: greater than that of the last change.
    /// - Throws: ``Refusal``; then the old key still counts, unless the answer was lost: ask with both.
    ///
    /// Source: `vigil` sections 6.4 and 7.5.
    package func rotate(to new: any SigningKey, counter: UInt64, within time: Duration) throws(Refusal) {
        try limited(within: time) { (link, deadline) throws(Refusal) in
            try rotate(to: new, counter: counter, over: link, until: deadline)
        }
    }

    private func rotate(
        to new: any SigningKey, counter: UInt64, over link: OpenLink, until deadline: Deadline
    ) throws(Refusal) {
        let channel = try reaching { try link.connect(to: endpoint, until: deadline) }
        defer { channel.close() }
        let challenge = try Sent<Challenge>(try reaching { try channel.receive(until: deadline) })
        guard let old = PublicKey(x963: identity.key.publicKey), let newKey = PublicKey(x963: new.publicKey) else {
            throw Refusal(.internal, "a public key of this app is malformed")
        }
        let request: Sent<RotationRequest>
        do throws(HardwareKeyError) {
            request = try RotationRequest(
                from: .app, to: challenge.message, nonce: .random(), oldKeyID: old.id, newKeyKind: new.kind,
                counter: counter,
                newPublicKey: newKey
            ).signed(by: identity.key, and: new, answering: challenge)
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
        try reaching { try channel.send(request.bytes, until: deadline) }
        let received = try Sent<RotationResponse>(try reaching { try channel.receive(until: deadline) })
        let (answer, sent) = (received.message, request.message)
        guard answer.requestNonce == sent.nonce, answer.challengeNonce == sent.challengeNonce else {
            throw Refusal(.nonceMismatch, "the answer is to another request")
        }
        guard case .active(let key, _) = try pins.pin(of: .validator),
            received.isSigned(by: key, answering: request, challenge: challenge)
        else { throw Refusal(.signatureInvalid, "the answer is not signed by the pinned validator") }
        guard answer.status == .pinned else { throw Refusal(answer.reason, "the validator refuses the new key") }
    }

    /// Turns what goes wrong with a channel into a refusal.
    func reaching<R>(_ body: () throws -> R) throws(Refusal) -> R {
        do { return try body() } catch let refusal as Refusal { throw refusal } catch {
            throw Refusal(
                error as? ChannelError == .timedOut ? .expired : .malformed,
                "the validator cannot be reached: \(error)")
        }
    }
}
