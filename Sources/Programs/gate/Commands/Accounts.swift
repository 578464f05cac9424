import AppAttest
import ArgumentParser
import Console
import Gate
import GateTestKit

struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Ban accounts of your service with all their keys, and let them in again.",
        discussion: """
            Your service names the account of whoever connects in the header X-Gate-Account of its answer, and the \
            gate binds the key to it (ACCOUNT_BINDING=on). A ban counts for all keys that were used with the account, \
            and for those that come later: a new key is refused as soon as the service names the account. The store \
            holds no names, only keyed hashes of them (ACCOUNT_SECRET_PATH). A gate that keeps its keys in a JSON file \
            holds that file: stop it first, or ask its admin listener.
            """,
        subcommands: [Ban.self, Unban.self, List.self])

    struct Ban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ban",
            abstract: "Let an account in no more, with whatever key.",
            discussion: "Gates that run on the same PostgreSQL end its connections within two seconds.")

        @Argument(help: "The account, as your service names it.")
        var account: String

        @Option(name: .long, help: "Why, for whoever looks at it later.")
        var reason = "operator"

        @OptionGroup var secret: AccountSecret
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        struct Banned: Encodable {
            let banned: String
            let keys: Int
        }

        func run() async throws {
            let tag = try secret.tag(of: account, store.settings)
            let ban = AccountBan(account: tag, at: SystemClock().now, reason: "\(SafeText(reason))")
            let keys = try await store.use { (keys) async throws in try await keys.ban(ban) }
            try output.show(
                Banned(banned: tag.hex, keys: keys.count),
                text: "\(tag.shortName) is banned; \(keys.count) keys are revoked.")
        }
    }

    struct Unban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unban",
            abstract: "Let an account in again.",
            discussion: "The keys that the ban revoked stay revoked: its apps make new ones by themselves.")

        @Argument(help: "The account, as your service names it.")
        var account: String

        @OptionGroup var secret: AccountSecret
        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let tag = try secret.tag(of: account, store.settings)
            guard try await store.use({ (keys) async throws in try await keys.liftBan(of: tag) }) else {
                throw Failure.notBanned
            }
            try output.show(["unbanned": tag.hex], text: "\(tag.shortName) gets in again.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the banned accounts, by their hashes.")

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: OutputOptions

        struct Entry: Encodable {
            let account: String
            let bannedAt: String
            let reason: String
        }

        func run() async throws {
            let bans = try await store.use { (keys) async throws in try await keys.allBans() }
            let entries = bans.map { ban in
                Entry(account: ban.account.hex, bannedAt: ban.at.text, reason: ban.reason)
            }
            let rows = bans.map { [$0.account.shortName, $0.at.text, "\(SafeText($0.reason))"] }
            try output.show(entries, text: Table.text(["ACCOUNT", "SINCE", "WHY"], rows))
        }
    }
}

/// Where the secret is by which names of accounts become what the store keeps.
struct AccountSecret: ParsableArguments {
    @Option(
        name: .long, help: "The file of ACCOUNT_SECRET_PATH; needed beside --store.", completion: .file())
    var accountSecret: String?

    func tag(of account: String, _ settings: SettingOptions) throws -> AccountTag {
        guard let path = try accountSecret ?? settings.configuration().accountSecretPath else {
            throw Failure.setting(.accountBinding, "It is off: keys are bound to no accounts.")
        }
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(path) } catch {
            throw Failure.unreadable(path: path, reason: error.reason)
        }
        guard let names = AccountNames(secret: bytes) else {
            throw Failure.setting(.accountSecretPath, "The file has to hold \(AccountNames.secretBytes) bytes.")
        }
        guard let tag = names.tag(of: account) else {
            throw Failure.usage("An account's name has 1 to 256 bytes, no control character and no blank at an end.")
        }
        return tag
    }
}

extension StoreOptions {
    /// Opens the store, works on its keys, and closes it whatever happens.
    func use<Value>(_ work: (any KeyStore) async throws -> Value) async throws -> Value {
        let stores = try await open()
        do {
            let value = try await work(stores.keys)
            await stores.close()
            return value
        } catch {
            await stores.close()
            throw error
        }
    }
}

extension KeyStore {
    private static var page: Int { 500 }

    /// All banned accounts.
    func allBans() async throws -> [AccountBan] {
        var found: [AccountBan] = []
        while true {
            let page = try await bans(after: found.last?.account, limit: Self.page)
            guard !page.isEmpty else { return found }
            found += page
        }
    }
}
