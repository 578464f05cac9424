internal import AppAttest
internal import NIOHTTP1

/// Source: `appattest-gate` section 3.3, "Registration".
extension AccessControl {
    /// Judges a registration by its head: the limit, the size and the type. Ask it before the body is read.
    ///
    /// - Returns: the answer if it is refused.
    func registrationRefusal(_ head: HTTPRequestHead, from visitor: Visitor) -> Answer? {
        do throws(Refusal) {
            if let refusal = limit(.register, visitor.client) { throw refusal }
            try RegisterRequest.check(head)
            return nil
        } catch {
            return registrationAnswer(error, to: visitor)
        }
    }

    /// The answer to a refusal that the transport finds: a body too long or too slow.
    func registrationAnswer(
        _ refusal: Refusal, to visitor: Visitor, key: KeyID? = nil
    ) -> Answer {
        metrics.registrations.add(.refused, OutcomeReason(refusal))
        return answer(refusal, to: visitor, key: key)
    }

    /// Registers a key, unless it is registered: then nothing changes, least of all its counter.
    func register(body: [UInt8], from visitor: Visitor) async -> Answer {
        var key: KeyID?
        do throws(Refusal) {
            let request = try RegisterRequest(body: body)
            key = request.keyID
            let sealed = try await takeBack(request.nonce, from: visitor)
            let result = try await keep(request, sealed, from: visitor)
            metrics.registrations.add(result, OutcomeReason(nil))
            parts.events.record(
                GateEvent(.registered, of: visitor).with {
                    $0.key = KeyName(request.keyID)
                })
            return Answer(status: 200, json: #"{"registered":true}"#)
        } catch {
            return registrationAnswer(error, to: visitor, key: key)
        }
    }

    private func keep(
        _ request: RegisterRequest, _ nonce: NonceIssuer.Sealed?, from visitor: Visitor
    ) async throws(Refusal) -> RegistrationResult {
        let now = parts.clock.now
        let verdict = try await verify(request, now: now)
        try await markUsed(nonce, by: request.keyID)
        try await checkDevice(
            token: request.deviceToken, environment: verdict.environment, key: request.keyID, for: visitor)
        var record = AttestedKey(
            id: request.keyID, appID: verdict.appID, environment: verdict.environment, publicKey: verdict.publicKey,
            registeredAt: now, lastUsedAt: now, facts: verdict.facts, receipt: verdict.receipt)
        let due = RiskSchedule.due(record, now: now)
        record.receipt?.notBefore = due
        // In a table that is full, a new key is to take no place of one that is in use.
        if parts.keys.isLocal { await noteUse() }
        let insertion = try await ask(.insert) { [record] in try await parts.keys.insertIfAbsent(record) }
        switch insertion {
        case .inserted:
            noteProven(record.id, isGood: true)
            keepDeviceToken(request.deviceToken, of: record.id)
            return .registered
        case .exists(let stored) where stored.publicKey == record.publicKey: return .unchanged
        case .exists:
            metrics.registrations.add(.conflict, OutcomeReason(nil))
            parts.events.record(GateEvent(.keyConflict, .error).with { $0.key = KeyName(request.keyID) })
            throw Refusal(.attestationRejected, reason: .keyIDMismatch)
        }
    }

    private func verify(_ request: RegisterRequest, now: Timestamp) async throws(Refusal) -> AttestationVerdict {
        do throws(VerificationFailure) {
            return try await timed(.attestation) { () throws(VerificationFailure) in
                try await parts.attestations.verify(
                    attestation: request.attestation, keyID: request.keyID,
                    clientDataHash: Nonce.clientDataHash(request.nonce, deviceToken: request.deviceToken),
                    now: now)
            }
        } catch {
            switch error {
            case .rejected(let reason): throw Refusal(.attestationRejected, reason: reason)
            case .overloaded: throw Refusal(.overloaded)
            case .unavailable: throw Refusal(.attestationUnavailable)
            }
        }
    }
}
