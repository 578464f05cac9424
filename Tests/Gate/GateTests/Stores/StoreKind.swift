import TestSupport
import Testing

@testable import Gate

/// The stores that keep the same contract.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, json, postgres

    static var possible: [StoreKind] { allCases.filter { $0 != .postgres || PostgresServer.isPossible } }

    /// Those for nonces.
    static var forNonces: [StoreKind] { possible.filter { $0 != .json } }

    var testDescription: String { rawValue }

    /// Runs a test with an empty store, and another gate's on the same data where there can be one.
    func withKeys(_ body: (any KeyStore, any KeyStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = MemoryKeyStore()
            try await body(store, store)
        case .json:
            let folder = try TemporaryFolder()
            let store = try JSONKeyStore(path: folder.path("keys.json"), now: Keys.time, timer: ManualTimer())
            try await body(store, store)
            await store.close()
        case .postgres:
            try await TwoGates.run { gates in try await body(gates.keys[0], gates.keys[1]) }
        }
    }

    func withNonces(_ body: (any NonceStore, any NonceStore) async throws -> Void) async throws {
        switch self {
        case .memory, .json:
            let store = MemoryNonceStore()
            try await body(store, store)
        case .postgres:
            try await TwoGates.run { gates in try await body(gates.nonces[0], gates.nonces[1]) }
        }
    }
}

extension Stores.Options {
    /// A machine that runs many tests may be slow.
    static var patient: Stores.Options {
        var options = Stores.Options { Keys.time }
        options.databaseTime = .seconds(300)
        return options
    }
}

extension PostgresSettings {
    /// As patient as ``Stores/Options/patient``.
    init(patient url: String) throws(StoreError) {
        try self.init(url: url, time: .seconds(300))
    }
}

/// The stores of two gates on one database that is theirs alone.
struct TwoGates: Sendable {
    let server: PostgresServer
    let database: String
    let keys: [PostgresKeyStore]
    let nonces: [PostgresNonceStore]

    /// - Parameter options: more parameters of the connection string.
    static func run(
        over way: PostgresServer.Way = .socket, options: [String] = [], on server: PostgresServer? = nil,
        _ body: (TwoGates) async throws -> Void
    ) async throws {
        let server = if let server { server } else { try await PostgresServer.shared() }
        let database = try await server.makeDatabase()
        let settings = try PostgresSettings(patient: server.url(database, over: way, options: options))
        try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
        let pools = [PostgresPool(settings, connections: 4), PostgresPool(settings, connections: 4)]
        let gates = TwoGates(
            server: server, database: database, keys: pools.map { PostgresKeyStore($0) },
            nonces: pools.map { PostgresNonceStore($0, now: { Keys.time }) })
        let result: Result<Void, any Error>
        do { result = .success(try await body(gates)) } catch { result = .failure(error) }
        for pool in pools { await pool.close() }
        try result.get()
    }
}
