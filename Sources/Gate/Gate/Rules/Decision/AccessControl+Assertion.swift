internal import AppAttest
internal import TextForms

/// Source: `appattest-gate` section 3.3, step 6.
extension AccessControl {
    /// Judges an assertion: the nonce is used up first (one that is sealed, behind signature and standing), and the
    /// store's counter has the last word.
    ///
    /// A client that failed too often is told so in place of the true reason; one that holds a good key gets in all the
    /// same, whoever else fails behind its address. Where stores are databases it draws on its key's share for that.
    func authenticate(
        _ headers: AssertionHeaders, of visitor: Visitor
    ) async throws(Refusal) -> Identity.App {
        do throws(Refusal) {
            try await keepFromStores(visitor, naming: headers.keyID)
            let sealed = try await takeBack(headers.nonce, from: visitor)
            guard let assertion = Base64.decode(headers.assertion) else {
                throw Refusal(.malformedHeader, field: "X-App-Assert-Data")
            }
            let record = try await ask(.get) { try await parts.keys.key(headers.keyID) }
            guard let record else { throw Refusal(.unknownKey) }
            let verdict = try await verify(assertion, with: headers, of: record, sealed)
            keepDeviceToken(headers.deviceToken, of: record.id)
            do throws(Refusal) { try checkStanding(of: record, for: visitor) } catch {
                noteProven(record.id, isGood: false)
                if record.deviceBan == .pending { wantDeviceBans([record.id]) }
                throw error
            }
            try await markUsed(sealed, by: record.id)
            let facts = AssertionFacts(
                category: verdict.facts.category ?? record.facts.category,
                bundleVersion: verdict.facts.bundleVersion ?? record.facts.bundleVersion)
            try await advance(record, to: verdict.signCount, facts: facts)
            noteProven(record.id, isGood: true)
            return Identity.App(
                keyID: record.id, appID: record.appID, environment: record.environment, signCount: verdict.signCount,
                facts: facts)
        } catch {
            if error.reason == .counterNotIncreasing { noteRegression(of: headers.keyID, by: visitor) }
            // What the gate could not find out is no fault of the client.
            guard error.code.status < 500 else { throw error }
            throw limit(.failedAuthentication, visitor.client) ?? error
        }
    }

    /// Refuses one who failed too often before a database is asked for him, unless the key that he names has a share
    /// left: anybody can send nonces and names without end.
    private func keepFromStores(_ visitor: Visitor, naming key: KeyID) async throws(Refusal) {
        guard parts.nonces.isShared || !parts.keys.isLocal, let wait = failureWait(of: visitor.client) else { return }
        guard try await takeShare(of: key, from: visitor.client, for: .failedAuthentication) else {
            throw .rateLimited(retryAfter: wait)
        }
    }

    private func verify(
        _ assertion: [UInt8], with headers: AssertionHeaders, of record: AttestedKey, _ nonce: NonceIssuer.Sealed?
    ) async throws(Refusal) -> AssertionVerdict {
        do throws(VerificationFailure) {
            return try await timed(.assertion) { () throws(VerificationFailure) in
                try parts.assertions.verify(
                    assertion: assertion,
                    clientDataHash: Nonce.clientDataHash(headers.nonce, deviceToken: headers.deviceToken),
                    publicKey: record.publicKey, storedSignCount: record.signCount, appID: record.appID)
            }
        } catch {
            switch error {
            case .rejected(let reason):
                // The signature was good: one that comes again is told that its nonce is used.
                if reason == .counterNotIncreasing { try await markUsed(nonce, by: record.id) }
                throw Refusal(.assertionRejected, reason: reason)
            case .overloaded: throw Refusal(.overloaded)
            case .unavailable: throw Refusal(.attestationUnavailable)
            }
        }
    }

    /// Whether the policy, the operator and the risk policy let the key in: all of them may have changed since it was
    /// registered.
    ///
    /// Asked behind the signature: who holds no key learns nothing of it.
    private func checkStanding(
        of record: AttestedKey, for visitor: Visitor
    ) throws(Refusal) {
        guard rules.environments.contains(record.environment) else {
            throw Refusal(.assertionRejected, reason: .environmentNotAllowed)
        }
        guard record.revocation == nil else { throw Refusal(.keyRevoked) }
        let verdict = rules.risk.judge(record.receipt?.riskMetric)
        metrics.riskVerdicts.add(verdict)
        guard verdict != .fine else { return }
        parts.events.record(
            GateEvent(verdict == .denied ? .riskDenied : .riskFlagged, .warning, of: visitor).with {
                $0.key = KeyName(record.id)
            })
        if verdict == .denied { throw Refusal(.keyRevoked) }
    }

    private func advance(_ record: AttestedKey, to signCount: UInt32, facts: AssertionFacts) async throws(Refusal) {
        let now = parts.clock.now
        let advance = try await ask(.advance) {
            try await parts.keys.advance(record.id, to: signCount, facts: facts, now: now)
        }
        switch advance {
        case .advanced: break
        case .stale: throw Refusal(.assertionRejected, reason: .counterNotIncreasing)
        case .unknown: throw Refusal(.unknownKey)
        case .revoked: throw Refusal(.keyRevoked)
        }
    }

    private func noteRegression(of key: KeyID, by visitor: Visitor) {
        metrics.counterRegressions.add()
        parts.events.record(
            GateEvent(.counterRegression, .warning, of: visitor).with {
                $0.key = KeyName(key)
            })
    }
}
