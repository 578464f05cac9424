/// Nonces in a PostgreSQL-compatible database, so that any number of gates accept each once between them.
///
/// A nonce expires by the database's clock, as long after it was kept as the gate that keeps it says: clocks of gates
/// that differ do not matter. There is no limit for one client and none for all: what fills the table is bounded by the
/// rate limits before it.
///
/// Source: `appattest-gate` sections 3.4 and 5.4.
final class PostgresNonceStore: NonceStore {
    private let pool: PostgresPool
    private let now: @Sendable () -> Timestamp

    private static let length = 32
    /// The letter before the name of a used nonce. That a sealed nonce was used must not make it an issued one for a
    /// gate that is configured otherwise.
    private static let used = [UInt8(ascii: "u")]
    /// How much longer than its nonce a mark of use stays: clocks of gates may differ by that.
    static let skew = Duration.seconds(60)
    /// The longest life of a nonce, whatever is asked.
    static let longestLife = Duration.seconds(24 * 3_600)

    /// - Parameter now: the clock by which the gate says when a nonce expires.
    init(_ pool: PostgresPool, now: @escaping @Sendable () -> Timestamp) {
        self.pool = pool
        self.now = now
    }

    func put(_ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey) async throws(StoreError) -> Bool {
        try await keep(nonce, prefix: [], for: Self.life(until: expiresAt, from: now()))
    }

    func consume(_ nonce: [UInt8], now: Timestamp) async throws(StoreError) -> Bool {
        guard nonce.count == Self.length else { return false }
        return try await pool.run(.consumeNonce, [.bytes(nonce)]) { result throws(StoreError) in
            result.rowCount == 0 ? false : try result.present(result.boolean(row: 0, column: 0), 0)
        }
    }

    func markUsed(
        _ nonce: [UInt8], expiresAt: Timestamp, owner: ClientKey, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await keep(nonce, prefix: Self.used, for: Self.life(until: expiresAt, from: now) + Self.skew)
    }

    func sweep(now: Timestamp) async throws(StoreError) {
        // What comes meanwhile is for the next time.
        for _ in 0..<1_000 {
            let removed = try await pool.run(.sweepNonces, []) { $0.affectedRows }
            if removed < PostgresStatement.sweepStep { return }
        }
    }

    func count() async throws(StoreError) -> Int { try await pool.count(.countNonces) }

    func close() async { await pool.close() }

    private func keep(_ nonce: [UInt8], prefix: [UInt8], for life: Duration) async throws(StoreError) -> Bool {
        guard nonce.count == Self.length else { throw .refused("a nonce has \(Self.length) bytes") }
        return try await pool.run(.putNonce, [.bytes(prefix + nonce), .number(life.milliseconds)]) {
            $0.affectedRows == 1
        }
    }

    private static func life(until end: Timestamp, from start: Timestamp) -> Duration {
        min(max(.zero, end - start), longestLife)
    }
}
