import AppAttest
import TestSupport
import Testing
import TextForms

@testable import Gate

/// Many behind one address, as behind a carrier's NAT: one of them floods, and another has a registered key.
@Suite("A key's own share")
struct KeyShareTests {
    /// A challenge that names a key, in whatever way.
    private func challenge(_ site: Site, naming key: KeyID, from address: IPAddress = Site.address) async -> Site.Reply
    {
        await site.send(
            "GET", "/attest/challenge", [("X-App-Assert-KeyId", Base64.encode(key.bytes))], from: address)
    }

    private func connect(
        _ site: Site, _ device: FormDevice, counter: UInt32, from address: IPAddress = Site.address
    ) async throws -> Site.Reply {
        let nonce = try #require(await challenge(site, naming: device.keyID, from: address).member("nonce"))
        return try await site.connect(device, counter: counter, nonce: nonce, from: address)
    }

    /// Spends everything that the address has: challenges, registrations and failed assertions.
    private func flood(_ site: Site) async throws {
        var nonces: [String] = []
        while let nonce = await site.send("GET", "/attest/challenge").member("nonce") { nonces.append(nonce) }
        #expect(nonces.count == 30)
        var limited = 0
        for nonce in nonces {
            if try await site.register(FormDevice(200), nonce: nonce, over: nonces[0]).status == 429 { limited += 1 }
        }
        #expect(limited == 25)
        let stranger = FormDevice(201)
        for _ in 0..<30 { _ = try await site.connect(stranger, counter: 1, nonce: nonces[29]) }
        #expect(try await site.connect(stranger, counter: 1, nonce: nonces[29]).status == 429)
        #expect(await site.send("GET", "/attest/challenge").status == 429)
    }

    @Test("a registered device gets in behind an address that has spent everything, and six times a minute")
    func registeredDevice() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        try await flood(site)
        for counter in UInt32(1)...6 { #expect(try await connect(site, device, counter: counter).status == 101) }
        let reply = await challenge(site, naming: device.keyID)
        #expect(reply.status == 429 && reply.code == "rate_limited")
        #expect(site.gate.metrics.keyShares.value(.challenge) == 6)
        // The address itself has got nothing of it.
        #expect(await site.send("GET", "/attest/challenge").status == 429)
        site.clock.advance(milliseconds: 120_000)
        try await flood(site)
        #expect(try await connect(site, device, counter: 7).status == 101)
    }

    @Test("naming keys that do not exist, in any form, brings nothing and costs no share")
    func unknownKeys() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        try await flood(site)
        for number in UInt8(2)..<200 {
            let reply = await challenge(site, naming: FormDevice(number).keyID)
            #expect(reply.status == 429 && reply.headers.contains(name: "Retry-After"))
        }
        for text in ["", "x", String(repeating: "A", count: 5_000), Base64.encode(Array(repeating: 1, count: 31))] {
            #expect(await site.send("GET", "/attest/challenge", [("X-App-Assert-KeyId", text)]).status == 429)
        }
        let name = Base64.encode(device.keyID.bytes)
        let twice = [("X-App-Assert-KeyId", name), ("X-App-Assert-KeyId", name)]
        #expect(await site.send("GET", "/attest/challenge", twice).status == 429)
        #expect(site.gate.metrics.keyShares.value(.challenge) == 0)
        #expect(try await connect(site, device, counter: 1).status == 101)
    }

    @Test("invented names use up the searches of another machine's store, and not the shares of keys that signed here")
    func remoteStore() async throws {
        let site = try Site(keys: ScriptedKeyStore(isLocal: false))
        let (device, newcomer) = (try await site.registered(1), try await site.registered(2))
        #expect(try await connect(site, device, counter: 1).status == 101)
        for _ in 0..<30 { _ = await site.send("GET", "/attest/challenge") }
        for number in UInt8(3)..<200 { _ = await challenge(site, naming: FormDevice(number).keyID) }
        #expect(await challenge(site, naming: newcomer.keyID).status == 429)
        #expect(try await connect(site, device, counter: 2).status == 101)
        // As soon as the flooder leaves a search over, who has not been here gets in too.
        site.clock.advance(milliseconds: 1_000)
        #expect(try await connect(site, newcomer, counter: 1).status == 101)
    }

    @Test(
        "who fails without end makes a database work no more, and each registered key behind his address gets in",
        arguments: ["stored", "sealed"])
    func failuresAtDatabase(_ mode: String) async throws {
        let site = try Site(
            ["NONCE_MODE": mode, "FAILED_AUTH_RATE": "3/60s", "CHALLENGE_RATE": "off"],
            keys: ScriptedKeyStore(isLocal: false))
        let (device, newcomer) = (try await site.registered(1), try await site.registered(2))
        #expect(try await site.connect(device, counter: 1).status == 101)
        // A sealed nonce is good for as long as nobody signs over it.
        let nonce = if mode == "sealed" { try await site.nonce() } else { String(repeating: "ab", count: 32) }
        let before = (uses: await site.nonces.uses, searches: await site.keys.searches)
        var codes: [String?] = []
        for number in 0..<500 {
            codes.append(try await site.connect(FormDevice(UInt8(3 + number % 200)), counter: 1, nonce: nonce).code)
        }
        #expect(codes[..<3].allSatisfy { $0 == (mode == "sealed" ? "unknown_key" : "nonce_invalid") })
        #expect(codes[3...].allSatisfy { $0 == "rate_limited" })
        #expect(await site.nonces.uses - before.uses <= 3)
        #expect(await site.keys.searches - before.searches <= 3 + KeyShares.searches.burst)
        for counter in UInt32(2)...7 { #expect(try await site.connect(device, counter: counter).status == 101) }
        #expect(try await site.connect(device, counter: 8).status == 429)
        #expect(try await site.connect(device, counter: 8, from: IPAddress(v4: 9)).status == 101)
        #expect(site.gate.metrics.keyShares.value(.failedAuthentication) == 6)
        // As soon as the flooder leaves a search over, a key that has not been here gets in too.
        #expect(try await site.connect(newcomer, counter: 1).status == 429)
        site.clock.advance(milliseconds: 1_000)
        #expect(try await site.connect(newcomer, counter: 1).status == 101)
    }

    @Test("what a flooder gets by naming a key that exists is that key's share, once for all addresses")
    func stolenName() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        try await flood(site)
        var got = 0
        for _ in 0..<100 where await challenge(site, naming: device.keyID).status == 200 { got += 1 }
        #expect(got == 6)
        // Behind addresses that have not spent theirs the key is as free as before.
        #expect(try await connect(site, device, counter: 1, from: IPAddress(v4: 9)).status == 101)
    }

    @Test("failed assertions in the name of a key count for the address and never against the key")
    func forgedAssertions() async throws {
        let site = try Site(["CHALLENGE_RATE": "off"])
        let device = try await site.registered(1)
        var codes: [String?] = []
        for _ in 0..<40 {
            let nonce = try await site.nonce()
            let forged = Site.assertion(device, nonce, counter: 9, by: FormDevice(2))
            codes.append(await site.send("GET", "/", Site.handshake + forged).code)
        }
        #expect(codes.filter { $0 == "assertion_rejected" }.count == 20)
        #expect(codes.suffix(20).allSatisfy { $0 == "rate_limited" })
        #expect(!site.gate.isProven(device.keyID))
        #expect(try await site.connect(device, counter: 1).status == 101)
        #expect(site.gate.isProven(device.keyID))
    }

    @Test("a key that was revoked, or is of another environment, has no share", arguments: [true, false])
    func withdrawn(_ isRevoked: Bool) async throws {
        let site = try Site()
        let device = try await site.registered(1)
        #expect(try await site.connect(device, counter: 1).status == 101)
        var record = try #require(await site.keys.records[device.keyID])
        if isRevoked { record.revocation = Revocation(at: 1, reason: "") } else { record.environment = .development }
        await site.keys.put(record)
        let stranger = try Site()
        await stranger.keys.put(record)
        try await flood(stranger)
        #expect(await challenge(stranger, naming: device.keyID).status == 429)
        // A gate that has seen the key sign takes note when it signs again.
        _ = try await site.connect(device, counter: 2)
        #expect(site.gate.isProven(device.keyID) == false)
    }

    @Test("KEY_SHARE_RATE=off leaves everything to the address")
    func off() async throws {
        let site = try Site(["KEY_SHARE_RATE": "off", "KEY_SHARE_CONNECTIONS": "0"])
        let device = try await site.registered(1)
        #expect(try await connect(site, device, counter: 1).status == 101)
        for _ in 0..<40 { _ = await site.send("GET", "/attest/challenge") }
        #expect(await challenge(site, naming: device.keyID).status == 429)
    }

    @Test("a store on another machine is searched for claims so often for each address, and proven keys need no search")
    func searches() {
        var shares = KeyShares(RateLimit(count: 6, window: .seconds(60)))
        let client = ClientKey(Site.address)
        var searched = 0
        for _ in 0..<10_000 where shares.search(for: client, at: 5) { searched += 1 }
        #expect(searched == KeyShares.searches.burst)
        let isOtherSearched = shares.search(for: ClientKey(IPAddress(v4: 9)), at: 5)
        #expect(isOtherSearched)
        let key = FormDevice(1).keyID
        shares.note(key, isGood: false)
        #expect(!shares.isProven(key))
        shares.note(key, isGood: true)
        #expect(shares.isProven(key))
        shares.note(key, isGood: false)
        #expect(!shares.isProven(key))
    }

    @Test("keys that are refused, however many, push no proven one out")
    func refusedKeys() throws {
        var shares = KeyShares(RateLimit(count: 6, window: .seconds(60)))
        let key = FormDevice(1).keyID
        shares.note(key, isGood: true)
        for number in 0..<KeyShares.maximumKeys {
            let name = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            shares.note(try #require(KeyID(bytes: name + [UInt8](repeating: 7, count: 28))), isGood: false)
        }
        #expect(shares.isProven(key))
    }

    @Test("nonces of a proven key are not pushed out by those of its address")
    func nonces() async throws {
        let site = try Site(["CHALLENGE_RATE": "off"])
        let device = try await site.registered(1)
        _ = try await site.connect(device, counter: 1)
        _ = await challenge(site, naming: device.keyID)
        #expect(await site.nonces.owners.last == ClientKey(device.keyID))
        // A claim alone is no reason to count for the key.
        _ = await challenge(site, naming: FormDevice(2).keyID)
        #expect(await site.nonces.owners.last == ClientKey(Site.address))
    }

    // MARK: Connections

    @Test("behind an address with all its connections each key has one more, and strangers have none")
    func connections() async throws {
        let site = try Site(["MAX_CONNECTIONS_PER_IP": "3", "CHALLENGE_RATE": "off"])
        let neighbour = try await site.registered(1)
        let device = try await site.registered(2)
        var held: [Site.Reply] = []
        for counter in UInt32(1)...4 { held.append(try await site.connect(neighbour, counter: counter)) }
        #expect(held.map(\.status) == [101, 101, 101, 101], "three of the address, and its share")
        #expect(try await site.connect(neighbour, counter: 5).status == 429)
        let own = try await site.connect(device, counter: 1)
        #expect(own.status == 101 && own.admission?.lease.isShare == true)
        #expect(try await site.connect(device, counter: 2).status == 429, "one connection, and not one for each try")
        #expect(site.gate.metrics.keyShares.value(.connectionsPerClient) == 2)
        withExtendedLifetime(held) {}
        // What ends gives its place back, of the address or of the share.
        held.removeAll()
        #expect(site.gate.caps.total == 1)
        #expect(try await site.connect(device, counter: 3).admission?.lease.isShare == false)
        withExtendedLifetime(own) {}
    }

    @Test("however connections come and go, an address has no more than its own and one for each key")
    func accounting() throws {
        var random = SplitMix64(state: 5)
        let caps = ConnectionCaps(.init(total: 40, perClient: 4, perKey: 3, keyShare: 1))
        let keys: [KeyID?] = [nil] + (1...5).map { FormDevice($0).keyID }
        let clients = (1...2).map { ClientKey(IPAddress(v4: $0)) }
        var open: [ConnectionLease] = []
        for _ in 0..<20_000 {
            if Bool.random(using: &random), let place = open.indices.randomElement(using: &random) {
                open.remove(at: place).end()
            } else if let lease = try? caps.admit(
                clients.randomElement(using: &random) ?? clients[0], keys.randomElement(using: &random) ?? nil)
            {
                open.append(lease)
            }
            #expect(caps.total == open.count)
            for client in clients {
                #expect(open.count { $0.client == client && !$0.isShare } <= 4)
            }
            for key in keys.compactMap(\.self) {
                #expect(open.count { $0.key == key && $0.isShare } <= 1 && open.count { $0.key == key } <= 3)
            }
            #expect(open.allSatisfy { !$0.isShare || $0.key != nil })
        }
    }

    @Test("a neighbour who spends the messages of the address leaves each key its own")
    func messages() throws {
        let caps = ConnectionCaps(.init(total: 9, perClient: 9, perKey: 9, messagesPerClient: 32, keyShare: 1))
        let client = ClientKey(Site.address)
        let flooder = try caps.admit(client, nil)
        let device = try caps.admit(client, FormDevice(1).keyID)
        var now: UInt64 = 100_000_000_000
        for second in 0..<20 {
            let verdict = flooder.count(60, at: now)
            #expect(verdict != .within && (verdict == .close) == (second >= 9))
            #expect(device.count(1, at: now + 1) == .within && device.count(1, at: now + 2) == .within)
            now += 1_000_000_000
        }
        #expect(device.count(3, at: now) != .within, "more than its share waits as all do")
    }
}
