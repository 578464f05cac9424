internal import AppAttest
internal import NIOHTTP1
internal import TextForms

/// Source: `appattest-gate` sections 3.1 and 3.4.
extension AccessControl {
    /// Gives a nonce out.
    ///
    /// - Parameter headers: of the request, which may name a key (`X-App-Assert-KeyId`): where the address has had its
    ///   challenges, those of a registered key count by themselves.
    func challenge(
        to visitor: Visitor, headers: HTTPHeaders = HTTPHeaders()
    ) async -> Answer {
        do throws(Refusal) {
            let key = AssertionHeaders.claimedKey(headers)
            var owner = ClientKey(visitor.client)
            if let refusal = limit(.challenge, visitor.client) {
                guard let key, try await takeShare(of: key, from: visitor.client, for: .challenge) else {
                    throw refusal
                }
                owner = ClientKey(key)
            } else if let key, isProven(key) {
                owner = ClientKey(key)
            }
            let issued = try await ask(.putNonce) { [owner] in
                try await parts.nonces.issue(to: visitor.client, owner: owner)
            }
            guard let issued else { throw Refusal(.overloaded) }
            metrics.challenges.add(.issued)
            var body = JSONObject()
            body.add("nonce", Hex.encode(issued.nonce))
            body.add("expires", issued.expiresAt.milliseconds)
            return Answer(status: 200, json: body.text)
        } catch {
            metrics.challenges.add(error.code == .rateLimited ? .limited : .failed)
            return answer(error, to: visitor)
        }
    }

    /// What ``challenge(to:headers:)`` answers, without a nonce.
    func challengeHead() -> Answer { Answer(status: 200, json: "") }

    /// Takes a nonce back, once, whatever else comes with it.
    ///
    /// - Returns: one that proves itself and is not used up yet, for ``markUsed(_:by:)``: anybody gets such a nonce,
    ///   and nobody who has not signed is to make a store keep something of it.
    func takeBack(_ nonce: [UInt8], from visitor: Visitor) async throws(Refusal) -> NonceIssuer.Sealed? {
        guard !parts.nonces.seals else {
            guard let sealed = parts.nonces.open(nonce, from: visitor.client) else { throw Refusal(.nonceInvalid) }
            return sealed
        }
        let isGood = try await ask(.consumeNonce) { try await parts.nonces.consume(nonce, from: visitor.client) }
        guard isGood else { throw Refusal(.nonceInvalid) }
        return nil
    }

    /// Uses a nonce up that a key has signed over, if it is not yet.
    func markUsed(_ sealed: NonceIssuer.Sealed?, by key: KeyID) async throws(Refusal) {
        guard let sealed else { return }
        let isFirst = try await ask(.consumeNonce) { try await parts.nonces.markUsed(sealed, by: ClientKey(key)) }
        guard isFirst else { throw Refusal(.nonceInvalid) }
    }
}
