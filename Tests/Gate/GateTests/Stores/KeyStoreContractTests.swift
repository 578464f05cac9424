import AppAttest
import TestSupport
import Testing

@testable import Gate

@Suite("Every key store")
struct KeyStoreContractTests {
    @Test("keeps a key with everything it has", arguments: StoreKind.possible)
    func everything(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            for key in [Keys.key(1), Keys.fullKey(2)] {
                #expect(try await store.insertIfAbsent(key) == .inserted)
                #expect(try await store.key(key.id) == key)
            }
            #expect(try await store.key(Keys.id(3)) == nil)
            #expect(try await store.count() == 2)
            try await store.check()
        }
    }

    @Test("tells which keys get in no more, whoever withdrew them", arguments: StoreKind.possible)
    func withdrawn(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            // More than one question of PostgreSQL.
            let ids = (0..<1_100).map { Keys.id($0) }
            for number in 0..<1_100 where number < 4 || number > 1_095 {
                _ = try await store.insertIfAbsent(Keys.key(number))
            }
            let there = ids.filter { ids[..<4].contains($0) || ids[1_096...].contains($0) }
            #expect(try await store.withdrawn(of: there).isEmpty)
            #expect(try await store.withdrawn(of: []).isEmpty)
            #expect(try await Set(store.withdrawn(of: ids)) == Set(ids[4..<1_096]))
            _ = try await other.revoke(ids[1], Revocation(at: Keys.time, reason: ""))
            _ = try await other.delete(ids[1_098])
            #expect(try await Set(store.withdrawn(of: there)) == [ids[1], ids[1_098]])
        }
    }

    @Test("one who registers without end pushes out hardly anybody who connects", arguments: [true, false])
    func pushing(isFile: Bool) async throws {
        let folder = try TemporaryFolder()
        var options = JSONKeyStore.Options()
        options.maximumKeys = 64
        let store: any KeyStore =
            isFile
            ? try JSONKeyStore(path: folder.path("keys.json"), options, now: Keys.time, timer: ManualTimer())
            : MemoryKeyStore(maximumKeys: 64)
        for number in 0..<60 {
            _ = try await store.insertIfAbsent(Keys.key(number))
            _ = try await store.advance(Keys.id(number), to: 1, facts: .init(), now: Keys.time)
        }
        for number in 0..<300 {
            _ = try await store.insertIfAbsent(Keys.key(1_000 + number, usedAt: Keys.time + Int64(number)))
        }
        #expect(try await store.withdrawn(of: (0..<60).map { Keys.id($0) }).count <= 1)
        #expect(try await store.key(Keys.id(1_299)) != nil)
        #expect(try await store.count() == 64)
        await store.close()
    }

    @Test("leaves a key that is there exactly as it is", arguments: StoreKind.possible)
    func insertIfAbsent(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            #expect(try await store.advance(Keys.id(1), to: 7, facts: .init(), now: Keys.time) == .advanced)
            var again = Keys.fullKey(1)
            again.signCount = 0
            guard case .exists(let existing) = try await other.insertIfAbsent(again) else {
                Issue.record("it was inserted twice")
                return
            }
            #expect(existing.signCount == 7 && existing.environment == .production)
            #expect(try await store.key(Keys.id(1)) == existing)
        }
    }

    @Test("advances a counter strictly, keeps the facts, and says why it does not", arguments: StoreKind.possible)
    func advance(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            func advance(_ store: any KeyStore, _ count: UInt32, _ version: String? = nil) async throws
                -> CounterAdvance
            {
                let facts = AssertionFacts(category: version == nil ? nil : 4, bundleVersion: version)
                return try await store.advance(Keys.id(1), to: count, facts: facts, now: Keys.time + 5)
            }
            #expect(try await advance(store, 0) == .stale(current: 0))
            #expect(try await advance(store, 1, "1.1") == .advanced)
            #expect(try await store.key(Keys.id(1))?.facts == AssertionFacts(category: 4, bundleVersion: "1.1"))
            #expect(try await advance(other, 1) == .stale(current: 1))
            #expect(try await advance(other, .max) == .advanced)
            #expect(try await advance(store, 5) == .stale(current: .max))
            let key = try #require(try await store.key(Keys.id(1)))
            #expect(key.facts == AssertionFacts() && key.lastAssertedAt == key.lastUsedAt && key.lastAssertedAt != nil)
            #expect(try await store.advance(Keys.id(2), to: 1, facts: .init(), now: Keys.time) == .unknown)
            #expect(try await store.revoke(Keys.id(1), Revocation(at: Keys.time, reason: "lost")))
            #expect(try await advance(other, .max) == .revoked)
        }
    }

    @Test("lets the first revocation stand", arguments: StoreKind.possible)
    func revoke(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            let first = Revocation(at: Keys.time + 1, reason: "lost")
            #expect(try await store.revoke(Keys.id(1), first))
            #expect(try await other.revoke(Keys.id(1), Revocation(at: Keys.time + 9, reason: "again")))
            #expect(try await store.key(Keys.id(1))?.revocation == first)
            #expect(try await store.revoke(Keys.id(2), first) == false)
        }
    }

    @Test("deletes a key once", arguments: StoreKind.possible)
    func delete(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            #expect(try await store.delete(Keys.id(1)))
            #expect(try await other.delete(Keys.id(1)) == false)
            #expect(try await store.key(Keys.id(1)) == nil)
            #expect(try await store.insertIfAbsent(Keys.key(1)) == .inserted)
        }
    }

    @Test("lists every key once, page by page", arguments: StoreKind.possible)
    func list(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            // First bytes whose Base64 begins with letters of both cases, digits and signs.
            let all = (0..<23).map { Keys.key($0 &* 0x0b17_0000_0000_0000) }
            for key in all { _ = try await store.insertIfAbsent(key) }
            var found: [AttestedKey] = []
            var cursor: KeyID?
            while true {
                let page = try await store.keys(after: cursor, limit: 5)
                #expect(page.count <= 5)
                guard let last = page.last else { break }
                found += page
                cursor = last.id
            }
            #expect(found.count == all.count)
            #expect(Set(found.map(\.id)) == Set(all.map(\.id)))
            #expect(try await store.keys(after: nil, limit: 0).isEmpty)
            #expect(try await store.keys(after: nil, limit: 100) == found)
        }
    }

    @Test("finds the key that an operator names, wholly or by a beginning", arguments: StoreKind.possible)
    func named(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            // More than PostgreSQL lists at once.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1_100 { group.addTask { _ = try await store.insertIfAbsent(Keys.key(number)) } }
                try await group.waitForAll()
            }
            let listed = try await store.keys(after: nil, limit: 2_000)
            try #require(listed.count == 1_100)
            for (key, digits) in [(listed[0], 12), (listed[500], 20), (listed[1_099], 64)] {
                let name = try #require(KeyNamePrefix(String(KeyName(key.id).hex.prefix(digits))))
                #expect(try await store.keys(named: name) == [key])
            }
            let nobody = try #require(KeyNamePrefix(KeyName(Keys.id(1_100)).hex))
            #expect(try await store.keys(named: nobody).isEmpty)
        }
    }

    @Test("a key is looked for in one pass, and behind a whole name no further")
    func onePass() throws {
        let ids = (0..<100).map { Keys.id($0) }
        let name = KeyName(ids[40]).hex
        var seen: [KeyID] = []
        let watched = ids.lazy.map { id in
            seen.append(id)
            return id
        }
        #expect(try #require(KeyNamePrefix(name)).find(in: watched) == [ids[40]])
        #expect(seen == Array(ids[...40]))
        seen = []
        #expect(try #require(KeyNamePrefix(String(name.prefix(12)))).find(in: watched) == [ids[40]])
        #expect(seen == ids)
        let twice = try #require(KeyNamePrefix(String(name.prefix(12)))).find(in: [ids[40], ids[1], ids[40], ids[40]])
        #expect(twice == [ids[40], ids[40]], "it is not unique, and of how many does not matter")
    }

    @Test("reading all pages sorts the keys once, and anew when one has come or gone")
    func order() {
        let order = KeyOrder()
        var listings = 0
        func read(_ count: Int, version: Int) -> [KeyID] {
            var (found, cursor): ([KeyID], KeyID?) = ([], nil)
            while true {
                let page = order.ids(after: cursor, version: version) {
                    listings += 1
                    return (version, (0..<count).map { Keys.id($0) }.shuffled())
                }.prefix(7)
                guard let last = page.last else { return found }
                found += page
                cursor = last
            }
        }
        #expect(read(100, version: 1) == (0..<100).map { Keys.id($0) } && listings == 1)
        #expect(read(101, version: 2) == (0..<101).map { Keys.id($0) } && listings == 2)
        #expect(read(0, version: 3).isEmpty && listings == 3)
        // A cursor whose key has gone.
        #expect(order.ids(after: Keys.id(5), version: 4) { (4, [7, 5, 3, 6].map { Keys.id($0) }) }.first == Keys.id(6))
        #expect(order.ids(after: Keys.id(4), version: 4) { (4, []) }.first == Keys.id(5))
    }

    @Test("of many keys in memory each is found by its name and listed once")
    func manyKeys() async throws {
        let memory = MemoryKeyStore(maximumKeys: 200_000)
        for number in 0..<100_000 { _ = memory.insertIfAbsent(Keys.key(number)) }
        let store: any KeyStore = memory
        for number in [0, 77_777, 99_999] {
            let name = try #require(KeyNamePrefix(KeyName(Keys.id(number)).hex))
            #expect(try await store.keys(named: name) == [Keys.key(number)])
        }
        var (count, cursor): (Int, KeyID?) = (0, nil)
        while let last = try await store.keys(after: cursor, limit: 500).last {
            count += 500
            cursor = last.id
        }
        #expect(count == 100_000 && cursor == Keys.id(99_999))
    }

    @Test("replaces only the receipt that is expected", arguments: StoreKind.possible)
    func updateReceipt(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            let first = StoredReceipt(bytes: [1], riskMetric: 1, notBefore: Keys.time, expiresAt: Keys.time + 1)
            let second = StoredReceipt(bytes: [2, 0, 2])
            #expect(try await store.updateReceipt(Keys.id(1), expecting: [9], new: first) == false)
            #expect(try await store.updateReceipt(Keys.id(1), expecting: nil, new: first))
            #expect(try await other.updateReceipt(Keys.id(1), expecting: nil, new: second) == false)
            #expect(try await store.key(Keys.id(1))?.receipt == first)
            #expect(try await other.updateReceipt(Keys.id(1), expecting: [1], new: second))
            #expect(try await store.key(Keys.id(1))?.receipt == second)
            #expect(try await store.updateReceipt(Keys.id(2), expecting: nil, new: first) == false)
        }
    }

    @Test("gives a key whose receipt is due to one gate, until its lease is over", arguments: StoreKind.possible)
    func claimDueReceipts(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            let day: Int64 = 86_400_000
            /// When it may be asked for, and when it expires.
            func insert(_ number: Int, notBefore: Timestamp?, expiresAt: Timestamp?, isRevoked: Bool = false)
                async throws
            {
                var key = Keys.key(number)
                key.receipt = StoredReceipt(bytes: [UInt8(number)], notBefore: notBefore, expiresAt: expiresAt)
                if isRevoked { key.revocation = Revocation(at: Keys.time, reason: "lost") }
                _ = try await store.insertIfAbsent(key)
            }
            let now = Keys.time + day
            try await insert(1, notBefore: now, expiresAt: now + 1)
            try await insert(2, notBefore: now + 1, expiresAt: nil)
            try await insert(3, notBefore: now - 5, expiresAt: now)
            try await insert(4, notBefore: now - 5, expiresAt: nil, isRevoked: true)
            try await insert(5, notBefore: nil, expiresAt: nil)
            _ = try await store.insertIfAbsent(Keys.key(6))
            #expect(
                try await other.claimDueReceipts(now: now - 1, until: now + day, limit: 9).map(\.id) == [Keys.id(3)])
            let claimed = try await store.claimDueReceipts(now: now, until: now + 100, limit: 9)
            #expect(Set(claimed.map(\.id)) == [Keys.id(1), Keys.id(5)])
            for key in claimed {
                #expect(key.receipt?.notBefore == now + 100)
                #expect(try await other.key(key.id) == key)
            }
            #expect(
                try await other.claimDueReceipts(now: now + 99, until: now + 200, limit: 9).map(\.id) == [Keys.id(2)])
            #expect(
                try await other.claimDueReceipts(now: now + 100, until: now + 200, limit: 9).map(\.id) == [Keys.id(5)])
        }
    }

    @Test("gives each due key to one of 8 tasks", arguments: StoreKind.possible)
    func claimRace(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            for number in 0..<12 {
                var key = Keys.key(number)
                key.receipt = StoredReceipt(bytes: [1], notBefore: Keys.time)
                _ = try await store.insertIfAbsent(key)
            }
            let claimed = try await withThrowingTaskGroup(of: [KeyID].self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try await (task % 2 == 0 ? store : other)
                            .claimDueReceipts(now: Keys.time, until: Keys.time + 1, limit: 5).map(\.id)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(claimed).count == claimed.count)
            let rest = try await store.claimDueReceipts(now: Keys.time, until: Keys.time + 1, limit: 12)
            #expect(claimed.count + rest.count == 12)
        }
    }

    @Test("forgets the keys that were not used for the longest time first", arguments: StoreKind.possible)
    func removeUnused(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            let (now, day) = (SystemClock().now, Duration.seconds(86_400))
            func removeUnused(limit: Int) async throws -> Int {
                try await store.removeUnused(for: day * 10, now: now, limit: limit)
            }
            for number in [3, 1, 4, 2, 5] {
                _ = try await store.insertIfAbsent(Keys.key(number, usedAt: now - day * (14 - number) + .seconds(600)))
            }
            // Not until Apple has heard of the ban.
            _ = try await store.insertIfAbsent(Keys.key(6, usedAt: now - day * 99))
            _ = try await store.ban(Keys.id(6), Revocation(at: now, reason: "lost"))
            #expect(try await removeUnused(limit: 2) == 2)
            let rest = (3...6).map { Keys.id($0) }
            #expect(try await Set(store.keys(after: nil, limit: 9).map(\.id)) == Set(rest))
            #expect(try await removeUnused(limit: 9) == 1)
            #expect(try await removeUnused(limit: 9) == 0)
            #expect(try await store.settleDeviceBan(Keys.id(6)))
            #expect(try await removeUnused(limit: 9) == 1)
            #expect(try await store.count() == 2)
        }
    }

    @Test(
        "a gate whose clock is ahead forgets nothing that others share",
        arguments: StoreKind.possible.filter { $0 == .postgres })
    func clockAhead(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            _ = try await store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time)
            let day = Duration.seconds(86_400)
            #expect(try await other.removeUnused(for: day * 90, now: SystemClock().now + day * 100, limit: 9) == 0)
            #expect(try await store.key(Keys.id(1)) != nil)
        }
    }

    @Test("keys that are being used are not forgotten", arguments: StoreKind.possible)
    func noteUse(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            let (now, day) = (SystemClock().now, Duration.seconds(86_400))
            // More than one question of PostgreSQL.
            let used = (0..<1_100).map { Keys.id($0) }
            for number in [0, 1_099, 2_000] {
                _ = try await store.insertIfAbsent(Keys.key(number, usedAt: now - day * 100))
            }
            try await other.noteUse(of: used, now: now)
            try await other.noteUse(of: [], now: now)
            #expect(try await store.removeUnused(for: day * 90, now: now, limit: 9) == 1)
            #expect(try await Set(store.keys(after: nil, limit: 9).map(\.id)) == [used[0], used[1_099]])
            try await other.noteUse(of: used, now: 0)
            #expect(try await store.removeUnused(for: day * 90, now: now, limit: 9) == 0)
        }
    }

    @Test("a clock that is behind makes no key older", arguments: StoreKind.possible)
    func clockBehind(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            #expect(try await store.advance(Keys.id(1), to: 1, facts: .init(), now: 0) == .advanced)
            let key = try #require(try await store.key(Keys.id(1)))
            #expect(key.lastUsedAt >= Keys.time && key.lastAssertedAt == key.lastUsedAt)
        }
    }

    @Test("lets one of 16 tasks in with one counter", arguments: StoreKind.possible)
    func oneCounter(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            for counter in 1...20 as ClosedRange<UInt32> {
                let advanced = try await winners(0..<16) { task in
                    try await (task % 2 == 0 ? store : other)
                        .advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time) == .advanced
                }
                #expect(advanced.count == 1)
            }
        }
    }

    @Test("accepts of shuffled counters only those that rise", arguments: StoreKind.possible)
    func shuffledCounters(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            _ = try await store.insertIfAbsent(Keys.key(1))
            let accepted = try await winners((1...16).shuffled()) { counter in
                let result = try await (counter % 2 == 0 ? store : other)
                    .advance(Keys.id(1), to: UInt32(counter), facts: .init(), now: Keys.time)
                if case .stale(let current) = result { #expect(current >= UInt32(counter)) }
                return result == .advanced
            }
            #expect(accepted.contains(16))
            #expect(try await store.key(Keys.id(1))?.signCount == 16)
        }
    }

    @Test("registers a key once that 16 tasks bring", arguments: StoreKind.possible)
    func oneRegistration(kind: StoreKind) async throws {
        try await kind.withKeys { (store, other) async throws in
            for number in 0..<10 {
                let inserted = try await winners(0..<16) { task in
                    try await (task % 2 == 0 ? store : other).insertIfAbsent(Keys.key(number)) == .inserted
                }
                #expect(inserted.count == 1)
            }
        }
    }

    @Test("refuses after it was closed, or is empty", arguments: StoreKind.possible.filter { $0 != .memory })
    func closed(kind: StoreKind) async throws {
        try await kind.withKeys { (store, _) async throws in
            await store.close()
            await store.close()
            await #expect(throws: StoreError.self) { try await store.insertIfAbsent(Keys.key(1)) }
            await #expect(throws: StoreError.self) {
                try await store.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time)
            }
            await #expect(throws: StoreError.self) { try await store.check() }
        }
    }
}

/// Runs all at once, and returns those for which it was true.
func winners<Value: Sendable>(
    _ values: some Sequence<Value>, _ body: @escaping @Sendable (Value) async throws -> Bool
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Value, Bool).self) { group in
        for value in values { group.addTask { (value, try await body(value)) } }
        return try await group.reduce(into: []) { found, result in if result.1 { found.append(result.0) } }
    }
}
