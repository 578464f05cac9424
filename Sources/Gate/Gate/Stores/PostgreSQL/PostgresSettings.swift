internal import CPostgres

/// Where a PostgreSQL (or compatible) database is, and how long it may take.
struct PostgresSettings: Sendable {
    /// The connection string as libpq reads it; it may hold a password, and is never printed.
    let connectionString: String
    /// What a statement may take at the server, and may wait for a connection before that.
    var statementTime = usualTime
    /// What connecting may take, without looking up the name of the host.
    var connectTime = usualTime
    /// How many statements may wait for a connection.
    var maximumWaiting = 4_096

    /// What each of the two may take where nobody says otherwise.
    static let usualTime: Duration = .seconds(2)

    /// What the network may take on top of ``statementTime``.
    static let networkTime: Duration = .seconds(1)

    /// - Parameter url: `postgres://…` or `postgresql://…` with libpq's parameters, among them those of TLS (`sslmode`,
    ///   `sslrootcert`, `channel_binding`).
    /// - Throws: `StoreError.refused` if libpq cannot read it, or an `@` stands in its password: libpq would take what
    ///   follows for a host, and ask the network for it.
    init(url: String) throws(StoreError) {
        let scheme = url.prefix { $0 != ":" }
        guard ["postgres", "postgresql"].contains(scheme), url.dropFirst(scheme.count).hasPrefix("://") else {
            throw .refused("the address of the store does not begin with postgres://")
        }
        let authority = url.dropFirst(scheme.count + 3).prefix { !"/?".contains($0) }
        guard authority.count(where: { $0 == "@" }) <= 1 else {
            throw .refused("the address of the store has two @: write one within a password as %40")
        }
        guard let options = PQconninfoParse(url, nil) else {
            throw .refused("libpq cannot read the address of the store")
        }
        PQconninfoFree(options)
        connectionString = url
    }
}
