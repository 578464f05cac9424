internal import AppAttest
internal import TextForms

/// A key as a row: the order of `PostgresStatement.columns`.
enum PostgresKeyRow {
    static func parameters(_ key: AttestedKey) -> [PostgresParameter] {
        [
            .text(key.id.base64), .text(key.appID.description), .text(key.environment.rawValue), .bytes(key.publicKey),
            .number(Int64(key.signCount)), .time(key.registeredAt), .time(key.lastUsedAt),
            .time(key.lastAssertedAt), .number(key.facts.category.map { Int64($0) }), .text(key.facts.bundleVersion),
            .bytes(key.receipt?.bytes), .number(key.receipt?.riskMetric.map { Int64($0) }),
            .time(key.receipt?.notBefore), .time(key.receipt?.expiresAt), .time(key.revocation?.at),
            .text(key.revocation?.reason), .text(text(key.accounts)), .text(key.deviceBan?.rawValue),
        ]
    }

    /// The keys of rows that begin with what keys are called.
    static func ids(_ result: PostgresResult) throws(StoreError) -> [KeyID] {
        var ids: [KeyID] = []
        for row in 0..<result.rowCount {
            ids.append(try result.present(result.text(row: row, column: 0).flatMap { KeyID(base64: $0) }, 0))
        }
        return ids
    }

    static func keys(_ result: PostgresResult) throws(StoreError) -> [AttestedKey] {
        var keys: [AttestedKey] = []
        for row in 0..<result.rowCount { keys.append(try key(result, row: row)) }
        return keys
    }

    static func key(_ result: PostgresResult, row: Int) throws(StoreError) -> AttestedKey {
        let id = try result.text(row: row, column: 0).flatMap { KeyID(base64: $0) }
        let appID = try result.text(row: row, column: 1).flatMap { AppID($0) }
        let environment = try result.text(row: row, column: 2).flatMap { AppAttestEnvironment(rawValue: $0) }
        let publicKey = try result.present(result.bytes(row: row, column: 3), 3)
        guard publicKey.count == PublicKeyPEM.pointLength else {
            throw .corrupt("a public key in PostgreSQL has \(publicKey.count) bytes")
        }
        return AttestedKey(
            id: try result.present(id, 0), appID: try result.present(appID, 1),
            environment: try result.present(environment, 2), publicKey: publicKey,
            signCount: try result.present(result.number(row: row, column: 4).flatMap { UInt32(exactly: $0) }, 4),
            registeredAt: try result.present(result.time(row: row, column: 5), 5),
            lastUsedAt: try result.present(result.time(row: row, column: 6), 6),
            lastAssertedAt: try result.time(row: row, column: 7),
            facts: AssertionFacts(
                category: try result.number(row: row, column: 8).flatMap { UInt32(exactly: $0) },
                bundleVersion: try result.text(row: row, column: 9)),
            receipt: try receipt(result, row: row), revocation: try revocation(result, row: row),
            accounts: try accounts(result, row: row), deviceBan: try deviceBan(result, row: row))
    }

    private static func text(_ accounts: [AccountTag]) -> String? {
        accounts.isEmpty ? nil : accounts.map(\.hex).joined(separator: ",")
    }

    private static func accounts(_ result: PostgresResult, row: Int) throws(StoreError) -> [AccountTag] {
        guard let text = try result.text(row: row, column: 16) else { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let accounts = parts.compactMap { AccountTag(hex: $0) }
        return try result.present(accounts.count == parts.count ? accounts : nil, 16)
    }

    private static func deviceBan(_ result: PostgresResult, row: Int) throws(StoreError) -> DeviceBan? {
        guard let text = try result.text(row: row, column: 17) else { return nil }
        return try result.present(DeviceBan(rawValue: text), 17)
    }

    private static func receipt(_ result: PostgresResult, row: Int) throws(StoreError) -> StoredReceipt? {
        guard let bytes = result.bytes(row: row, column: 10) else { return nil }
        return StoredReceipt(
            bytes: bytes, riskMetric: try result.number(row: row, column: 11).flatMap { Int(exactly: $0) },
            notBefore: try result.time(row: row, column: 12), expiresAt: try result.time(row: row, column: 13))
    }

    private static func revocation(_ result: PostgresResult, row: Int) throws(StoreError) -> Revocation? {
        guard let at = try result.time(row: row, column: 14) else { return nil }
        return Revocation(at: at, reason: try result.text(row: row, column: 15) ?? "")
    }
}
