internal import AppAttest
internal import StrictJSON
internal import TextForms

/// One entry of the JSON file: the seed's three members, and optional ones.
///
/// Members that this version does not know, and those that make no sense without others, are kept as they are.
///
/// Source: `seeds/002`, "Attestation Storage"; `appattest-gate` section 5.2.
struct KeyFileEntry {
    /// What an entry of the seed's format leaves open.
    struct Defaults: Sendable {
        /// The app of an entry that names none; nil where several apps are configured.
        var appID: AppID?
        var environment: AppAttestEnvironment
        /// The last use of a key whose entry tells none.
        var lastUsedAt: Timestamp
    }

    let key: AttestedKey
    let others: [JSON.Member]

    /// Returns nil if a member is missing or malformed.
    init?(name: String, value: JSON, defaults: Defaults) {
        guard let id = KeyID(base64: name), case .object(var members) = value else { return nil }

        func take<Value>(_ name: String, _ read: (JSON) -> Value?) -> Member<Value> {
            guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                return .absent
            }
            guard members[index].value != .null else { return .absent }
            guard let value = read(members[index].value) else { return .malformed }
            members.remove(at: index)
            return .value(value)
        }
        func time(_ name: String) -> Member<Timestamp> { take(name) { $0.string.flatMap { Timestamp(rfc3339: $0) } } }

        guard let publicKey = take("publicKey", { $0.string.flatMap(PublicKeyPEM.decode) }).value,
            let signCount = take("signCount", { $0.integer.flatMap { UInt32(exactly: $0) } }).value,
            let registeredAt = time("registeredAt").value,
            let appID = take("appId", { $0.string.flatMap { AppID($0) } }).or(defaults.appID),
            let environment = take("environment", { $0.string.flatMap { AppAttestEnvironment(rawValue: $0) } })
                .or(defaults.environment),
            let lastUsedAt = time("lastUsedAt").or(defaults.lastUsedAt),
            let lastAssertedAt = time("lastAssertedAt").optional,
            let category = take("category", { $0.integer.flatMap { UInt32(exactly: $0) } }).optional,
            let bundleVersion = take("bundleVersion", \.string).optional,
            let receiptBytes = take("receipt", { $0.string.flatMap { Base64.decode($0, .standard) } }).optional
        else { return nil }

        var key = AttestedKey(
            id: id, appID: appID, environment: environment, publicKey: publicKey, signCount: signCount,
            registeredAt: registeredAt, lastUsedAt: lastUsedAt, lastAssertedAt: lastAssertedAt,
            facts: AssertionFacts(category: category, bundleVersion: bundleVersion))
        if let receiptBytes {
            guard let riskMetric = take("riskMetric", \.integer).optional,
                let notBefore = time("receiptNotBefore").optional, let expiresAt = time("receiptExpiresAt").optional
            else { return nil }
            key.receipt = StoredReceipt(
                bytes: receiptBytes, riskMetric: riskMetric, notBefore: notBefore, expiresAt: expiresAt)
        }
        guard let revokedAt = time("revokedAt").optional else { return nil }
        if let revokedAt {
            guard let reason = take("revokedReason", \.string).or("") else { return nil }
            key.revocation = Revocation(at: revokedAt, reason: reason)
        }
        guard let accounts = take("accounts", Self.accounts).or([]),
            let deviceBan = take("deviceBan", { $0.string.flatMap { DeviceBan(rawValue: $0) } }).optional
        else { return nil }
        key.accounts = accounts
        key.deviceBan = deviceBan
        self.key = key
        others = members
    }

    /// - Returns: nil for what is no list of different accounts, or too long a one.
    private static func accounts(_ value: JSON) -> [AccountTag]? {
        guard case .array(let items) = value, items.count <= AttestedKey.maximumAccounts else { return nil }
        let accounts = items.compactMap { $0.string.flatMap { AccountTag(hex: $0) } }
        return accounts.count == items.count && Set(accounts).count == accounts.count ? accounts : nil
    }

    private enum Member<Value> {
        case absent
        case malformed
        case value(Value)

        /// The value of a member that must be there.
        var value: Value? { if case .value(let value) = self { value } else { nil } }

        /// The value of a member that may be absent; nil where it is malformed.
        var optional: Value?? {
            switch self {
            case .absent: .some(nil)
            case .malformed: nil
            case .value(let value): value
            }
        }

        func or(_ fallback: Value?) -> Value? {
            switch self {
            case .absent: fallback
            case .malformed: nil
            case .value(let value): value
            }
        }
    }
}
