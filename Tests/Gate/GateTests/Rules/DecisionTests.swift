import AppAttest
import NIOHTTP1
import TestSupport
import Testing

@testable import Gate

@Suite("Decisions")
struct DecisionTests {
    private let verified = PeerCertificate(isVerified: true, commonName: "dev", keyUsage: .absent)

    @Test("register, connect, connect again: counters rise and the upstream is told who it is")
    func wholeFlow() async throws {
        let site = try Site()
        let device = FormDevice(1)
        #expect(try await site.register(device).status == 200)
        #expect(try await site.connect(device, counter: 1).status == 101)
        let reply = try await site.connect(device, counter: 5)
        let identity = try #require(reply.admission?.identity)
        let fields = HTTPHeaders(identity.fields)
        #expect(fields["X-Gate-Auth"] == ["app-attest"] && fields["X-Gate-Sign-Count"] == ["5"])
        #expect(fields["X-Gate-App-Id"] == ["TESTTEAM01.com.example.gate"])
        #expect(fields["X-Gate-Key"].first?.utf8.count == 32)
    }

    @Test(
        "a key of an environment that the policy has left does not get in, and uses up nothing",
        arguments: [(AppAttestEnvironment.development, "production"), (.production, "development")])
    func otherEnvironment(_ environment: AppAttestEnvironment, _ policy: String) async throws {
        let site = try Site(["APPATTEST_ENVIRONMENT": policy])
        let device = try await site.registered(1)
        var record = try #require(await site.keys.records[device.keyID])
        record.environment = environment
        await site.keys.put(record)
        let reply = try await site.connect(device, counter: 1)
        #expect(reply.status == 401 && reply.code == "assertion_rejected" && reply.reason == "environment_not_allowed")
        #expect(await site.keys.records[device.keyID]?.signCount == 0)
        let both = try Site(["APPATTEST_ENVIRONMENT": "both"])
        await both.keys.put(record)
        #expect(try await both.connect(device, counter: 1).status == 101)
    }

    @Test("of sixteen upgrades with one assertion one gets in", arguments: ["stored", "sealed"])
    func oneAssertion(_ mode: String) async throws {
        let site = try Site(["NONCE_MODE": mode])
        let device = try await site.registered(1)
        let nonce = try await site.nonce()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { try await site.connect(device, counter: 1, nonce: nonce).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 101 }.count == 1 && statuses.filter { $0 == 401 }.count == 15)
    }

    @Test("of sixteen counters at once those that get in rise strictly")
    func shuffledCounters() async throws {
        let site = try Site(["FAILED_AUTH_RATE": "off", "MAX_CONNECTIONS_PER_KEY": "100"])
        let device = try await site.registered(1)
        var nonces: [(UInt32, String)] = []
        for counter in UInt32(1)...16 { nonces.append((counter, try await site.nonce())) }
        let admitted = try await withThrowingTaskGroup(of: UInt32?.self) { group in
            for (counter, nonce) in nonces.shuffled() {
                group.addTask {
                    try await site.connect(device, counter: counter, nonce: nonce).status == 101 ? counter : nil
                }
            }
            return try await group.reduce(into: [UInt32]()) { if let counter = $1 { $0.append(counter) } }
        }
        #expect(admitted.contains(16) && Set(admitted).count == admitted.count)
        #expect(await site.keys.records[device.keyID]?.signCount == 16)
    }

    @Test("a nonce is used up by whatever comes with it")
    func nonceFirst() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        let nonce = try await site.nonce()
        let wrong = Site.assertion(device, nonce, counter: 1, by: FormDevice(2))
        #expect(await site.send("GET", "/", Site.handshake + wrong).reason == "signature_invalid")
        #expect(try await site.connect(device, counter: 1, nonce: nonce).code == "nonce_invalid")
        let other = try await site.nonce()
        #expect(try await site.register(FormDevice(3), nonce: other, over: nonce).reason == "nonce_mismatch")
        #expect(try await site.register(FormDevice(3), nonce: other).code == "nonce_invalid")
    }

    @Test("a nonce lives a minute", arguments: ["stored", "sealed"])
    func nonceLifetime(_ mode: String) async throws {
        let site = try Site(["NONCE_MODE": mode])
        let device = try await site.registered(1)
        let (first, second) = (try await site.nonce(), try await site.nonce())
        site.clock.advance(milliseconds: 59_000)
        #expect(try await site.connect(device, counter: 1, nonce: first).status == 101)
        site.clock.advance(milliseconds: 5_000)
        #expect(try await site.connect(device, counter: 2, nonce: second).code == "nonce_invalid")
    }

    @Test("a wall clock that is set neither ends nor revives a nonce of this process", arguments: ["stored", "sealed"])
    func clockSteps(_ mode: String) async throws {
        let site = try Site(["NONCE_MODE": mode])
        let device = try await site.registered(1)
        let nonce = try await site.nonce()
        site.clock.setWall(site.clock.now + 3_600_000)
        #expect(try await site.connect(device, counter: 1, nonce: nonce).status == 101)
        let old = try await site.nonce()
        // With what a sealed time is rounded up and may be off.
        site.clock.advance(milliseconds: 64_000)
        site.clock.setWall(site.clock.now - 3_600_000)
        #expect(try await site.connect(device, counter: 2, nonce: old).code == "nonce_invalid")
    }

    @Test("where gates share a store, no sealed nonce lives longer than one that was issued now, or past its end")
    func sharedClock() async throws {
        let clock = StillClock()
        let issuer = NonceIssuer(
            .sealed(NonceSeal()), lifetime: .seconds(60), bindsAddress: false, store: ScriptedNonceStore(),
            isShared: true, clock: clock, random: SeededRandom())
        func issue() async throws -> [UInt8] {
            try #require(try await issuer.issue(to: Site.address, owner: ClientKey(Site.address))).nonce
        }
        // The clock of all went back, and with it what is remembered of used ones.
        let future = try await issue()
        clock.setWall(clock.now - .seconds(3_600))
        #expect(issuer.open(future, from: Site.address) == nil)
        let good = try #require(issuer.open(try await issue(), from: Site.address))
        #expect(try await issuer.markUsed(good, by: ClientKey(Site.address)))
        #expect(try await !issuer.markUsed(good, by: ClientKey(Site.address)))
        let late = try await issue()
        clock.setWall(clock.now + .seconds(60) + NonceIssuer.skew + .seconds(1))
        #expect(issuer.open(late, from: Site.address) == nil)
    }

    @Test("a sealed nonce that was changed in any bit was never issued")
    func sealedMauled() async throws {
        let seal = NonceSeal()
        var random = SplitMix64(state: 1)
        let nonce = seal.nonce(expirySeconds: 7, random: (0..<11).map { _ in random.byte() }, binding: [])
        #expect(seal.expirySeconds(nonce, binding: []) == 7)
        for bit in 0..<256 { #expect(seal.expirySeconds(nonce.flipping(bit: bit), binding: []) == nil) }
        #expect(seal.expirySeconds(nonce, binding: [1]) == nil && NonceSeal().expirySeconds(nonce, binding: []) == nil)
        #expect(seal.expirySeconds(Array(nonce.dropLast()), binding: []) == nil)
    }

    @Test("sealed nonces that nobody has signed over keep nothing, and lock nobody out")
    func sealedWithoutProof() async throws {
        let store = MemoryNonceStore(maximumNonces: 16)
        let site = try Site(
            ["NONCE_MODE": "sealed", "CHALLENGE_RATE": "off", "REGISTER_RATE": "off"], nonceStore: store)
        let device = try await site.registered(1)
        for number in UInt32(0)..<40 {
            let address = IPAddress(v4: number)
            let nonce = try await site.nonce(from: address)
            // Of a key that is not there, and forged for one that is.
            #expect(try await site.connect(FormDevice(2), counter: 1, nonce: nonce, from: address).status == 401)
            let forged = Site.handshake + Site.assertion(device, nonce, counter: 1, by: FormDevice(2))
            #expect(await site.send("GET", "/", forged, from: address).reason == "signature_invalid")
            #expect(try await site.register(FormDevice(3), nonce: nonce, over: site.nonce()).status == 403)
        }
        #expect(store.count() == 0)
        #expect(try await site.connect(device, counter: 1).status == 101)
        #expect(store.count() == 1)
    }

    @Test("a key that uses sealed nonces without end spends its own places, and still none of them twice")
    func sealedByOneKey() async throws {
        let site = try Site(
            ["NONCE_MODE": "sealed", "MAX_CONNECTIONS_PER_KEY": "100", "CHALLENGE_RATE": "off"],
            nonceStore: MemoryNonceStore(maximumNonces: 16))
        let (busy, other) = (try await site.registered(1), try await site.registered(2))
        let first = try await site.nonce()
        #expect(try await site.connect(busy, counter: 1, nonce: first).status == 101)
        for counter in UInt32(2)...40 { #expect(try await site.connect(busy, counter: counter).status == 101) }
        #expect(try await site.connect(other, counter: 1).status == 101)
        #expect(try await site.connect(busy, counter: 1, nonce: first).status == 401)
        // One that is remembered is told as what it is, by its counter or without.
        let last = try await site.nonce()
        #expect(try await site.connect(busy, counter: 41, nonce: last).status == 101)
        #expect(try await site.connect(busy, counter: 41, nonce: last).code == "nonce_invalid")
        #expect(try await site.connect(busy, counter: 42, nonce: last).code == "nonce_invalid")
    }

    @Test("a nonce store without room is told to balancers, however well it counts")
    func nonceStoreWithoutRoom() async throws {
        let store = MemoryNonceStore(maximumNonces: 16)
        let site = try Site(["NONCE_MODE": "sealed"], nonceStore: store)
        let device = try await site.registered(1)
        let end = site.clock.now + .seconds(60)
        for number in 0..<16 {
            let owner = ClientKey(high: 1, low: UInt64(number))
            #expect(try store.markUsed(Keys.nonce(number), expiresAt: end, owner: owner, now: site.clock.now))
        }
        for counter in UInt32(1)...3 {
            #expect(try await site.connect(device, counter: counter).code == "store_unavailable")
            await site.gate.sweepStores()
        }
        #expect(await site.send("GET", "/readyz").status == 503)
        site.clock.advance(milliseconds: 60_000)
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 200)
        #expect(try await site.connect(device, counter: 4).status == 101)
    }

    @Test("issuing sealed nonces keeps nothing")
    func sealedFlood() async throws {
        let site = try Site(["NONCE_MODE": "sealed", "CHALLENGE_RATE": "off"])
        for number in 0..<2_000 {
            let reply = await site.send("GET", "/attest/challenge", from: IPAddress(v4: UInt32(number)))
            #expect(reply.status == 200)
        }
        #expect(await site.nonces.largest == 0)
    }

    @Test("a bound nonce is unknown from elsewhere, and stays its owner's", arguments: ["stored", "sealed"])
    func boundNonce(_ mode: String) async throws {
        let site = try Site(["NONCE_MODE": mode, "NONCE_BIND_IP": "true"])
        let device = try await site.registered(1)
        let nonce = try await site.nonce()
        let thief = IPAddress(v4: 0xc633_6401)
        #expect(try await site.connect(device, counter: 1, nonce: nonce, from: thief).code == "nonce_invalid")
        #expect(try await site.connect(device, counter: 1, nonce: nonce).status == 101)
    }

    @Test("a bad assertion never falls through to the certificate")
    func noFallThrough() async throws {
        let mtls = ["ALLOW_MTLS_FALLBACK": "true", "APP_ENV": "test", "MTLS_CLIENT_CA_PATH": "ca.pem"]
        let site = try Site(mtls.merging(Site.tls) { $1 })
        #expect(await site.send("GET", "/", Site.handshake, certificate: verified).status == 101)
        #expect(await site.send("GET", "/", Site.handshake).code == "app_auth_required")
        let device = try await site.registered(1)
        let nonce = try await site.nonce()
        let bad = Site.assertion(device, nonce, counter: 1, by: FormDevice(2))
        #expect(await site.send("GET", "/", Site.handshake + bad, certificate: verified).status == 401)
        for header in bad {
            #expect(await site.send("GET", "/", Site.handshake + [header], certificate: verified).status == 400)
        }
        let other = [("X-App-Assert-Other", "1")]
        #expect(await site.send("GET", "/", Site.handshake + other, certificate: verified).status == 400)
        #expect(site.events.events.filter { $0.name == .clientCertificateUsed }.count == 1)
    }

    @Test("a certificate counts only where everything is as it has to be")
    func certificates() {
        func rule(_ isAllowed: Bool = true, _ place: DeploymentEnvironment = .test, tls: Bool = true, ca: Bool = true)
            -> ClientCertificateRule
        {
            ClientCertificateRule(
                isAllowed: isAllowed, environment: place, hasTLS: tls, hasAuthorities: ca, allowedSubjects: ["dev"])
        }
        #expect(rule().admits(verified))
        for bad in [rule(false), rule(true, .production), rule(tls: false), rule(ca: false)] {
            #expect(!bad.admits(verified))
        }
        #expect(!rule().admits(nil))
        #expect(!rule().admits(PeerCertificate(isVerified: false, commonName: "dev", keyUsage: .absent)))
        #expect(!rule().admits(PeerCertificate(isVerified: true, commonName: "Dev", keyUsage: .absent)))
        #expect(!rule().admits(PeerCertificate(isVerified: true, commonName: nil, keyUsage: .absent)))
        let server = PeerCertificate.ExtendedKeyUsage.present(clientAuthentication: false)
        #expect(!rule().admits(PeerCertificate(isVerified: true, commonName: "dev", keyUsage: server)))
    }

    @Test("a revoked key stays out, and is only told so to who holds it")
    func revoked() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        _ = try await site.keys.revoke(device.keyID, Revocation(at: 1, reason: "lost"))
        #expect(try await site.connect(device, counter: 1).code == "key_revoked")
        let forged = Site.assertion(device, try await site.nonce(), counter: 1, by: FormDevice(2))
        #expect(await site.send("GET", "/", Site.handshake + forged).reason == "signature_invalid")
        #expect(await site.keys.records[device.keyID]?.signCount == 0)
    }

    @Test("too many keys on one device are flagged or denied", arguments: [("flag", 101), ("deny", 401)])
    func risk(_ action: String, _ status: Int) async throws {
        let site = try Site(["RISK_MAX": "3", "RISK_ACTION": action])
        let device = try await site.registered(1)
        _ = try await site.keys.updateReceipt(
            device.keyID, expecting: nil, new: StoredReceipt(bytes: [1], riskMetric: 4))
        #expect(try await site.connect(device, counter: 1).status == status)
        #expect(site.events.events.contains { $0.name == .riskFlagged } == (action == "flag"))
        #expect(site.events.events.contains { $0.name == .riskDenied } == (action == "deny"))
        #expect(site.gate.metrics.riskVerdicts.value(action == "deny" ? .denied : .flagged) == 1)
    }

    @Test("a store that fails lets nobody in, and the third failure in a row is told to balancers")
    func storeFailure() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        let nonces = [try await site.nonce(), try await site.nonce()]
        await site.keys.fail(with: .unavailable("password=hunter2"))
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 200)
        for nonce in nonces {
            let reply = try await site.connect(device, counter: 1, nonce: nonce)
            #expect(
                reply.status == 503 && reply.code == "store_unavailable" && reply.headers.contains(name: "Retry-After"))
            #expect(!reply.text.contains("hunter2"))
        }
        #expect(await site.send("GET", "/readyz").member("status") == "store_unavailable")
        await site.keys.fail(with: nil)
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 200)
    }

    @Test("whether the gate is ready may be asked without end: no store is asked for it")
    func readyWithoutStore() async throws {
        let site = try Site()
        await site.gate.sweepStores()
        for _ in 0..<100 { #expect(await site.send("GET", "/readyz").status == 200) }
        #expect(await site.keys.checks == 1)
        await site.keys.failChecks(with: .unavailable("gone"))
        for _ in 0..<3 {
            #expect(await site.send("GET", "/readyz").status == 200)
            await site.gate.sweepStores()
        }
        for _ in 0..<100 { #expect(await site.send("GET", "/readyz").status == 503) }
        #expect(await site.keys.checks == 4)
    }

    @Test("what a store answers from memory does not say that its disk is back")
    func memoryIsNoDisk() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        await site.keys.failChecks(with: .unavailable("no space left"))
        for _ in 0..<3 {
            // What a gate does each second, and what its clients do, is answered.
            await site.gate.sweepStores()
            _ = try await site.connect(device, counter: 0)
        }
        for _ in 0..<3 {
            #expect(await site.send("GET", "/readyz").status == 503)
            await site.gate.sweepStores()
        }
        await site.keys.failChecks(with: nil)
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 200)
    }

    @Test("a nonce store that fails is told too, and tidying finds out that it is back")
    func nonceStoreFailure() async throws {
        let site = try Site()
        await site.nonces.fail(with: .unavailable("down"))
        for _ in 0..<3 { #expect(await site.send("GET", "/attest/challenge").status == 503) }
        #expect(await site.send("GET", "/readyz").status == 503)
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 503)
        await site.nonces.fail(with: nil)
        await site.gate.sweepStores()
        #expect(await site.send("GET", "/readyz").status == 200)
        _ = try await site.nonce()
        await site.gate.sweepStores()
        #expect(site.gate.metrics.nonces.value == 1)
        site.clock.advance(milliseconds: 60_001)
        await site.gate.sweepStores()
        #expect(site.gate.metrics.nonces.value == 0)
    }

    @Test("a verifier without room is 503, not a rejection", arguments: [VerificationFailure.overloaded, .unavailable])
    func noRoom(_ failure: VerificationFailure) async throws {
        let site = try Site(verifier: FormVerifier(failure: failure))
        let reply = try await site.register(FormDevice(1))
        #expect(
            reply.status == 503 && reply.code == (failure == .overloaded ? "overloaded" : "attestation_unavailable"))
    }

    @Test("failures are limited; who holds a good key gets in behind the same address")
    func failures() async throws {
        let site = try Site(["FAILED_AUTH_RATE": "3/60s", "CHALLENGE_RATE": "off"])
        let device = try await site.registered(1)
        for _ in 0..<3 { #expect(try await site.connect(FormDevice(2), counter: 1).code == "unknown_key") }
        let reply = try await site.connect(FormDevice(2), counter: 1)
        #expect(reply.status == 429 && reply.headers.contains(name: "Retry-After"))
        #expect(try await site.connect(device, counter: 1).status == 101)
        let elsewhere = IPAddress(v4: 0xcb00_7101)
        #expect(try await site.connect(FormDevice(2), counter: 1, from: elsewhere).code == "unknown_key")
    }

    @Test("a key that has another public key is a conflict, and nothing changes")
    func conflict() async throws {
        let site = try Site()
        let device = try await site.registered(1, counter: 9)
        var record = try #require(await site.keys.records[device.keyID])
        record.publicKey = [4] + Array(repeating: 7, count: 64)
        await site.keys.put(record)
        #expect(try await site.register(FormDevice(1)).status == 403)
        #expect(await site.keys.records[record.id] == record)
        #expect(site.events.events.contains { $0.name == .keyConflict })
    }

    @Test("another proxy may ask, and is told who it is")
    func forwardAuth() async throws {
        let site = try Site(["FORWARD_AUTH_PATH": "/attest/verify"])
        let device = try await site.registered(1)
        let headers = Site.assertion(device, try await site.nonce(), counter: 1)
        let good = await site.send("GET", "/attest/verify?x", headers)
        #expect(good.status == 204 && good.headers["X-Gate-Auth"] == ["app-attest"] && good.body.isEmpty)
        #expect(await site.send("GET", "/attest/verify", headers).code == "nonce_invalid")
        #expect(await site.send("GET", "/attest/verify").code == "app_auth_required")
        #expect(await site.send("HEAD", "/attest/verify").status == 405)
        #expect(site.gate.caps.total == 0)
    }

    @Test("a certificate opens nothing where another proxy asks: it would be the proxy's own")
    func forwardAuthWithCertificate() async throws {
        let mtls = ["ALLOW_MTLS_FALLBACK": "true", "APP_ENV": "test", "MTLS_CLIENT_CA_PATH": "ca.pem"]
        let site = try Site(mtls.merging(Site.tls) { $1 }.merging(["FORWARD_AUTH_PATH": "/attest/verify"]) { $1 })
        #expect(await site.send("GET", "/", Site.handshake, certificate: verified).status == 101)
        #expect(await site.send("GET", "/attest/verify", certificate: verified).code == "app_auth_required")
        #expect(site.events.events.filter { $0.name == .clientCertificateUsed }.count == 1)
    }

    @Test("what the gate cannot find out does not count against who has asked")
    func outage() async throws {
        let site = try Site(["CHALLENGE_RATE": "off"])
        let device = try await site.registered(1)
        for counter in UInt32(1)...40 {
            let nonce = try await site.nonce()
            await site.keys.fail(with: .unavailable("gone"))
            #expect(try await site.connect(device, counter: counter, nonce: nonce).code == "store_unavailable")
            await site.keys.fail(with: nil)
        }
        // Were they failures of the client, this one would be too much.
        #expect(try await site.connect(FormDevice(2), counter: 1).code == "unknown_key")
        #expect(try await site.connect(device, counter: 41).status == 101)
    }

    @Test("connections are counted for all, for a client and for a key, and given back")
    func caps() async throws {
        let site = try Site([
            "MAX_CONNECTIONS": "3", "MAX_CONNECTIONS_PER_IP": "2", "MAX_CONNECTIONS_PER_KEY": "1",
            "CHALLENGE_RATE": "off", "KEY_SHARE_CONNECTIONS": "0",
        ])
        let (first, second, third) = (
            try await site.registered(1), try await site.registered(2), try await site.registered(3)
        )
        let held = try await site.connect(first, counter: 1)
        #expect(held.status == 101)
        #expect(try await site.connect(first, counter: 2).status == 429)
        var other: Site.Reply? = try await site.connect(second, counter: 1)
        #expect(other?.status == 101)
        #expect(try await site.connect(third, counter: 1).status == 429)
        let elsewhere = try await site.connect(third, counter: 2, from: IPAddress(v4: 9))
        #expect(elsewhere.status == 101)
        #expect(await site.send("GET", "/", Site.handshake, from: IPAddress(v4: 8)).code == "overloaded")
        other = nil
        #expect(site.gate.caps.total == 2)
        held.admission?.lease.end()
        held.admission?.lease.end()
        #expect(site.gate.caps.total == 1)
        withExtendedLifetime(elsewhere) {}
    }

    @Test("without authentication the caps still hold")
    func openGate() async throws {
        let site = try Site(["REQUIRE_APP_AUTH": "false", "MAX_CONNECTIONS_PER_IP": "1"])
        let first = await site.send("GET", "/", Site.handshake)
        #expect(first.admission?.identity == Identity.none)
        #expect(await site.send("GET", "/", Site.handshake).status == 429)
    }

    @Test("a generic gate gives no reason away")
    func genericErrors() async throws {
        let site = try Site(["ERROR_DETAIL": "generic"])
        let reply = try await site.register(FormDevice(1), over: site.nonce())
        #expect(
            reply.code == "attestation_rejected" && reply.reason == nil && reply.member("requestId")?.utf8.count == 16)
    }

    @Test("a reload changes limits and origins at once")
    func reload() async throws {
        let site = try Site(["CHALLENGE_RATE": "1/60s"])
        #expect(await site.send("GET", "/attest/challenge").status == 200)
        #expect(await site.send("GET", "/attest/challenge").status == 429)
        let new = try Site(["CHALLENGE_RATE": "9/60s", "ALLOWED_ORIGINS": "https://a.example"]).configuration
        site.gate.reload(site.configuration.reloading(new).settings)
        #expect(await site.send("GET", "/attest/challenge").status == 200)
        #expect(await site.send("GET", "/", Site.handshake).code == "origin_not_allowed")
    }
}
