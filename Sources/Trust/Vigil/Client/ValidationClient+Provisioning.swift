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
        let channel = try reaching { () throws(ChannelError) in try link.connect(to: endpoint, until: deadline) }
        defer { channel.close() }
        let first = try reaching { () throws(ChannelError) in try channel.receive(until: deadline) }
        let challenge = try Challenge(parsing: first.message)
        let peer = try inspector.inspect(channel)
        try peer.take(first.attachments, challenge.handles)
        _ = try look(at: peer)
        let request = try request(challenge, token, answering: first.message)
        try reaching { () throws(ChannelError) in
            try channel.send(request, attachments: identity.handles, until: deadline)
        }
        let answer = try reaching { () throws(ChannelError) in try channel.receive(until: deadline) }
        return try take(answer.message, request, first.message, token, link)
    }

    private func request(
        _ challenge: Challenge, _ token: SecretBytes?, answering message: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        guard let publicKey = PublicKey(x963: identity.key.publicKey) else {
            throw Refusal(.internal, "this app's own public key is malformed")
        }
        let request = ProvisionRequest(
            to: challenge, nonce: .random(), token: token, hash: try identity.measure(), epoch: identity.epoch,
            keyKind: identity.key.kind, publicKey: publicKey)
        do throws(HardwareKeyError) { return try request.signed(by: identity.key, answering: message).bytes } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }

    /// Checks the validator's answer as the validator checked the request, and pins it.
    private func take(
        _ message: [UInt8], _ request: [UInt8], _ challenge: [UInt8], _ token: SecretBytes?,
        _ link: OpenLink
    ) throws(Refusal) -> ProvisionStatus {
        let sent = try ProvisionRequest(parsing: request)
        let answer = try ProvisionResponse(parsing: message)
        guard answer.requestNonce == sent.nonce, answer.challengeNonce == sent.challengeNonce else {
            throw Refusal(.nonceMismatch, "the answer is to another request")
        }
        guard let key = PublicKey(x963: answer.publicKey), let kind = answer.kind else {
            throw Refusal(.malformed, "the validator's key is malformed")
        }
        guard answer.isSigned(by: key, request: request, challenge: challenge) else {
            throw Refusal(.signatureInvalid, "the validator does not prove that it has its key")
        }
        guard try Challenge(parsing: challenge).validatorKeyID == key.id else {
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
        try link.check()
        return try pins.pin(key, kind: kind, role: .validator)
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
        let channel = try reaching { () throws(ChannelError) in try link.connect(to: endpoint, until: deadline) }
        defer { channel.close() }
        let first = try reaching { () throws(ChannelError) in try channel.receive(until: deadline) }
        let challenge = try Challenge(parsing: first.message)
        guard let old = PublicKey(x963: identity.key.publicKey), let newKey = PublicKey(x963: new.publicKey) else {
            throw Refusal(.internal, "a public key of this app is malformed")
        }
        let request: [UInt8]
        do throws(HardwareKeyError) {
            request = try RotationRequest(
                from: .app, to: challenge, nonce: .random(), oldKeyID: old.id, newKeyKind: new.kind, counter: counter,
                newPublicKey: newKey
            ).signed(by: identity.key, and: new, answering: first.message).bytes
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
        try reaching { () throws(ChannelError) in try channel.send(request, until: deadline) }
        let message = try reaching { () throws(ChannelError) in try channel.receive(until: deadline) }.message
        let sent = try RotationRequest(parsing: request)
        let answer = try RotationResponse(parsing: message)
        guard answer.requestNonce == sent.nonce, answer.challengeNonce == sent.challengeNonce else {
            throw Refusal(.nonceMismatch, "the answer is to another request")
        }
        guard case .active(let key, _) = try pins.pin(of: .validator),
            answer.isSigned(by: key, request: request, challenge: first.message)
        else { throw Refusal(.signatureInvalid, "the answer is not signed by the pinned validator") }
        guard answer.status == .pinned else { throw Refusal(answer.reason, "the validator refuses the new key") }
    }

    func reaching<R>(_ body: () throws(ChannelError) -> R) throws(Refusal) -> R {
        do throws(ChannelError) { return try body() } catch {
            throw Refusal(error == .timedOut ? .expired : .malformed, "the validator cannot be reached: \(error)")
        }
    }
}
