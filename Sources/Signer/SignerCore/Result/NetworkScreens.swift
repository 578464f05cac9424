import Signer
import Substrate
import TextForms

/// A key that signs updates.
package struct VerifierData: Sendable, Encodable {
    /// The public key in hex, from which its picture is drawn; nil where there is none.
    package var publicKey: String?
    /// The scheme of its signatures.
    package var scheme: String?

    package init(_ key: MultiSigner?) {
        publicKey = key.map { Hex.encode($0.publicKey) }
        scheme = key?.scheme.name
    }
}

/// What the settings show, also where the vault cannot be read.
package struct SettingsData: Sendable, Encodable {
    /// Whose signature updates need of networks that have no verifier of their own.
    package var generalVerifier: VerifierData?
    /// What the vault lets pass of a connected machine, by the names of the options that set it.
    package var allowed: [String] = []
    /// Why the vault cannot be read.
    package var error: CoreFailure?

    init(of vault: Vault?) {
        do {
            generalVerifier = VerifierData(try vault?.generalVerifier())
            allowed = try vault?.networkAllowance().names ?? []
        } catch { self.error = CoreFailure(error) }
    }
}

/// The networks by order, and those of which no record is here.
package struct ManageNetworksData: Sendable, Encodable {
    /// A network that is pinned or blocked.
    package struct Absent: Sendable, Encodable {
        /// The genesis in hex.
        package var genesis: String
        /// Whom it follows.
        package var trust: String
        /// The key of its own verifier.
        package var verifier: VerifierData?
    }

    /// Networks that have a record, in the order of the list.
    package var networks: [NetworkCard]
    /// Networks without a record: pinned, or blocked.
    package var absent: [Absent]

    init(of vault: Vault) throws {
        networks = try vault.networkList().map { NetworkCard($0.specs, order: $0.order) }
        absent = try vault.absentNetworks().map {
            Absent(genesis: $0.genesisHash.hex, trust: $0.trust.name, verifier: $0.trust.verifier)
        }
    }
}

/// One version of metadata.
package struct MetadataData: Sendable, Encodable {
    /// The name of the runtime.
    package var name: String
    /// The version of the runtime.
    package var version: UInt32
    /// BLAKE2b-256 of the blob in hex, from which its picture is drawn.
    package var hash: String
    /// The titles of the networks that use it.
    package var networks: [String]
}

/// One network with all that is stored of it.
package struct NetworkDetailsData: Sendable, Encodable {
    /// The network that is looked at.
    package var network: NetworkCard
    /// The name of the runtime.
    package var name: String
    /// The prefix of addresses.
    package var base58Prefix: UInt16
    /// The decimals of its token.
    package var decimals: UInt8
    /// The unit of its token.
    package var unit: String
    /// The scheme of its keys.
    package var scheme: String
    /// The hash of its first block.
    package var genesis: String
    /// The path that the first key of a seed gets in this network.
    package var pathID: String
    /// The two colours that it is drawn in, the main one first, as CSS text.
    package var colors: [String]
    /// Whom it follows: `general`, `custom`, `none` or `blocked`.
    package var trust: String
    /// The key that it follows.
    package var verifier: VerifierData?
    /// The metadata held, newest first.
    package var metadata: [MetadataData]

    init(_ stored: StoredNetwork, all: [StoredNetwork], general: MultiSigner?) {
        let specs = stored.specs
        network = NetworkCard(specs, order: stored.order)
        name = specs.name
        base58Prefix = specs.base58Prefix
        decimals = specs.decimals
        unit = specs.unit
        scheme = specs.scheme.name
        genesis = specs.genesisHash.hex
        pathID = specs.pathID
        colors = [specs.color, specs.secondaryColor]
        trust = stored.trust.name
        verifier = stored.trust == .general ? VerifierData(general) : stored.trust.verifier
        let users = all.filter { $0.specs.name == specs.name }.map(\.specs.title)
        metadata = stored.metadata.map {
            MetadataData(name: specs.name, version: $0.version, hash: $0.hash.hex, networks: users)
        }
    }
}

/// The types of old networks.
package struct TypesData: Sendable, Encodable {
    /// BLAKE2b-256 of them in hex; nil where there are none.
    package var hash: String?
}

extension StoredNetwork.Trust {
    /// In one word.
    var name: String {
        switch self {
        case .general: "general"
        case .custom: "custom"
        case .unverified: "none"
        case .blocked: "blocked"
        }
    }

    var verifier: VerifierData? { if case .custom(let key) = self { VerifierData(key) } else { nil } }
}
