package import AppAttest
internal import Dispatch

/// The stores of a gate: those that a configuration names, or your own.
///
///     let stores = try await Stores.open(for: configuration)
///     …
///     await stores.close()
public struct Stores: Sendable {
    package struct Options: Sendable {
        /// The app of entries of a JSON file that name none.
        package var appID: AppID?
        /// The environment of entries of a JSON file that name none.
        package var environment = AppAttestEnvironment.production
        /// The most keys in a JSON file or in memory; a database has no such limit. (`MAX_KEYS`)
        package var maximumKeys = 10_000
        /// The most nonces in memory; a database has no such limit. (`MAX_NONCES`)
        package var maximumNonces = 10_000
        /// The number of connections to PostgreSQL. (`STORE_POOL`)
        package var connections = 8
        /// How long PostgreSQL may take to connect, and for a statement. (`STORE_TIMEOUT_MS`)
        package var databaseTime = PostgresSettings.usualTime
        /// Whether a JSON file and its folder have to be root's or this process's user's.
        package var isGuarded = false
        /// Whether a JSON file that cannot be read is set aside. (`--recover`)
        package var recovers = false
        /// The clock by which the gate says when a nonce expires.
        package var now: @Sendable () -> Timestamp
        package var timer: any StoreTimer = SystemTimer()

        package init(now: @escaping @Sendable () -> Timestamp) {
            self.now = now
        }

        fileprivate var json: JSONKeyStore.Options {
            var json = JSONKeyStore.Options()
            json.appID = appID
            json.environment = environment
            json.maximumKeys = maximumKeys
            json.isGuarded = isGuarded
            json.recovers = recovers
            return json
        }
    }

    package let keys: any KeyStore
    package let nonces: any NonceStore
    /// What a JSON file held.
    package let opening: JSONKeyStore.Opening?

    /// - Parameters:
    ///   - keys: where registered keys are kept.
    ///   - nonces: where nonces are kept.
    package init(keys: any KeyStore, nonces: any NonceStore) {
        (self.keys, self.nonces, opening) = (keys, nonces, nil)
    }

    /// Opens the stores that a configuration names (`STORE_URL`, `NONCE_STORE_URL`). A database gets its tables.
    ///
    /// - Parameters:
    ///   - configuration: of the gate.
    ///   - recovers: whether a JSON file of keys that cannot be read is set aside, instead of being an error.
    public static func open(
        for configuration: GateConfiguration, recovers: Bool = false
    ) async throws(StoreError) -> Stores {
        var options = Options(now: { SystemClock().now })
        options.appID = configuration.attestation?.appIDs.first
        if configuration.attestation?.environments == [.development] { options.environment = .development }
        options.maximumKeys = configuration.stores.maximumKeys ?? .max
        options.maximumNonces = configuration.nonces.maximumCount
        options.connections = configuration.stores.pool
        options.databaseTime = configuration.stores.databaseTime
        options.isGuarded = true
        options.recovers = recovers
        return try await open(keys: configuration.stores.keys, nonces: configuration.stores.nonces, options)
    }

    /// Opens both stores; two addresses of one database share their connections. A database gets its tables.
    ///
    /// - Parameter nonces: not a file.
    package static func open(
        keys: StoreAddress, nonces: StoreAddress, _ options: Options
    ) async throws(StoreError) -> Stores {
        try await withCheckedContinuation { continuation in
            // Files and migrations block.
            DispatchQueue(label: "store.open").async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        try Stores(keys: keys, nonces: nonces, options)
                    })
            }
        }.get()
    }

    private init(keys: StoreAddress, nonces: StoreAddress, _ options: Options) throws(StoreError) {
        if case .json = nonces { throw .refused("nonces are not kept in a file; there are memory: and postgres://…") }
        // What can fail comes before what has threads.
        let time = options.databaseTime
        let (keyDatabase, nonceDatabase) = (try PostgresSettings(keys, time), try PostgresSettings(nonces, time))
        for settings in [keyDatabase, nonceDatabase].compactMap(\.self) { try PostgresSchema.migrate(settings) }
        var pool: PostgresPool?
        if let keyDatabase {
            let notifies = try PostgresListener.isPossible(keyDatabase)
            let new = PostgresPool(keyDatabase, connections: options.connections)
            pool = new
            self.keys = PostgresKeyStore(new, notifies: notifies)
            opening = nil
        } else if case .json(let path) = keys {
            let store = try JSONKeyStore(path: path, options.json, now: options.now(), timer: options.timer)
            self.keys = store
            opening = store.opening
        } else {
            self.keys = MemoryKeyStore(maximumKeys: options.maximumKeys)
            opening = nil
        }
        guard let nonceDatabase else {
            self.nonces = MemoryNonceStore(maximumNonces: options.maximumNonces)
            return
        }
        let shared = nonces == keys ? pool : nil
        self.nonces = PostgresNonceStore(
            shared ?? PostgresPool(nonceDatabase, connections: options.connections), now: options.now)
    }

    /// Brings both stores to rest, and lets go of them.
    public func close() async {
        await keys.close()
        await nonces.close()
    }
}

extension PostgresSettings {
    /// The settings of a database; nil for an address of anything else.
    fileprivate init?(_ address: StoreAddress, _ time: Duration) throws(StoreError) {
        guard case .postgres(let url) = address else { return nil }
        try self.init(url: url, time: time)
    }
}
