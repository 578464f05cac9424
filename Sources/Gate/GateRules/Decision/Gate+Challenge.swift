internal import AppAttest
internal import TextForms

/// Source: `appattest-gate` sections 3.1 and 3.4.
extension Gate {
    /// Gives a nonce out.
    public func challenge(_ visitor: Visitor, _ requestID: RequestID) async -> Answer {
        do throws(Refusal) {
            if let refusal = limit(.challenge, visitor.client) { throw refusal }
            let issued = try await ask(.putNonce) { () throws(StoreError) in
                try await parts.nonces.issue(to: visitor.client)
            }
            guard let issued else { throw Refusal(.overloaded) }
            metrics.challenges.add(1, .issued)
            var body = JSONObject()
            body.add("nonce", Hex.encode(issued.nonce))
            body.add("expires", issued.expiresAt)
            return Answer(status: 200, json: body.text)
        } catch {
            metrics.challenges.add(1, error.code == .rateLimited ? .limited : .failed)
            return answer(error, to: visitor, requestID)
        }
    }

    /// What ``challenge(_:_:)`` answers, without a nonce.
    public func challengeHead() -> Answer { Answer(status: 200, json: "") }

    /// Takes a nonce back, once.
    func consume(_ nonce: [UInt8], from visitor: Visitor) async throws(Refusal) {
        let isGood = try await ask(.consumeNonce) { () throws(StoreError) in
            try await parts.nonces.consume(nonce, from: visitor.client)
        }
        guard isGood else { throw Refusal(.nonceInvalid) }
    }
}
