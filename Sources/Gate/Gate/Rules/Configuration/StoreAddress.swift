/// What `STORE_URL` or `NONCE_STORE_URL` names.
///
/// Source: `appattest-gate` section 3.6.
package enum StoreAddress: Equatable, Sendable {
    case memory
    case json(path: String)
    /// A PostgreSQL database, by its whole address with credentials.
    case postgres(String)

    /// - Throws: `StoreError.refused`, without what the text holds beside its scheme.
    package init(_ text: String) throws(StoreError) {
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
        case "postgres", "postgresql":
            guard rest.hasPrefix("//") else {
                throw .refused("the address of a database begins with postgres://")
            }
            self = .postgres(text)
        case "sqlite", "redis", "rediss":
            throw .refused("\(text[..<colon]): stores are not built; there are json:PATH, memory: and postgres://…")
        default: throw .refused("there is no such kind of store; there are json:PATH, memory: and postgres://…")
        }
    }

    /// Whether several gates may use it at a time.
    package var isShared: Bool { if case .postgres = self { true } else { false } }
}
