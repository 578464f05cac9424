import AppAttest
import ArgumentParser
import Console
import Files
import Gate
import GateTestKit
import StrictJSON

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Look at the registered keys, and change who gets in.",
        discussion: """
            A key is named by the beginning of the SHA-256 of its identifier, as the log names it (sha:1f2e3d4c5b6a), \
            or by the identifier. A gate that keeps its keys in a JSON file holds that file: stop it first, or ask its \
            admin listener.
            """,
        subcommands: [List.self, Revoke.self, Ban.self, Export.self, Import.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all keys.")

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        struct Entry: Encodable {
            let name: String
            let keyId: String
            let appId: String
            let environment: String
            let signCount: UInt32
            let registeredAt: String
            let lastUsedAt: String
            let riskMetric: Int?
            let receiptNotBefore: String?
            let receiptExpiresAt: String?
            let revokedAt: String?
            let revokedReason: String?
            let accounts: [String]
            let deviceBan: String?

            init(_ key: AttestedKey) {
                name = KeyName(key.id).description
                keyId = key.id.base64
                appId = key.appID.description
                environment = key.environment.rawValue
                signCount = key.signCount
                registeredAt = key.registeredAt.text
                lastUsedAt = key.lastUsedAt.text
                riskMetric = key.receipt?.riskMetric
                receiptNotBefore = key.receipt?.notBefore.map(\.text)
                receiptExpiresAt = key.receipt?.expiresAt.map(\.text)
                revokedAt = key.revocation.map { $0.at.text }
                revokedReason = key.revocation?.reason
                accounts = key.accounts.map(\.hex)
                deviceBan = key.deviceBan?.rawValue
            }
        }

        func run() async throws {
            let stores = try await store.open()
            var entries: [Entry] = []
            try await stores.keys.forEachPage { entries += $0.map(Entry.init) }
            await stores.close()
            let rows = entries.map { entry in
                [
                    entry.name, entry.appId, entry.environment, "\(entry.signCount)", entry.lastUsedAt,
                    entry.riskMetric.map { "\($0)" } ?? "",
                    [
                        entry.revokedReason.map { "revoked: \($0)" }, entry.deviceBan.map { "device ban: \($0)" },
                    ].compactMap(\.self).joined(separator: "; "),
                ]
            }
            try output.show(
                entries, text: Table.text(["KEY", "APP", "ENVIRONMENT", "COUNTER", "LAST USED", "RISK", ""], rows))
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Let a key in no more.",
            discussion:
                "Its app has to make another key. A gate that runs on the same PostgreSQL ends its connections within two seconds."
        )

        @Argument(help: "The key's name (12 digits or more) or its identifier.")
        var key: String

        @Option(name: .long, help: "Why, for whoever looks at the key later.")
        var reason = "operator"

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let revocation = Revocation(at: SystemClock().now, reason: "\(SafeText(reason))")
            let id = try await store.use { (keys) async throws in
                let id = try await keys.id(of: key)
                guard try await keys.revoke(id, revocation) else { throw Failure.noSuchKey(key) }
                return id
            }
            try output.show(["revoked": id.base64], text: "\(KeyName(id)) is revoked.")
        }
    }

    struct Ban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ban",
            abstract: "Let a key in no more, nor any other key of its device.",
            discussion: """
                The key is revoked, and a gate with DEVICECHECK sets the bit that Apple keeps for the device, with the \
                next fresh token of that device: at once where it is connected, else when its app comes with the \
                banned key. From then on the gate refuses to register another key of the device. gate keys list shows \
                how far it has come: pending, or set.
                """)

        @Argument(help: "The key's name (12 digits or more) or its identifier.")
        var key: String

        @Option(name: .long, help: "Why, for whoever looks at the key later.")
        var reason = "operator"

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let revocation = Revocation(at: SystemClock().now, reason: "\(SafeText(reason))")
            if store.store == nil, try store.settings.readConfiguration().decisionRules.devices == .off {
                Warning.show(
                    "DEVICECHECK is off: another key of the device gets in until a gate with it has its token.")
            }
            let id = try await store.use { (keys) async throws in
                let id = try await keys.id(of: key)
                guard try await keys.ban(id, revocation) else { throw Failure.noSuchKey(key) }
                return id
            }
            try output.show(
                ["banned": id.base64],
                text: "\(KeyName(id)) is revoked; its device is banned as soon as a gate has a token of it.")
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all keys to a new file, in the format of the JSON store.")

        @Argument(help: "The file to be made.", completion: .file())
        var file: String

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard try !SmallFile.isThere(file) else {
                throw Failure.cannotWrite(path: file, reason: "it is there already")
            }
            let (keys, bans) = try await store.use { (stored) async throws in
                var keys: [AttestedKey] = []
                try await stored.forEachPage { keys += $0 }
                return (keys, try await stored.allBans())
            }
            do throws(FileError) { try KeyExport.write(keys, bans: bans, to: FilePath(file)) } catch {
                throw Failure.cannotWrite(path: file, reason: "\(error.reason)")
            }
            try output.show(["exported": keys.count], text: "\(keys.count) keys are in \(file).")
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Take in the keys of a JSON file.",
            discussion: """
                A key that is there already stays as it is: neither its counter nor a revocation goes back. Banned \
                accounts are banned here too. Keys of an environment that the gate does not let in are left out: with \
                --store, all but those of production.
                """)

        @Argument(help: "A file in the format of the JSON store.", completion: .file())
        var file: String

        @Option(name: .long, help: "The environment whose keys are taken in: production, development or both.")
        var environment: String?

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        /// The environments whose keys are taken in.
        private func environments() throws -> Set<AppAttestEnvironment> {
            guard let environment else {
                guard store.store == nil else { return [.production] }
                return try store.settings.configuration().attestation?.environments ?? [.production]
            }
            if environment == "both" { return Set(AppAttestEnvironment.allCases) }
            guard let one = AppAttestEnvironment(rawValue: environment) else {
                throw Failure.usage("\(environment) is none of production, development and both.")
            }
            return [one]
        }

        func run() async throws {
            let environments = try environments()
            guard try SmallFile.isThere(file) else { throw Failure.unreadable(path: file, reason: "it is not there") }
            if case .json(let path) = try store.address(), SmallFile.isSame(file, as: path) {
                throw Failure.usage("\(file) is the store itself: its keys are there already.")
            }
            let stores = try await store.open(mayBeMissing: true)
            let appID = store.appID.flatMap { AppID($0) }
            let source = try JSONKeyStore(path: file, .everything(appID), now: SystemClock().now)
            var counts = (inserted: 0, present: 0, foreign: 0)
            try await source.forEachPage { keys in
                let own = keys.filter { environments.contains($0.environment) }
                let page = try await stores.keys.insertAll(own)
                counts = (
                    counts.inserted + page.inserted, counts.present + page.present,
                    counts.foreign + keys.count - own.count
                )
            }
            for ban in try await source.allBans() { _ = try await stores.keys.ban(ban) }
            let skipped = source.opening.skipped
            await source.close()
            await stores.close()
            try output.show(
                [
                    "imported": counts.inserted, "present": counts.present, "otherEnvironment": counts.foreign,
                    "skipped": skipped,
                ],
                text: """
                    \(counts.inserted) keys taken in, \(counts.present) were there already, \
                    \(counts.foreign) are of another environment, \(skipped) entries are no keys.
                    """)
        }
    }
}

extension JSONKeyStore.Options {
    fileprivate static func everything(_ appID: AppID?) -> JSONKeyStore.Options {
        var options = JSONKeyStore.Options()
        options.appID = appID
        options.maximumKeys = .max
        return options
    }
}

extension KeyStore {
    /// The key that an operator means.
    fileprivate func id(of name: String) async throws -> KeyID {
        if let id = KeyID(base64: name) { return id }
        guard let prefix = KeyNamePrefix(name) else {
            throw Failure.usage("\(name) is neither a key's name of 12 to 64 digits nor its identifier.")
        }
        let found = try await keys(named: prefix)
        guard let first = found.first else { throw Failure.noSuchKey(name) }
        guard found.count == 1 else { throw Failure.ambiguousKey(name) }
        return first.id
    }

    /// Inserts keys side by side: a file is written once for many of them.
    fileprivate func insertAll(_ keys: [AttestedKey]) async throws -> (inserted: Int, present: Int) {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for key in keys {
                group.addTask { try await insertIfAbsent(key) == .inserted }
            }
            var counts = (inserted: 0, present: 0)
            for try await isNew in group {
                if isNew { counts.inserted += 1 } else { counts.present += 1 }
            }
            return counts
        }
    }
}
