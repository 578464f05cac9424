import AppAttest
import ArgumentParser
import BasicFoundation
import Gate
import GateTestKit

/// The store that a command works on: that of the gate's settings, or one that is named.
struct StoreOptions: ParsableArguments {
    @OptionGroup var settings: SettingOptions

    @Option(name: .long, help: "A store by its address, json:PATH or postgres://…; then no other setting is needed.")
    var store: String?

    @Option(name: .long, help: "The App ID of entries of a JSON file that have none.")
    var appID: String?

    @Flag(name: .long, help: "Set a JSON file aside that cannot be read, and begin with none.")
    var recover = false

    /// Opens the store.
    ///
    /// - Parameter mayBeMissing: whether a JSON file need not be there. Whoever asks or bans would otherwise work on an
    ///   empty one for each path that is not the gate's.
    func open(mayBeMissing: Bool = false) async throws -> Stores {
        var options = Stores.Options(now: { SystemClock().now })
        options.recovers = recover
        options.connections = 2
        // Whoever waits for a tool waits rather than to be refused.
        options.databaseTime = .seconds(60)
        // A tool never forgets keys to make room.
        options.maximumKeys = .max
        options.appID = try appID.map { text in
            guard let id = AppID(text) else {
                throw Failure.usage("\(text) is no App ID (TEAMID1234.bundle.identifier).")
            }
            return id
        }
        if store == nil { options.appID = try options.appID ?? settings.configuration().attestation?.appIDs.first }
        let address = try address()
        if case .json(let path) = address {
            guard try mayBeMissing || SmallFile.isThere(path) else { throw Failure.noStore(path: path) }
            // What root made there, a lock to begin with, the gate could not open.
            if geteuid() == 0, let owner = SmallFile.ownerOfFolder(of: path), owner != 0 {
                throw Failure.foreignStore(path: path, owner: owner)
            }
        }
        return try await Stores.open(keys: address, nonces: .memory, options)
    }

    /// Where the keys are.
    func address() throws -> StoreAddress {
        try store.map { try StoreAddress($0) } ?? settings.configuration().stores.keys
    }
}

extension KeyStore {
    private static var page: Int { 500 }

    /// Shows every key to `body`, a page at a time.
    func forEachPage(_ body: ([AttestedKey]) async throws -> Void) async throws {
        var cursor: KeyID?
        while true {
            let keys = try await keys(after: cursor, limit: Self.page)
            guard let last = keys.last else { return }
            try await body(keys)
            cursor = last.id
        }
    }
}
