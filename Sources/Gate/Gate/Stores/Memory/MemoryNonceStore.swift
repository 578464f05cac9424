internal import Synchronization

/// Nonces of one gate, in memory that is bounded.
///
/// Its operations hold a lock for less than a microsecond and do not suspend. Issued nonces make room for newer ones,
/// so that a flood of challenges locks nobody out. Marks of use make room only for those of the same key, whose counter
/// shuts out what was used before: no other may be forgotten, and where there is no room for one the gate must refuse.
///
/// Source: `appattest-gate` section 3.4.
package final class MemoryNonceStore: NonceStore {
    private struct State {
        var issued: NonceTable
        var used: NonceTable
    }

    private let state: Mutex<State>

    /// Which part of the marks of use one key may have at most.
    private static let markShare = 16

    /// - Parameters:
    ///   - maximumNonces: issued ones, and as many marks of use.
    ///   - clientLimit: issued nonces of one client, and marks of one key (but no more than a sixteenth of all); a
    ///     further one takes the place of its oldest.
    package init(maximumNonces: Int = 10_000, clientLimit: Int = 64) {
        var random = SystemRandomNumberGenerator()
        let seed = (random.next(), random.next())
        state = Mutex(
            State(
                issued: NonceTable(capacity: maximumNonces, clientLimit: clientLimit, seed: seed),
                used: NonceTable(
                    capacity: maximumNonces, clientLimit: min(clientLimit, maximumNonces / Self.markShare), seed: seed)
            ))
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

    package func markUsed(
        _ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey, now: Timestamp
    ) throws(StoreError) -> Bool {
        let name = try Self.name(nonce)
        return try state.withLock { (state) throws(StoreError) in
            guard !state.used.contains(name) else { return false }
            if state.used.count == state.used.capacity, !state.used.isFull(of: owner) {
                state.used.removeExpired(at: now)
                guard state.used.count < state.used.capacity else {
                    throw .unavailable("there is no room for a further used nonce")
                }
            }
            state.used.insert(name, expiresAt: max(expiresAt, now), client: owner)
            return true
        }
    }

    package func sweep(now: Timestamp) {
        state.withLock { state in
            state.issued.removeExpired(at: now)
            state.used.removeExpired(at: now)
        }
    }

    package func count() -> Int { state.withLock { $0.issued.count + $0.used.count } }

    package func close() {}

    private static func name(_ nonce: [UInt8]) throws(StoreError) -> NonceTable.Name {
        guard let name = NonceTable.Name(nonce) else { throw .refused("a nonce has 32 bytes") }
        return name
    }
}
