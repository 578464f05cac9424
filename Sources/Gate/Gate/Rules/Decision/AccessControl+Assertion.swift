internal import AppAttest
internal import TextForms

/// Source: `appattest-gate` section 3.3, step 6.
extension AccessControl {
    /// Judges an assertion: the nonce is used up first, and the store's counter has the last word.
    ///
    /// A client that failed too often is told so in place of the true reason; one that holds a good key gets in all the
    /// same, whoever else fails behind its address.
    func authenticate(
        _ headers: AssertionHeaders, _ visitor: Visitor, _ requestID: RequestID
    ) async throws(Refusal) -> Identity.App {
        do throws(Refusal) {
            try await consume(headers.nonce, from: visitor)
            guard let assertion = Base64.decode(headers.assertion) else {
                throw Refusal(.malformedHeader, field: "X-App-Assert-Data")
            }
            let record = try await ask(.get) { () throws(StoreError) in try await parts.keys.key(headers.keyID) }
            guard let record else { throw Refusal(.unknownKey) }
            let verdict = try await verify(assertion, headers, record)
            keepDeviceToken(headers.deviceToken, of: record.id)
            do throws(Refusal) { try checkStanding(of: record, visitor, requestID) } catch {
                noteProven(record.id, isGood: false)
                if record.deviceBan == .pending { wantDeviceBans([record.id]) }
                throw error
            }
            let facts = AssertionFacts(
                category: verdict.facts.category ?? record.facts.category,
                bundleVersion: verdict.facts.bundleVersion ?? record.facts.bundleVersion)
            try await advance(record, to: verdict.signCount, facts)
            noteProven(record.id, isGood: true)
            return Identity.App(
                keyID: record.id, appID: record.appID, environment: record.environment, signCount: verdict.signCount,
                facts: facts)
        } catch {
            if error.reason == .counterNotIncreasing { noteRegression(headers.keyID, visitor, requestID) }
            // What the gate could not find out is no fault of the client.
            guard error.code.status < 500 else { throw error }
            throw limit(.failedAuthentication, visitor.client) ?? error
        }
    }

    private func verify(
        _ assertion: [UInt8], _ headers: AssertionHeaders, _ record: AttestedKey
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
            case .rejected(let reason): throw Refusal(.assertionRejected, reason: reason)
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
        of record: AttestedKey, _ visitor: Visitor, _ requestID: RequestID
    ) throws(Refusal) {
        guard rules.environments.contains(record.environment) else {
            throw Refusal(.assertionRejected, reason: .environmentNotAllowed)
        }
        guard record.revocation == nil else { throw Refusal(.keyRevoked) }
        let verdict = rules.risk.judge(record.receipt?.riskMetric)
        metrics.riskVerdicts.add(1, verdict)
        guard verdict != .fine else { return }
        parts.events.record(
            GateEvent(verdict == .denied ? .riskDenied : .riskFlagged, .warning).with {
                $0.requestID = requestID
                $0.peer = visitor.client
                $0.key = KeyName(record.id)
            })
        if verdict == .denied { throw Refusal(.keyRevoked) }
    }

    private func advance(_ record: AttestedKey, to signCount: UInt32, _ facts: AssertionFacts) async throws(Refusal) {
        let now = parts.clock.wallMilliseconds
        let advance = try await ask(.advance) { () throws(StoreError) in
            try await parts.keys.advance(record.id, to: signCount, facts: facts, now: now)
        }
        switch advance {
        case .advanced: break
        case .stale: throw Refusal(.assertionRejected, reason: .counterNotIncreasing)
        case .unknown: throw Refusal(.unknownKey)
        case .revoked: throw Refusal(.keyRevoked)
        }
    }

    private func noteRegression(_ key: KeyID, _ visitor: Visitor, _ requestID: RequestID) {
        metrics.counterRegressions.add()
        parts.events.record(
            GateEvent(.counterRegression, .warning).with {
                $0.requestID = requestID
                $0.peer = visitor.client
                $0.key = KeyName(key)
            })
    }
}
