import TestSupport
import Testing

@testable import Gate

@Suite("Every nonce store")
struct NonceStoreContractTests {
    private let client = ClientKey(high: 0, low: 0xffff_7f00_0001)
    private let later = Keys.time + 60_000

    @Test("gives an issued nonce out once", arguments: StoreKind.forNonces)
    func once(kind: StoreKind) async throws {
        try await kind.withNonces { (store, other) async throws in
            #expect(try await store.put(Keys.nonce(1), expiresAt: later, owner: client))
            #expect(try await other.put(Keys.nonce(1), expiresAt: later, owner: client) == false)
            #expect(try await store.count() == 1)
            #expect(try await other.consume(Keys.nonce(1), now: Keys.time))
            #expect(try await store.consume(Keys.nonce(1), now: Keys.time) == false)
            #expect(try await store.consume(Keys.nonce(2), now: Keys.time) == false)
            #expect(try await store.count() == 0)
        }
    }

    @Test("knows no nonce of another length", arguments: StoreKind.forNonces)
    func lengths(kind: StoreKind) async throws {
        try await kind.withNonces { (store, _) async throws in
            for length in [0, 31, 33] {
                let nonce = [UInt8](repeating: 1, count: length)
                #expect(try await store.consume(nonce, now: Keys.time) == false)
                await #expect(throws: StoreError.self) { try await store.put(nonce, expiresAt: later, owner: client) }
                await #expect(throws: StoreError.self) {
                    try await store.markUsed(nonce, expiresAt: later, owner: client, now: Keys.time)
                }
            }
        }
    }

    @Test("does not give out what has expired, and sweeps it", arguments: StoreKind.forNonces)
    func expired(kind: StoreKind) async throws {
        try await kind.withNonces { (store, other) async throws in
            // PostgreSQL goes by its own clock: what has no time left is expired there too.
            for number in 1...3 {
                #expect(try await store.put(Keys.nonce(number), expiresAt: Keys.time, owner: client))
            }
            #expect(try await store.put(Keys.nonce(4), expiresAt: later + 3_600_000, owner: client))
            #expect(try await other.consume(Keys.nonce(1), now: Keys.time) == false)
            try await other.sweep(now: Keys.time)
            #expect(try await store.count() == 1)
            #expect(try await store.consume(Keys.nonce(4), now: Keys.time))
        }
    }

    @Test("lets a sealed nonce be used once, apart from issued ones", arguments: StoreKind.forNonces)
    func used(kind: StoreKind) async throws {
        try await kind.withNonces { (store, other) async throws in
            func mark(_ store: any NonceStore, _ number: Int, expiresAt: Timestamp) async throws -> Bool {
                try await store.markUsed(Keys.nonce(number), expiresAt: expiresAt, owner: client, now: Keys.time)
            }
            #expect(try await mark(store, 1, expiresAt: later))
            #expect(try await mark(other, 1, expiresAt: later) == false)
            #expect(try await other.consume(Keys.nonce(1), now: Keys.time) == false)
            #expect(try await store.put(Keys.nonce(1), expiresAt: later, owner: client))
            #expect(try await store.consume(Keys.nonce(1), now: Keys.time))
            #expect(try await mark(store, 1, expiresAt: later) == false)
            guard kind == .postgres else { return }
            // Another gate, whose clock is behind, may still take it.
            #expect(try await mark(store, 2, expiresAt: Keys.time))
            try await store.sweep(now: Keys.time + 10_000)
            #expect(try await mark(store, 2, expiresAt: Keys.time) == false)
        }
    }

    @Test("lets one of 16 tasks in with one nonce", arguments: StoreKind.forNonces)
    func race(kind: StoreKind) async throws {
        try await kind.withNonces { (store, other) async throws in
            for number in 0..<20 {
                _ = try await store.put(Keys.nonce(number), expiresAt: later, owner: client)
                let consumed = try await winners(0..<16) { task in
                    try await (task % 2 == 0 ? store : other).consume(Keys.nonce(number), now: Keys.time)
                }
                #expect(consumed.count == 1)
                let marked = try await winners(0..<16) { task in
                    try await (task % 2 == 0 ? store : other)
                        .markUsed(Keys.nonce(number), expiresAt: later, owner: client, now: Keys.time)
                }
                #expect(marked.count == 1)
            }
        }
    }
}
