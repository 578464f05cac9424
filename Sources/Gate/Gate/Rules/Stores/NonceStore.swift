/// Where nonces are kept that were issued, or that were used. Each operation is atomic, also between several gates.
///
/// Source: `appattest-gate` sections 3.4 and 5.1.
package protocol NonceStore: Sendable {
    /// Keeps an issued nonce until `expiresAt`.
    ///
    /// - Parameters:
    ///   - nonce: 32 bytes.
    ///   - expiresAt: from when on it is no longer good.
    ///   - owner: the client's address, for limits of each; a store that several gates share may pass over it.
    /// - Returns: whether it was kept; false where it is there already.
    func put(_ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey) async throws(StoreError) -> Bool

    /// Takes an issued nonce out. Exactly one caller sees true, and only while the nonce has not expired.
    func consume(_ nonce: [UInt8], now: Timestamp) async throws(StoreError) -> Bool

    /// Notes that a sealed nonce was used. Exactly one caller sees true.
    ///
    /// - Parameter owner: the key that it was used with, for limits of each; a store that several gates share may pass
    ///   over it.
    func markUsed(
        _ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey, now: Timestamp
    ) async throws(StoreError) -> Bool

    /// Removes what has expired.
    func sweep(now: Timestamp) async throws(StoreError)

    /// How many nonces are kept.
    func count() async throws(StoreError) -> Int

    /// Brings everything to rest and lets go of the store.
    func close() async
}

/// What counts as one client for limits: an IPv4 address, or the first 64 bits of an IPv6 address.
package struct ClientKey: Hashable, Sendable {
    /// The folded address, as 16 bytes (IPv4 as its mapped form).
    package let high: UInt64
    package let low: UInt64
}
