import AppAttest
import TestSupport
import Testing

@testable import Gate

/// What all key stores do with accounts and bans.
@Suite("Every key store")
struct BanContractTests {
    private static func account(_ number: Int) -> AccountTag {
        AccountTag(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number &* 37 &+ $0 &* 11) })!
    }

    private func ban(_ number: Int, at time: Timestamp = Keys.time, _ reason: String = "a \"reason\" — ü") -> AccountBan
    {
        AccountBan(account: Self.account(number), at: time, reason: reason)
    }

    @Test("makes no room for others by a key whose device is still to be banned")
    func pendingStays() {
        let store = MemoryKeyStore(maximumKeys: 2)
        for number in 1...2 { _ = store.insertIfAbsent(Keys.key(number)) }
        #expect(store.ban(Keys.id(1), Revocation(at: Keys.time, reason: "")))
        for number in 3...9 { _ = store.insertIfAbsent(Keys.key(number)) }
        #expect(store.key(Keys.id(1))?.deviceBan == .pending && store.count() == 2)
    }

    @Test("binds a key to each of its accounts once, and to sixteen at most", arguments: StoreKind.possible)
    func bind(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            #expect(try await store.bind(Keys.id(1), to: Self.account(1)) == .unknown)
            _ = try await store.insertIfAbsent(Keys.key(1))
            for number in 1...16 {
                #expect(try await store.bind(Keys.id(1), to: Self.account(number)) == .bound)
                #expect(try await other.bind(Keys.id(1), to: Self.account(number)) == .bound)
            }
            #expect(try await other.bind(Keys.id(1), to: Self.account(17)) == .tooMany)
            #expect(try await store.key(Keys.id(1))?.accounts == (1...16).map(Self.account))
            // Nothing else of the key is touched.
            var key = Keys.key(1)
            key.accounts = (1...16).map(Self.account)
            #expect(try await other.key(Keys.id(1)) == key)
        }
    }

    @Test("bans an account with all its keys, and with those that come later", arguments: StoreKind.possible)
    func banAccount(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            for number in 1...4 { _ = try await store.insertIfAbsent(Keys.key(number)) }
            for (key, account) in [(1, 1), (1, 2), (2, 2), (3, 3)] {
                #expect(try await store.bind(Keys.id(key), to: Self.account(account)) == .bound)
            }
            let earlier = Revocation(at: Keys.time - 9, reason: "lost")
            _ = try await store.revoke(Keys.id(2), earlier)
            #expect(try await Set(other.ban(ban(2))) == [Keys.id(1), Keys.id(2)])
            #expect(
                try await store.key(Keys.id(1))?.revocation == Revocation(at: Keys.time, reason: "a \"reason\" — ü"))
            #expect(try await store.key(Keys.id(2))?.revocation == earlier, "the first revocation stands")
            #expect(try await store.key(Keys.id(3))?.revocation == nil)
            #expect(try await Set(store.withdrawn(of: (1...4).map(Keys.id))) == [Keys.id(1), Keys.id(2)])
            // Two keys that come later, one with an account that is fine too.
            #expect(try await store.bind(Keys.id(4), to: Self.account(2)) == .banned)
            #expect(try await store.bind(Keys.id(3), to: Self.account(2)) == .banned)
            #expect(try await store.bind(Keys.id(3), to: Self.account(3)) == .bound)
            #expect(try await store.ban(ban(2, at: Keys.time + 7, "again")).count == 4)
            #expect(try await other.bans(after: nil, limit: 9) == [ban(2)], "the first ban stands")
            #expect(try await store.liftBan(of: Self.account(2)))
            #expect(try await other.liftBan(of: Self.account(2)) == false)
            #expect(try await other.bind(Keys.id(4), to: Self.account(2)) == .bound)
            #expect(try await store.key(Keys.id(4))?.revocation != nil, "keys stay revoked")
        }
    }

    @Test("lists bans by pages", arguments: StoreKind.possible)
    func bans(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            for number in 0..<7 { #expect(try await store.ban(ban(number)).isEmpty) }
            var found: [AccountBan] = []
            while true {
                let page = try await store.bans(after: found.last?.account, limit: 3)
                guard !page.isEmpty, page.count <= 3 else { break }
                found += page
            }
            #expect(found.map(\.account.hex) == (0..<7).map { Self.account($0).hex }.sorted())
            #expect(try await store.bans(after: nil, limit: 0).isEmpty)
        }
    }

    @Test("of a binding and a ban at the same time one sees the other", arguments: StoreKind.possible)
    func race(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            for number in 1...24 {
                _ = try await store.insertIfAbsent(Keys.key(number))
                async let binding = store.bind(Keys.id(number), to: Self.account(number))
                async let banned = other.ban(ban(number))
                let (outcome, keys) = try await (binding, banned)
                #expect(outcome == .banned || keys == [Keys.id(number)], "\(number): \(outcome)")
            }
        }
    }

    @Test("bans a device once, and knows when Apple has it", arguments: StoreKind.possible)
    func deviceBan(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            let first = Revocation(at: Keys.time, reason: "cheats")
            #expect(try await store.ban(Keys.id(1), first) == false)
            _ = try await store.insertIfAbsent(Keys.key(1))
            #expect(try await store.settleDeviceBan(Keys.id(1)) == false, "nobody wanted it")
            #expect(try await store.ban(Keys.id(1), first))
            let banned = try await other.key(Keys.id(1))
            #expect(banned?.revocation == first && banned?.deviceBan == .pending)
            #expect(try await other.settleDeviceBan(Keys.id(1)))
            #expect(try await store.settleDeviceBan(Keys.id(1)) == false)
            #expect(try await store.ban(Keys.id(1), Revocation(at: Keys.time + 5, reason: "again")))
            let again = try await store.key(Keys.id(1))
            #expect(again?.revocation == first && again?.deviceBan == .set)
        }
    }

    @Test("a JSON file holds accounts and bans, and one whose bans cannot be read is refused")
    func file() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("keys.json")
        let store = try JSONKeyStore(path: path, now: Keys.time, timer: ManualTimer())
        _ = try await store.insertIfAbsent(Keys.key(1))
        _ = try await store.bind(Keys.id(1), to: Self.account(1))
        _ = try await store.ban(ban(1))
        _ = try await store.ban(ban(2, "b"))
        _ = try await store.ban(Keys.id(1), Revocation(at: 1, reason: ""))
        let before = store.key(Keys.id(1))
        await store.close()
        let again = try JSONKeyStore(path: path, now: Keys.time, timer: ManualTimer())
        #expect(again.key(Keys.id(1)) == before && before?.accounts == [Self.account(1)])
        #expect(before?.deviceBan == .pending && again.opening.skipped == 0)
        #expect(Set(again.bans(after: nil, limit: 9).map(\.reason)) == ["a \"reason\" — ü", "b"])
        await again.close()

        let tag = Self.account(1).hex
        for bans in [
            "[]", "7", #"{"x": {"bannedAt": "2026-02-17T00:00:00.000Z", "reason": ""}}"#, #"{"\#(tag)": {}}"#,
            #"{"\#(tag)": {"bannedAt": 5, "reason": ""}}"#,
            #"{"\#(tag.uppercased())": {"bannedAt": "", "reason": ""}}"#,
        ] {
            try folder.write(#"{"bannedAccounts": \#(bans)}"#, to: "bad.json")
            #expect(throws: StoreError.self, "\(bans)") {
                try JSONKeyStore(path: folder.path("bad.json"), now: Keys.time, timer: ManualTimer())
            }
        }
    }

    @Test(
        "a key whose accounts or ban make no sense is none",
        arguments: [
            #""accounts": "x""#, #""accounts": ["x"]"#, #""accounts": [7]"#, #""deviceBan": "maybe""#,
            #""deviceBan": 1"#,
        ])
    func badMembers(_ member: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("keys.json")
        let store = try JSONKeyStore(path: path, now: Keys.time, timer: ManualTimer())
        _ = try await store.insertIfAbsent(Keys.key(1))
        await store.close()
        let text = try #require(folder.text(of: "keys.json")).replacing(
            #""signCount""#, with: member + #", "signCount""#)
        try folder.write(text, to: "keys.json")
        let again = try JSONKeyStore(path: path, now: Keys.time, timer: ManualTimer())
        #expect(again.count() == 0 && again.opening.skipped == 1)
        await again.close()
    }
}
