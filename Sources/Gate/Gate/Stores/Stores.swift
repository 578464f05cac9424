internal import AppAttest
internal import Dispatch

/// The stores of a gate, opened by their addresses.
///
///     var options = Stores.Options()
///     options.appID = AppID("ABCDE12345.com.example.app")
///     let stores = try await Stores.open(keys: .json(path: "config/attested-keys.json"), nonces: .memory, options)
///     …
///     await stores.close()
struct Stores: Sendable {
    struct Options: Sendable {
        /// The app of entries of a JSON file that name none.
        var appID: AppID?
        /// The environment of entries of a JSON file that name none.
        var environment = AppAttestEnvironment.production
        /// The most keys in a JSON file or in memory; a database has no such limit. (`MAX_KEYS`)
        var maximumKeys = 10_000
        /// The most nonces in memory; a database has no such limit. (`MAX_NONCES`)
        var maximumNonces = 10_000
        /// The number of connections to PostgreSQL. (`STORE_POOL`)
        var connections = 8
        /// Whether a JSON file that cannot be read is set aside. (`--recover`)
        var recovers = false
        /// Milliseconds since 1970; the clock by which the gate says when a nonce expires.
        var now: @Sendable () -> Int64
        var timer: any StoreTimer = SystemTimer()

        init(now: @escaping @Sendable () -> Int64) {
            self.now = now
        }

        fileprivate var json: JSONKeyStore.Options {
            var json = JSONKeyStore.Options()
            json.appID = appID
            json.environment = environment
            json.maximumKeys = maximumKeys
            json.recovers = recovers
            return json
        }
    }

    let keys: any KeyStore
    let nonces: any NonceStore
    /// What a JSON file held.
    let opening: JSONKeyStore.Opening?

    /// Opens both stores; two addresses of one database share their connections. A database gets its tables.
    ///
    /// - Parameter nonces: not a file.
    static func open(
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
        let (keyDatabase, nonceDatabase) = (try PostgresSettings(keys), try PostgresSettings(nonces))
        for settings in [keyDatabase, nonceDatabase].compactMap(\.self) { try PostgresSchema.migrate(settings) }
        var pool: PostgresPool?
        if let keyDatabase {
            let new = PostgresPool(keyDatabase, connections: options.connections)
            pool = new
            self.keys = PostgresKeyStore(new)
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

    func close() async {
        await keys.close()
        await nonces.close()
    }
}

extension PostgresSettings {
    /// The settings of a database; nil for an address of anything else.
    fileprivate init?(_ address: StoreAddress) throws(StoreError) {
        guard case .postgres(let url) = address else { return nil }
        try self.init(url: url)
    }
}
