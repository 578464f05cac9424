internal import Synchronization

/// Nonces of one gate, in memory that is bounded.
///
/// Its operations hold a lock for less than a microsecond and do not suspend. Issued nonces make room for newer ones,
/// so that a flood of challenges locks nobody out. Marks of use do not: forgetting one would let its nonce in again,
/// and where there is no room for a mark the gate must refuse.
///
/// Source: `appattest-gate` section 3.4.
package final class MemoryNonceStore: NonceStore {
    private struct State {
        var issued: NonceTable
        var used: NonceTable
    }

    private let state: Mutex<State>

    /// How much longer than its nonce a mark of use stays: what the gate forgives in an expiry.
    static let skew = Duration.seconds(60)
    /// The client of marks of use, which have no client whose limit counts.
    private static let nobody = ClientKey(high: 0, low: 0)

    /// - Parameters:
    ///   - maximumNonces: issued ones, and as many marks of use.
    ///   - clientLimit: issued nonces of one client; a further one takes the place of its oldest.
    package init(maximumNonces: Int = 10_000, clientLimit: Int = 64) {
        var random = SystemRandomNumberGenerator()
        let seed = (random.next(), random.next())
        state = Mutex(
            State(
                issued: NonceTable(capacity: maximumNonces, clientLimit: clientLimit, seed: seed),
                used: NonceTable(capacity: maximumNonces, clientLimit: maximumNonces, seed: seed)))
    }

    package func put(_ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey) throws(StoreError) -> Bool {
        let name = try Self.name(nonce)
        return state.withLock { state in
            guard !state.issued.contains(name) else { return false }
            state.issued.insert(name, expiresAt: expiresAt, client: owner)
            return true
        }
    }

    package func consume(_ nonce: [UInt8], now: Timestamp) -> Bool {
        guard let name = NonceTable.Name(nonce) else { return false }
        return state.withLock { state in state.issued.take(name).map { $0 > now } ?? false }
    }

    package func markUsed(_ nonce: [UInt8], expiresAt: Timestamp, now: Timestamp) throws(StoreError) -> Bool {
        let name = try Self.name(nonce)
        return try state.withLock { (state) throws(StoreError) in
            guard !state.used.contains(name) else { return false }
            if state.used.count == state.used.capacity {
                state.used.removeExpired(at: Self.earlier(now))
                guard state.used.count < state.used.capacity else {
                    throw .unavailable("there is no room for a further used nonce")
                }
            }
            state.used.insert(name, expiresAt: max(expiresAt, now), client: Self.nobody)
            return true
        }
    }

    package func sweep(now: Timestamp) {
        state.withLock { state in
            state.issued.removeExpired(at: now)
            state.used.removeExpired(at: Self.earlier(now))
        }
    }

    package func count() -> Int { state.withLock { $0.issued.count + $0.used.count } }

    package func close() {}

    /// The time whose expiries are over even for a gate that forgives.
    private static func earlier(_ now: Timestamp) -> Timestamp { now - skew }

    private static func name(_ nonce: [UInt8]) throws(StoreError) -> NonceTable.Name {
        guard let name = NonceTable.Name(nonce) else { throw .refused("a nonce has 32 bytes") }
        return name
    }
}
