internal import CPostgres

/// Where a PostgreSQL (or compatible) database is, and how long it may take.
struct PostgresSettings: Sendable {
    /// The connection string as libpq reads it; it may hold a password, and is never printed.
    let connectionString: String
    /// The parameters that name each of its hosts alone; one without any where it has not several.
    let hosts: [[String: String]]
    /// The name of the host where the connection string has one alone, without an address.
    let soleHost: String?
    /// What a statement may take at the server, and may wait for a connection before that.
    var statementTime: Duration
    /// What connecting to an address of a host may take, without looking up its name.
    let connectTime: Duration
    /// How many statements may wait for a connection.
    var maximumWaiting = 4_096

    private static let usualPort = "5432"

    /// What each of the two may take where nobody says otherwise.
    static let usualTime: Duration = .seconds(2)

    /// What the network may take on top of ``statementTime``.
    static let networkTime: Duration = .seconds(1)

    private static let secondsToConnect = 1...600

    /// - Parameters:
    ///   - url: `postgres://…` or `postgresql://…` with libpq's parameters, among them those of TLS (`sslmode`,
    ///     `sslrootcert`, `channel_binding`).
    ///   - time: what a statement may take, and connecting to a host, where the address has no `connect_timeout`.
    /// - Throws: `StoreError.refused` if libpq cannot read it, or an `@` stands in its password: libpq would take what
    ///   follows for a host, and ask the network for it; or for a `connect_timeout` that is no time.
    init(url: String, time: Duration = Self.usualTime) throws(StoreError) {
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
        defer { PQconninfoFree(options) }
        connectionString = url
        hosts = Self.hosts(options)
        let isAddressed = Self.value("hostaddr", of: options) != nil
        soleHost = hosts == [[:]] && !isAddressed ? Self.value("host", of: options).flatMap(Self.single) : nil
        statementTime = time
        guard let text = Self.value("connect_timeout", of: options) else {
            connectTime = time
            return
        }
        guard let seconds = ASCIIText.number(text), Self.secondsToConnect ~= seconds else {
            throw .refused("connect_timeout in the address of the store has to be 1 to 600 seconds")
        }
        connectTime = .seconds(seconds)
    }

    /// What tells the hosts of an address apart. A list that libpq would refuse, or complete by values of its own, is
    /// left to libpq as a whole.
    private static func hosts(_ options: UnsafePointer<PQconninfoOption>) -> [[String: String]] {
        let lists = ["host", "hostaddr", "port"].compactMap { name in
            value(name, of: options).map { list in
                (name: name, values: list.split(separator: ",", omittingEmptySubsequences: false))
            }
        }
        let count = lists.first { $0.name != "port" }?.values.count ?? 1
        var hosts = [[String: String]](repeating: [:], count: count)
        for (name, values) in lists where count > 1 && (name != "port" || values.count > 1) {
            guard values.count == count else { return [[:]] }
            for (index, value) in values.enumerated() {
                guard !value.isEmpty || name == "port" else { return [[:]] }
                hosts[index][name] = value.isEmpty ? usualPort : String(value)
            }
        }
        return hosts
    }

    /// A list that libpq completes or refuses is no name.
    private static func single(_ host: String) -> String? { host.contains(",") ? nil : host }

    private static func value(_ keyword: String, of options: UnsafePointer<PQconninfoOption>) -> String? {
        var option = options
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } }
            option += 1
        }
        return nil
    }
}
