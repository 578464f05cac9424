import ArgumentParser
import Console
import Signer
import Substrate

struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Networks that this vault knows. Need no PIN.", subcommands: [List.self, Show.self])

    /// The vault's networks, which are public, or those of this release where there is no vault yet.
    static func opened(_ options: VaultOptions) throws -> Vault {
        guard Vault.exists(in: options.folder) else { return try Vault.lookOnly(NetworkBundle.shipped()) }
        return try Vault.open(
            options.folder, for: .publicData, unlocking: Unlocking { _ in throw SignerError.vaultKey(.locked) })
    }

    struct NetworkJSON: Encodable {
        var title: String
        var name: String
        var scheme: String
        var genesisHash: String
        var prefix: UInt16
        var decimals: UInt8
        var unit: String
        var defaultPath: String
        var metadataVersions: [UInt32]

        init(_ specs: NetworkSpecs, in vault: Vault) throws {
            title = specs.title
            name = specs.name
            scheme = specs.scheme.name
            genesisHash = specs.genesisHash.hex
            prefix = specs.base58Prefix
            decimals = specs.decimals
            unit = specs.unit
            defaultPath = specs.pathID
            metadataVersions = try vault.metadataVersions(of: specs)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the networks with the metadata held for them.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let opened = try Network.opened(vault)
            let rows = try opened.networks().map { try NetworkJSON($0, in: opened) }
            try output.show(
                rows,
                text: Table.text(
                    ["NETWORK", "TOKEN", "SCHEME", "METADATA"],
                    rows.map { row in
                        [
                            row.title, row.unit, row.scheme,
                            row.metadataVersions.map(String.init).joined(separator: ", "),
                        ]
                    }))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show everything about one network.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        @Argument(help: "Name, title or genesis hash.")
        var network: String

        func run() throws {
            let opened = try Network.opened(vault)
            let row = try NetworkJSON(opened.network(named: network), in: opened)
            try output.show(
                row,
                text: """
                    \(row.title)
                      name           \(row.name)
                      genesis hash   \(row.genesisHash)
                      signatures     \(row.scheme)
                      prefix         \(row.prefix)
                      token          \(row.unit), \(row.decimals) decimals
                      default path   \(row.defaultPath)
                      metadata       \(row.metadataVersions.map(String.init).joined(separator: ", "))
                    """)
        }
    }
}
