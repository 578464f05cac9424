import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate
import TextForms

struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Networks that this vault knows, and whom it trusts for them.",
        discussion: """
            New networks and metadata come by picture: casemate update. To look needs no PIN; to change does.
            """,
        subcommands: [
            List.self, Show.self, Remove.self, RemoveMetadata.self, RemoveTypes.self, Block.self, Unblock.self,
            Move.self, Sign.self,
        ])

    /// The vault's networks, which are public, or those of this release where there is no vault yet.
    static func opened(_ options: VaultFolderOptions) throws -> Vault {
        guard Vault.exists(in: options.folder) else { return try Vault.lookOnly(NetworkBundle.shipped()) }
        return try Vault.open(
            options.folder, for: .publicData, unlocking: Unlocking { _ in throw SignerError.vaultKey(.locked) })
    }

    /// The network of the vault that has this name, title or genesis.
    static func stored(_ text: String, in vault: Vault) throws -> StoredNetwork {
        let specs = try vault.network(named: text)
        guard let stored = try vault.networkList().first(where: { $0.specs.key == specs.key }) else {
            throw SignerError.networkNotFound(text)
        }
        return stored
    }

    struct NetworkJSON: Encodable {
        struct Metadata: Encodable {
            var version: UInt32
            var digest: String
        }

        var title: String
        var name: String
        var scheme: String
        var genesisHash: String
        var prefix: UInt16
        var decimals: UInt8
        var unit: String
        var defaultPath: String
        var metadataVersions: [UInt32]
        var metadata: [Metadata]
        /// Whom it follows: `general`, `unverified`, `blocked`, or the scheme and the key of its own verifier.
        var verifier: String
        var order: Int

        init(_ network: StoredNetwork) {
            let specs = network.specs
            title = specs.title
            name = specs.name
            scheme = specs.scheme.name
            genesisHash = specs.genesisHash.hex
            prefix = specs.base58Prefix
            decimals = specs.decimals
            unit = specs.unit
            defaultPath = specs.pathID
            metadataVersions = network.metadata.map(\.version)
            metadata = network.metadata.map { Metadata(version: $0.version, digest: $0.hash.hex) }
            verifier = network.trust.code
            order = network.order
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the networks with the metadata held for them, and whom they follow.")

        @Flag(help: "List those that were removed or blocked instead: whom the vault would still take them from.")
        var absent = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions

        struct AbsentJSON: Encodable {
            var genesisHash: String
            var verifier: String
        }

        func run() throws {
            let opened = try Network.opened(vault)
            guard !absent else {
                let rows = try opened.absentNetworks().map {
                    AbsentJSON(genesisHash: $0.genesisHash.hex, verifier: $0.trust.code)
                }
                return try output.show(
                    rows, text: Table.text(["GENESIS", "VERIFIER"], rows.map { [$0.genesisHash, $0.verifier] }))
            }
            let networks = try opened.networkList()
            let rows = networks.map(NetworkJSON.init)
            try output.show(
                rows,
                text: Table.text(
                    ["NETWORK", "TOKEN", "SCHEME", "VERIFIER", "METADATA"],
                    zip(networks, rows).map { network, row in
                        [
                            network.specs.title(among: networks.map(\.specs)), row.unit, row.scheme,
                            String(row.verifier.prefix(24)),
                            row.metadataVersions.map(String.init).joined(separator: ", "),
                        ]
                    }))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show everything about one network.")

        @Argument(help: "Name, title or genesis hash.")
        var network: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions

        func run() throws {
            let row = NetworkJSON(try Network.stored(network, in: Network.opened(vault)))
            let metadata = row.metadata.map { "\($0.version)  \($0.digest)" }
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
                      verifier       \(row.verifier)
                      metadata       \(metadata.joined(separator: "\n                 "))
                    """)
        }
    }
}

extension StoredNetwork.Trust {
    /// The word by which programs tell the cases apart.
    var code: String {
        switch self {
        case .general: "general"
        case .custom(let key): "\(key.scheme.name) \(Hex.encode(key.publicKey))"
        case .unverified: "unverified"
        case .blocked: "blocked"
        }
    }
}
