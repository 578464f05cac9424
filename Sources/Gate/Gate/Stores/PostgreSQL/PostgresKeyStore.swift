internal import AppAttest

/// Registered keys in a PostgreSQL-compatible database, for any number of gates.
///
/// Each operation is one atomic statement, and no counter is kept in this process. The times of use are those of the
/// database's clock, but for that of a new key, which is its gate's. How many keys there may be is not limited here.
/// What withdraws a key tells the other gates of it where the database can (`NOTIFY`).
///
/// Source: `appattest-gate` section 5.4; the constructs that were kept out, and why: `PostgresSchema`.
final class PostgresKeyStore: KeyStore {
    private let pool: PostgresPool
    private let notifies: Bool
    private static let keysOfOneQuestion = 1_000

    /// - Parameter notifies: whether the database has `NOTIFY` (``PostgresListener/isPossible(_:)``).
    init(_ pool: PostgresPool, notifies: Bool = true) {
        self.pool = pool
        self.notifies = notifies
    }

    /// Keys by as many as one statement names.
    private static func questions(_ keys: [KeyID]) -> [ArraySlice<KeyID>] {
        stride(from: 0, to: keys.count, by: keysOfOneQuestion).map { keys[$0...].prefix(keysOfOneQuestion) }
    }

    private func telling(_ statement: PostgresStatement) -> PostgresStatement {
        notifies ? statement.telling : statement
    }

    func insertIfAbsent(_ key: AttestedKey) async throws(StoreError) -> KeyInsertion {
        // A key may be deleted between the two statements; not for ever.
        for _ in 0..<3 {
            let isNew = try await pool.run(.insertKey, PostgresKeyRow.parameters(key)) { $0.affectedRows == 1 }
            if isNew { return .inserted }
            if let existing = try await self.key(key.id) { return .exists(existing) }
        }
        throw .unavailable("PostgreSQL: a key came and went")
    }

    func key(_ id: KeyID) async throws(StoreError) -> AttestedKey? {
        try await pool.run(.selectKey, [.text(id.base64)]) { result throws(StoreError) in
            result.rowCount == 0 ? nil : try PostgresKeyRow.key(result, row: 0)
        }
    }

    func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp
    ) async throws(StoreError) -> CounterAdvance {
        let parameters: [PostgresParameter] = [
            .text(id.base64), .number(Int64(signCount)), .number(facts.category.map { Int64($0) }),
            .text(facts.bundleVersion),
        ]
        if try await pool.run(.advance, parameters, read: { $0.affectedRows == 1 }) { return .advanced }
        // Nobody gets in any more; what is left is to say why.
        guard let key = try await key(id) else { return .unknown }
        return key.revocation == nil ? .stale(current: key.signCount) : .revoked
    }

    func noteUse(of keys: [KeyID], now: Timestamp) async throws(StoreError) {
        for some in Self.questions(keys) {
            try await pool.run(.noteUse, [.text(some.map(\.base64).joined(separator: ","))]) { _ in }
        }
    }

    func revoke(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        try await pool.run(telling(.revoke), [.text(id.base64), .time(revocation.at), .text(revocation.reason)]) {
            $0.affectedRows == 1
        }
    }

    func ban(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        try await pool.run(telling(.banKey), [.text(id.base64), .time(revocation.at), .text(revocation.reason)]) {
            $0.affectedRows == 1
        }
    }

    func settleDeviceBan(_ id: KeyID) async throws(StoreError) -> Bool {
        try await pool.run(.settleDeviceBan, [.text(id.base64)]) { $0.affectedRows == 1 }
    }

    /// Whether the account is banned is asked behind the binding: of a ban at the same time one of the two is seen.
    func bind(_ id: KeyID, to account: AccountTag) async throws(StoreError) -> AccountBinding {
        let parameters: [PostgresParameter] = [.text(id.base64), .text(account.hex)]
        for _ in 0..<2 {
            let standing = try await pool.run(.binding, parameters) { result throws(StoreError) in
                guard result.rowCount > 0 else { return (isBound: Bool, isBanned: Bool)?.none }
                return (
                    isBound: try result.present(result.number(row: 0, column: 0), 0) > 0,
                    isBanned: try result.present(result.number(row: 0, column: 1), 1) > 0
                )
            }
            guard let standing else { return .unknown }
            if standing.isBound { return standing.isBanned ? .banned : .bound }
            let isDone = try await pool.run(.bind, parameters) { $0.affectedRows == 1 }
            guard isDone else { return try await key(id) == nil ? .unknown : .tooMany }
        }
        throw .unavailable("PostgreSQL: a binding came and went")
    }

    /// Bans an account, and revokes its keys. The ban comes before the keys: one that is bound meanwhile finds it.
    func ban(_ ban: AccountBan) async throws(StoreError) -> [KeyID] {
        let parameters: [PostgresParameter] = [.text(ban.account.hex), .time(ban.at), .text(ban.reason)]
        try await pool.run(.banAccount, parameters) { _ in }
        return try await pool.run(telling(.revokeAccount), parameters) { result throws(StoreError) in
            try PostgresKeyRow.ids(result)
        }
    }

    func liftBan(of account: AccountTag) async throws(StoreError) -> Bool {
        try await pool.run(.liftBan, [.text(account.hex)]) { $0.affectedRows == 1 }
    }

    func bans(after cursor: AccountTag?, limit: Int) async throws(StoreError) -> [AccountBan] {
        try await pool.run(.listBans, [.text(cursor?.hex ?? ""), .number(Int64(max(0, limit)))]) {
            result throws(StoreError) in
            var bans: [AccountBan] = []
            for row in 0..<result.rowCount {
                bans.append(
                    AccountBan(
                        account: try result.present(
                            result.text(row: row, column: 0).flatMap { AccountTag(hex: $0) }, 0),
                        at: try result.present(result.time(row: row, column: 1), 1),
                        reason: try result.present(result.text(row: row, column: 2), 2)))
            }
            return bans
        }
    }

    func delete(_ id: KeyID) async throws(StoreError) -> Bool {
        try await pool.run(telling(.deleteKey), [.text(id.base64)]) { $0.affectedRows == 1 }
    }

    func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID] {
        var withdrawn: [KeyID] = []
        for some in Self.questions(keys) {
            let names = some.map(\.base64)
            let standing = try await pool.run(.standing, [.text(names.joined(separator: ","))]) {
                result throws(StoreError) in
                var standing: Set<String> = []
                for row in 0..<result.rowCount {
                    standing.insert(try result.present(result.text(row: row, column: 0), 0))
                }
                return standing
            }
            withdrawn += zip(some, names).filter { !standing.contains($0.1) }.map(\.0)
        }
        return withdrawn
    }

    func withdrawals() -> AsyncStream<[KeyID]> {
        notifies ? PostgresListener.withdrawals(pool.settings) : AsyncStream { $0.finish() }
    }

    func keys(after cursor: KeyID?, limit: Int) async throws(StoreError) -> [AttestedKey] {
        try await pool.run(.listKeys, [.text(cursor?.base64 ?? ""), .number(Int64(max(0, limit)))]) {
            result throws(StoreError) in try PostgresKeyRow.keys(result)
        }
    }

    func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey] {
        var found: [KeyID] = []
        var cursor: KeyID?
        repeat {
            let page: [PostgresParameter] = [.text(cursor?.base64 ?? ""), .number(Int64(Self.keysOfOneQuestion))]
            let ids = try await pool.run(.listKeyIDs, page) { result throws(StoreError) in
                try PostgresKeyRow.ids(result)
            }
            found += prefix.find(in: ids)
            cursor = ids.last
        } while cursor != nil && found.count < prefix.mostKeys
        var keys: [AttestedKey] = []
        for id in found.prefix(prefix.mostKeys) {
            if let key = try await key(id) { keys.append(key) }
        }
        return keys
    }

    func count() async throws(StoreError) -> Int { try await pool.count(.countKeys) }

    func updateReceipt(
        _ id: KeyID, expecting: [UInt8]?, new: StoredReceipt
    ) async throws(StoreError) -> Bool {
        let parameters: [PostgresParameter] = [
            .text(id.base64), .bytes(expecting), .bytes(new.bytes), .number(new.riskMetric.map { Int64($0) }),
            .time(new.notBefore), .time(new.expiresAt),
        ]
        return try await pool.run(.updateReceipt, parameters) { $0.affectedRows == 1 }
    }

    func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) async throws(StoreError) -> [AttestedKey] {
        try await pool.run(.claimDueReceipts, [.time(now), .time(end), .number(Int64(max(0, limit)))]) {
            result throws(StoreError) in try PostgresKeyRow.keys(result)
        }
    }

    /// Removes keys that were not used for so long by both clocks, the database's and `now`. Reads the whole table: to
    /// be called seldom.
    func removeUnused(for age: Duration, now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        let parameters: [PostgresParameter] = [.number(age.milliseconds), .number(Int64(max(0, limit))), .time(now)]
        return try await pool.run(.removeUnusedKeys, parameters) { $0.affectedRows }
    }

    func check() async throws(StoreError) { _ = try await pool.count(.check) }

    func close() async { await pool.close() }
}

extension PostgresPool {
    /// A statement whose result is one number.
    func count(_ statement: PostgresStatement) async throws(StoreError) -> Int {
        try await run(statement, []) { result throws(StoreError) in
            Int(try result.present(result.number(row: 0, column: 0), 0))
        }
    }
}
