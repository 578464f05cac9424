import TestSupport
import Testing

@testable import Gate

@Suite("Nonces in memory")
struct MemoryNonceStoreTests {
    private func client(_ number: Int) -> ClientKey { ClientKey(high: 0, low: UInt64(number)) }

    @Test("the oldest makes room in a full table")
    func full() throws {
        let store = MemoryNonceStore(maximumNonces: 100)
        for number in 0..<250 {
            #expect(
                try store.put(
                    Keys.nonce(number), expiresAt: Timestamp(milliseconds: Int64(number)), owner: client(number)))
        }
        #expect(store.count() == 100)
        #expect(!store.consume(Keys.nonce(149), now: 0))
        #expect(store.consume(Keys.nonce(150), now: 0) && store.consume(Keys.nonce(249), now: 0))
    }

    @Test("a client's 65th takes the place of its own oldest, and of nobody else's")
    func clients() throws {
        let store = MemoryNonceStore()
        _ = try store.put(Keys.nonce(1_000), expiresAt: 1, owner: client(2))
        for number in 0..<1_000 { _ = try store.put(Keys.nonce(number), expiresAt: 100, owner: client(1)) }
        #expect(store.count() == 65)
        #expect(store.consume(Keys.nonce(1_000), now: 0))
        #expect(!store.consume(Keys.nonce(935), now: 0) && store.consume(Keys.nonce(936), now: 0))
        // Room that was given back can be used again.
        #expect(try store.put(Keys.nonce(2_000), expiresAt: 100, owner: client(1)))
        #expect(store.consume(Keys.nonce(937), now: 0) && store.count() == 63)
    }

    @Test("a mark of use makes room for nobody else's, and without room the gate refuses")
    func usedMarks() throws {
        let store = MemoryNonceStore(maximumNonces: 3)
        func mark(_ number: Int, expiresAt: Timestamp = 1_000, by owner: Int, now: Timestamp = 0) throws -> Bool {
            try store.markUsed(Keys.nonce(number), expiresAt: expiresAt, owner: client(owner), now: now)
        }
        for number in 0..<3 { #expect(try mark(number, by: number)) }
        #expect(throws: StoreError.self) { try mark(3, by: 3) }
        for number in 0..<3 { #expect(try !mark(number, by: 3)) }
        // Issued nonces have a table of their own.
        for number in 0..<9 { #expect(try store.put(Keys.nonce(number), expiresAt: 1_000, owner: client(number))) }
        #expect(store.count() == 6)
        #expect(throws: StoreError.self) { try mark(3, expiresAt: 100_000, by: 3, now: 999) }
        #expect(try !mark(0, expiresAt: 100_000, by: 3, now: 999))
        #expect(try mark(3, expiresAt: 100_000, by: 3, now: 1_000))
    }

    @Test("a key's further mark takes the place of its own oldest, also in a full table")
    func marksOfOneKey() throws {
        let store = MemoryNonceStore(maximumNonces: 64)
        func mark(_ number: Int, by owner: Int) throws -> Bool {
            try store.markUsed(Keys.nonce(number), expiresAt: 1_000, owner: client(owner), now: 0)
        }
        for number in 0..<100 { #expect(try mark(number, by: 1)) }
        #expect(store.count() == 4)
        for number in 100..<160 { #expect(try mark(number, by: number)) }
        #expect(throws: StoreError.self) { try mark(160, by: 160) }
        #expect(try mark(161, by: 1) && !mark(99, by: 1))
        #expect(store.count() == 64)
    }

    @Test("any sequence of operations does what a plain list does", arguments: 0..<8)
    func model(seed: UInt64) throws {
        struct Item { let nonce: Int, expiresAt: Timestamp, client: Int }
        let capacity = 20
        let limit = 5
        let store = MemoryNonceStore(maximumNonces: capacity, clientLimit: limit)
        var model: [Item] = []
        var random = SplitMix64(state: seed)
        // Expiries differ, so that there is one oldest.
        var expiries = Array(0..<5_000 as Range<Int64>).shuffled(using: &random)
        for _ in 0..<3_000 {
            let nonce = Int(random.next() % 60)
            switch random.next() % 8 {
            case 0..<5:
                let item = Item(
                    nonce: nonce, expiresAt: Timestamp(milliseconds: expiries.removeLast()),
                    client: Int(random.next() % 6))
                let isNew = !model.contains { $0.nonce == nonce }
                #expect(
                    try store.put(Keys.nonce(nonce), expiresAt: item.expiresAt, owner: client(item.client)) == isNew)
                guard isNew else { continue }
                if model.filter({ $0.client == item.client }).count == limit,
                    let oldest = model.firstIndex(where: { $0.client == item.client })
                {
                    model.remove(at: oldest)
                } else if model.count == capacity,
                    let first = model.indices.min(by: { model[$0].expiresAt < model[$1].expiresAt })
                {
                    model.remove(at: first)
                }
                model.append(item)
            case 5..<7:
                let now = Timestamp(milliseconds: Int64(random.next() % 5_000))
                let index = model.firstIndex { $0.nonce == nonce }
                let isValid = index.map { model[$0].expiresAt > now } ?? false
                #expect(store.consume(Keys.nonce(nonce), now: now) == isValid)
                if let index { model.remove(at: index) }
            default:
                let now = Timestamp(milliseconds: Int64(random.next() % 1_000))
                store.sweep(now: now)
                model.removeAll { $0.expiresAt <= now }
            }
            #expect(store.count() == model.count)
        }
        for item in model { #expect(store.consume(Keys.nonce(item.nonce), now: -1)) }
        #expect(store.count() == 0)
    }
}
