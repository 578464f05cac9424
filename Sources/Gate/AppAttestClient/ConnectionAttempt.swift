/// One way to a connection: what is to be done next, and what a refusal changes. It does nothing itself.
///
///     var attempt = ConnectionAttempt(key: stored)
///     while case let step = attempt.step { … attempt.handle(.challenge(nonce)) … }
///
/// Every way back is taken once, so that an attempt ends after a few steps whatever the gate says.
/// Source: `appattest-gate` section 3.14.
package struct ConnectionAttempt: Equatable, Sendable {
    /// What is to be done next.
    package enum Step: Equatable, Sendable {
        case generateKey
        case fetchChallenge
        case attest(keyID: String, nonce: String)
        case register(keyID: String, attestation: [UInt8], nonce: String)
        case sign(keyID: String, nonce: String)
        case open(AssertionHeaders)
        case finished
        case failed(AppAttestClientError)
    }

    /// What came of it.
    package enum Event: Equatable, Sendable {
        case generated(keyID: String)
        case challenge(nonce: String)
        case attested([UInt8])
        case registered
        case signed([UInt8])
        case opened
        case refused(GateRefusal)
        case serviceFailed(AppAttestServiceError)
    }

    /// What is to be done next.
    package private(set) var step: Step
    /// What is to be kept for the next attempt.
    package private(set) var key: RegisteredKey?

    private enum WayBack: Hashable { case newKey, newChallenge, newCounter }
    private var taken: Set<WayBack> = []

    /// - Parameter key: the one that was kept; nil for none.
    package init(key: RegisteredKey?) {
        self.key = key
        step = key == nil ? .generateKey : .fetchChallenge
    }

    /// Takes what came of the step, which leads to the next.
    package mutating func handle(_ event: Event) {
        switch (step, event) {
        case (.finished, _), (.failed, _): break
        case (.generateKey, .generated(let id)):
            key = RegisteredKey(id: id, isRegistered: false)
            step = .fetchChallenge
        case (.fetchChallenge, .challenge(let nonce)):
            guard let key else {
                step = .generateKey
                return
            }
            step = key.isRegistered ? .sign(keyID: key.id, nonce: nonce) : .attest(keyID: key.id, nonce: nonce)
        case (.attest(let keyID, let nonce), .attested(let attestation)):
            step = .register(keyID: keyID, attestation: attestation, nonce: nonce)
        case (.register, .registered):
            key?.isRegistered = true
            step = .fetchChallenge
        case (.sign(let keyID, let nonce), .signed(let assertion)):
            step = .open(AssertionHeaders(keyID: keyID, assertion: assertion, nonce: nonce))
        case (.open, .opened): step = .finished
        case (_, .refused(let refusal)): refused(refusal)
        case (_, .serviceFailed(let error)): serviceFailed(error)
        default: step = .failed(.outOfOrder)
        }
    }

    private mutating func refused(_ refusal: GateRefusal) {
        let end = AppAttestClientError(refusal)
        switch (step, refusal.code) {
        // A key is attested once: with another nonce it takes another key.
        case (.register, "nonce_invalid"): back(.newKey, or: end)
        case (.open, "unknown_key"), (.open, "key_revoked"): back(.newKey, or: end)
        case (.open, "nonce_invalid"): back(.newChallenge, or: end)
        case (.open, "assertion_rejected") where refusal.reason == nil || refusal.reason == "counter_not_increasing":
            back(.newCounter, or: end)
        // The caller could not read why: first as if the nonce were too old, then as if the key were unknown.
        case (.open, nil) where refusal.status == 401:
            back(taken.contains(.newChallenge) ? .newKey : .newChallenge, or: end)
        default: step = .failed(end)
        }
    }

    private mutating func serviceFailed(_ error: AppAttestServiceError) {
        switch (step, error) {
        case (.attest, .invalidKey), (.sign, .invalidKey): back(.newKey, or: .service(error))
        default: step = .failed(.service(error))
        }
    }

    private mutating func back(_ way: WayBack, or end: AppAttestClientError) {
        let isOpen = taken.insert(way).inserted
        if way == .newKey { key = nil }
        step = !isOpen ? .failed(end) : way == .newKey ? .generateKey : .fetchChallenge
    }
}

/// Why there is no connection.
public enum AppAttestClientError: Error, Equatable, Sendable {
    /// The gate says no, and trying again does not help.
    case refused(GateRefusal)
    /// The gate or its service cannot now. Try again after ``GateRefusal/retryAfter``, if it says when.
    case tryLater(GateRefusal)
    /// The service of the device does not do what was asked.
    case service(AppAttestServiceError)
    /// The answer to a request is not the gate's: something else stands at its address.
    case notTheGate(status: Int)
    /// The steps of an attempt were answered in another order than they were asked.
    case outOfOrder

    init(_ refusal: GateRefusal) {
        switch refusal.status {
        case 408, 429, 502, 503, 504: self = .tryLater(refusal)
        default: self = .refused(refusal)
        }
    }
}
