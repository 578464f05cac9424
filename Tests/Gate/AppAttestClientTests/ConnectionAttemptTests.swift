import Testing

@testable import AppAttestClient

@Suite("The way to a connection")
struct ConnectionAttemptTests {
    private static let nonce = String(repeating: "ab", count: 32)
    private static let known = RegisteredKey(id: "old", isRegistered: true)

    /// Answers each step as if all went well, until the attempt opens a connection or ends.
    private static func run(_ attempt: inout ConnectionAttempt) {
        while true {
            switch attempt.step {
            case .generateKey: attempt.handle(.generated(keyID: "new"))
            case .fetchChallenge: attempt.handle(.challenge(nonce: nonce))
            case .attest: attempt.handle(.attested([1]))
            case .register: attempt.handle(.registered)
            case .sign: attempt.handle(.signed([2]))
            case .open, .finished, .failed: return
            }
        }
    }

    private static func refusal(_ code: String?, reason: String? = nil, status: Int = 401) -> GateRefusal {
        GateRefusal(status: status, code: code, reason: reason)
    }

    private static func opens(_ attempt: ConnectionAttempt, with keyID: String) -> Bool {
        if case .open(let headers) = attempt.step { headers.keyID == keyID } else { false }
    }

    @Test("a new installation makes a key, registers it and then signs")
    func first() {
        var attempt = ConnectionAttempt(key: nil)
        #expect(attempt.step == .generateKey)
        attempt.handle(.generated(keyID: "new"))
        #expect(attempt.key == RegisteredKey(id: "new", isRegistered: false))
        attempt.handle(.challenge(nonce: Self.nonce))
        #expect(attempt.step == .attest(keyID: "new", nonce: Self.nonce))
        attempt.handle(.attested([1]))
        #expect(attempt.step == .register(keyID: "new", attestation: [1], nonce: Self.nonce))
        attempt.handle(.registered)
        #expect(attempt.key == RegisteredKey(id: "new", isRegistered: true))
        #expect(attempt.step == .fetchChallenge)
        Self.run(&attempt)
        #expect(Self.opens(attempt, with: "new"))
        attempt.handle(.opened)
        #expect(attempt.step == .finished)
    }

    @Test("a registered key signs at once")
    func second() {
        var attempt = ConnectionAttempt(key: Self.known)
        Self.run(&attempt)
        #expect(Self.opens(attempt, with: "old"))
    }

    @Test(
        "a key that the gate does not know is given up for a new one, once", arguments: ["unknown_key", "key_revoked"])
    func newKey(_ code: String) {
        var attempt = ConnectionAttempt(key: Self.known)
        Self.run(&attempt)
        attempt.handle(.refused(Self.refusal(code)))
        #expect(attempt.key == nil)
        #expect(attempt.step == .generateKey)
        Self.run(&attempt)
        #expect(Self.opens(attempt, with: "new"))
        attempt.handle(.refused(Self.refusal(code)))
        #expect(attempt.step == .failed(.refused(Self.refusal(code))))
        #expect(attempt.key == nil)
    }

    @Test("a nonce that came too late is replaced, once")
    func newChallenge() {
        var attempt = ConnectionAttempt(key: Self.known)
        Self.run(&attempt)
        attempt.handle(.refused(Self.refusal("nonce_invalid")))
        #expect(attempt.step == .fetchChallenge)
        #expect(attempt.key == Self.known)
        Self.run(&attempt)
        attempt.handle(.refused(Self.refusal("nonce_invalid")))
        #expect(attempt.step == .failed(.refused(Self.refusal("nonce_invalid"))))
    }

    @Test("an assertion that was overtaken is made again, once", arguments: ["counter_not_increasing", nil])
    func newCounter(_ reason: String?) {
        var attempt = ConnectionAttempt(key: Self.known)
        let refusal = Self.refusal("assertion_rejected", reason: reason)
        Self.run(&attempt)
        attempt.handle(.refused(refusal))
        #expect(attempt.step == .fetchChallenge)
        Self.run(&attempt)
        attempt.handle(.refused(refusal))
        #expect(attempt.step == .failed(.refused(refusal)))
    }

    @Test("a wrong assertion is not made again")
    func wrongAssertion() {
        var attempt = ConnectionAttempt(key: Self.known)
        Self.run(&attempt)
        attempt.handle(.refused(Self.refusal("assertion_rejected", reason: "signature_invalid")))
        #expect(attempt.step == .failed(.refused(Self.refusal("assertion_rejected", reason: "signature_invalid"))))
    }

    @Test("a 401 without a code gets a new challenge, then a new key, then up")
    func unexplained() {
        var attempt = ConnectionAttempt(key: Self.known)
        Self.run(&attempt)
        attempt.handle(.refused(Self.refusal(nil)))
        Self.run(&attempt)
        #expect(Self.opens(attempt, with: "old"))
        attempt.handle(.refused(Self.refusal(nil)))
        Self.run(&attempt)
        #expect(Self.opens(attempt, with: "new"))
        attempt.handle(.refused(Self.refusal(nil)))
        #expect(attempt.step == .failed(.refused(Self.refusal(nil))))
    }

    @Test("a nonce that was used up in a registration takes a new key with it")
    func registrationNonce() {
        var attempt = ConnectionAttempt(key: nil)
        attempt.handle(.generated(keyID: "first"))
        attempt.handle(.challenge(nonce: Self.nonce))
        attempt.handle(.attested([1]))
        attempt.handle(.refused(Self.refusal("nonce_invalid")))
        #expect(attempt.step == .generateKey)
    }

    @Test("a key that left the device is replaced; one that waits for Apple stays")
    func service() {
        var gone = ConnectionAttempt(key: Self.known)
        gone.handle(.challenge(nonce: Self.nonce))
        gone.handle(.serviceFailed(.invalidKey))
        #expect(gone.step == .generateKey)

        var waiting = ConnectionAttempt(key: nil)
        waiting.handle(.generated(keyID: "new"))
        waiting.handle(.challenge(nonce: Self.nonce))
        waiting.handle(.serviceFailed(.unavailable))
        #expect(waiting.step == .failed(.service(.unavailable)))
        #expect(waiting.key == RegisteredKey(id: "new", isRegistered: false))
        var again = ConnectionAttempt(key: waiting.key)
        again.handle(.challenge(nonce: Self.nonce))
        #expect(again.step == .attest(keyID: "new", nonce: Self.nonce))
    }

    @Test("what passes with time is told apart from what does not", arguments: [429, 503, 504])
    func later(_ status: Int) {
        var attempt = ConnectionAttempt(key: Self.known)
        let refusal = GateRefusal(status: status, code: "rate_limited", retryAfter: .seconds(7))
        attempt.handle(.refused(refusal))
        #expect(attempt.step == .failed(.tryLater(refusal)))
        #expect(attempt.key == Self.known)
    }

    @Test("whatever the gate answers, an attempt ends, and an answer out of turn ends it")
    func ends() {
        let codes = ["unknown_key", "key_revoked", "nonce_invalid", "assertion_rejected", nil, "else"]
        for seed in 0..<2_000 {
            var random = UInt64(seed)
            var attempt = ConnectionAttempt(key: seed % 2 == 0 ? nil : Self.known)
            var steps = 0
            while attempt.step != .finished {
                if case .failed = attempt.step { break }
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if random >> 60 < 9 {
                    attempt.handle(.refused(Self.refusal(codes[Int(random >> 33) % codes.count])))
                } else {
                    Self.run(&attempt)
                }
                steps += 1
                guard steps < 100 else { break }
            }
            #expect(steps < 100)
        }
        var attempt = ConnectionAttempt(key: nil)
        attempt.handle(.registered)
        #expect(attempt.step == .failed(.outOfOrder))
    }

    @Test("the reason of a close frame is read")
    func closeReason() {
        #expect(GateRefusal(closeReason: "401 unknown_key") == Self.refusal("unknown_key"))
        #expect(GateRefusal(closeReason: "bye") == nil)
        #expect(GateRefusal(closeReason: "1000 x") == nil)
    }
}
