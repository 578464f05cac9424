internal import NIOHTTP1
internal import WebSocketFrames

/// Somebody who may connect, once the upstream is there. The lease counts the connection; let go of it when the
/// connection ends.
struct Admission: Sendable {
    let identity: Identity
    let handshake: WebSocketHandshake
    let lease: ConnectionLease
}

enum UpgradeDecision: Sendable {
    case admit(Admission)
    /// Answer with the status in place of 101.
    case refuse(Answer)
    /// Complete the handshake, close with this frame, and cut the socket after a second.
    case close(WebSocketHandshake, ClosePayload)
}

/// Source: `appattest-gate` section 3.3.
extension AccessControl {
    /// Decides about an upgrade, up to the point where the upstream is to be dialled.
    func decide(_ head: HTTPRequestHead, from visitor: Visitor) async -> UpgradeDecision {
        var identity = Identity.none
        do throws(Refusal) {
            let handshake = try checkUpgrade(head)
            identity = try await authenticate(head, from: visitor, allowsCertificates: true)
            return try admit(visitor, as: identity, by: handshake)
        } catch {
            return refuse(error, to: visitor, of: head, as: identity)
        }
    }

    /// The same where nobody has to be asked; nil where a store has.
    func decideAtOnce(_ head: HTTPRequestHead, from visitor: Visitor) -> UpgradeDecision? {
        guard !rules.requiresAuthentication else { return nil }
        do throws(Refusal) {
            return try admit(visitor, as: .none, by: checkUpgrade(head))
        } catch {
            return refuse(error, to: visitor, of: head, as: .none)
        }
    }

    /// Checks what does not depend on who asks.
    private func checkUpgrade(_ head: HTTPRequestHead) throws(Refusal) -> WebSocketHandshake {
        if isDraining { throw Refusal(.draining) }
        if caps.isFull { throw Refusal(.overloaded) }
        let handshake = try WebSocketHandshake(head)
        try checkPlace(head, withPath: true)
        return handshake
    }

    /// Tells a client that the upstream is not to be had. Its nonce and its counter are used up all the same.
    func refuse(
        _ refusal: Refusal, to visitor: Visitor, of head: HTTPRequestHead, as identity: Identity
    ) -> UpgradeDecision {
        metrics.upgrades.add(identity.method, .refused, reason: OutcomeReason(refusal))
        let answer = answer(refusal, to: visitor, key: identity.keyID)
        guard rules.rejectsByClosing, let handshake = try? WebSocketHandshake(head) else { return .refuse(answer) }
        return .close(handshake, refusal.closePayload)
    }

    /// Decides for another proxy that asks. It counts no connection: that one is the proxy's.
    func forwardAuthentication(
        _ head: HTTPRequestHead, from visitor: Visitor
    ) async -> Answer {
        do throws(Refusal) {
            try checkPlace(head, withPath: false)
            let identity = try await authenticate(head, from: visitor, allowsCertificates: false)
            noteConnected(identity, of: visitor)
            return Answer(
                status: 204, headers: identity.fields + [("X-Request-Id", visitor.requestID.description)])
        } catch {
            metrics.upgrades.add(.none, .refused, reason: OutcomeReason(error))
            return answer(error, to: visitor)
        }
    }

    private func checkPlace(_ head: HTTPRequestHead, withPath: Bool) throws(Refusal) {
        let settings = settings
        guard !withPath || settings.paths.allows(head.path) else { throw Refusal(.pathNotAllowed) }
        guard settings.origins.allows(head.headers) else { throw Refusal(.originNotAllowed) }
    }

    private func authenticate(
        _ head: HTTPRequestHead, from visitor: Visitor, allowsCertificates: Bool
    ) async throws(Refusal) -> Identity {
        guard rules.requiresAuthentication else { return .none }
        if let headers = try AssertionHeaders(head.headers) {
            return .app(try await authenticate(headers, of: visitor))
        }
        guard allowsCertificates, settings.clientCertificates.admits(visitor.certificate) else {
            throw Refusal(.appAuthRequired)
        }
        parts.events.record(
            GateEvent(.clientCertificateUsed, .warning, of: visitor).with {
                $0.detail = visitor.certificate?.commonName.map { SafeText($0) }
            })
        return .certificate(subject: visitor.certificate?.commonName)
    }

    private func admit(
        _ visitor: Visitor, as identity: Identity, by handshake: WebSocketHandshake
    ) throws(Refusal) -> UpgradeDecision {
        .admit(Admission(identity: identity, handshake: handshake, lease: try lease(visitor, identity)))
    }

    private func lease(_ visitor: Visitor, _ identity: Identity) throws(Refusal) -> ConnectionLease {
        do throws(ConnectionCaps.Refused) {
            let lease = try caps.admit(ClientKey(visitor.client), identity.keyID)
            if lease.isShare { metrics.keyShares.add(.connectionsPerClient) }
            return lease
        } catch {
            switch error {
            case .total: throw Refusal(.overloaded)
            case .perClient:
                metrics.rateLimited.add(.connectionsPerClient)
                throw .rateLimited(retryAfter: Refusal.retryTime)
            case .perKey:
                metrics.rateLimited.add(.connectionsPerKey)
                throw .rateLimited(retryAfter: Refusal.retryTime)
            }
        }
    }

    /// Notes that somebody got in: the upstream is there, and 101 was sent.
    func noteConnected(_ identity: Identity, of visitor: Visitor) {
        metrics.upgrades.add(identity.method, .admitted, reason: OutcomeReason(nil))
        parts.events.record(
            GateEvent(.admitted, of: visitor).with {
                $0.authentication = identity.method
                $0.key = identity.keyID.map(KeyName.init)
            })
    }
}
