public import GateRules

/// What `STORE_URL` or `NONCE_STORE_URL` names.
public enum StoreLocation: Sendable {
    case json(path: String)
    case memory
    case postgres(PostgresSettings)

    /// - Throws: `StoreError.refused`, without what the text holds beside its scheme.
    public init(_ text: String) throws(StoreError) {
        guard let colon = text.firstIndex(of: ":") else {
            throw .refused("the address of a store is json:PATH, memory: or postgres://…")
        }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "json":
            guard !rest.isEmpty else { throw .refused("json: needs a path") }
            self = .json(path: String(rest))
        case "memory":
            guard rest.isEmpty else { throw .refused("memory: takes nothing behind it") }
            self = .memory
        case "postgres", "postgresql": self = .postgres(try PostgresSettings(url: text))
        case "sqlite", "redis", "rediss":
            throw .refused("\(text[..<colon]): stores are not built; there are json:PATH, memory: and postgres://…")
        default: throw .refused("there is no such kind of store; there are json:PATH, memory: and postgres://…")
        }
    }

    /// Whether two addresses are of one database, whose connections can be shared.
    func isSameDatabase(as other: StoreLocation) -> Bool {
        if case .postgres(let one) = self, case .postgres(let two) = other {
            one.connectionString == two.connectionString
        } else {
            false
        }
    }
}
