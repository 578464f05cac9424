import Substrate

/// What a vault holds that updates are judged by: the general verifier, the verifier of each network, and what both
/// have let in so far. A value: judging changes a copy.
///
/// Source: `signer-product` section 2.
package struct TrustState: Hashable, Sendable {
    /// The general verifier's key, if there is one yet.
    package var general: MultiSigner?
    /// The verifier of each network by its genesis; none for a network that is unknown.
    package var verifiers: [Hash256: CurrentVerifier]
    /// The records of networks, one for a genesis and scheme.
    package var networks: [OrderedNetworkSpecs]
    /// The digest of each metadata blob by name and version.
    package var metadata: [MetadataName: Hash256]
    /// The digest of the types of old networks, if there are any.
    package var types: Hash256?

    package init(
        general: MultiSigner?, verifiers: [Hash256: CurrentVerifier], networks: [OrderedNetworkSpecs],
        metadata: [MetadataName: Hash256], types: Hash256?
    ) {
        self.general = general
        self.verifiers = verifiers
        self.networks = networks
        self.metadata = metadata
        self.types = types
    }

    /// The records of one genesis, in the order of lists.
    package func networks(of genesis: Hash256) -> [OrderedNetworkSpecs] {
        networks.filter { $0.specs.genesisHash == genesis }.sorted { $0.order < $1.order }
    }

    /// The genesis of another network with a name. Metadata are kept by name, so that it would take those of the other.
    func otherNetwork(called name: String, than genesis: Hash256) -> Hash256? {
        networks.first { $0.specs.name == name && $0.specs.genesisHash != genesis }?.specs.genesisHash
    }

    /// Whose word a network takes; nil for nobody's, a blocked network and one that is not known.
    package func follows(_ genesis: Hash256) -> MultiSigner? {
        switch verifiers[genesis] {
        case .valid(.general): general
        case .valid(.custom(let verifier)): verifier.key
        case .dead, nil: nil
        }
    }

    /// The record of a key.
    package func network(_ key: NetworkKey) -> OrderedNetworkSpecs? { networks.first { $0.specs.key == key } }

    /// The versions of metadata of a name.
    package func versions(of name: String) -> [MetadataName] {
        metadata.keys.filter { $0.name == name }.sorted { $0.version < $1.version }
    }
}

/// Content for the vault, with the key that signed it.
///
/// Source: `signer-wire` sections 1.8 and 1.9.
package struct Update: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A network.
        case specs(NetworkSpecs)
        case metadata(Metadata)
        /// The digest of types for old networks.
        case types(Hash256)
    }

    /// What the rules ask of metadata.
    package struct Metadata: Hashable, Sendable {
        /// The network that they are said to be of.
        package var genesis: Hash256
        /// The name and version that they state.
        package var key: MetadataName
        /// The digest of the blob.
        package var hash: Hash256
        /// The prefix of addresses that they state, if they do.
        package var base58Prefix: UInt16?
        /// Whether they describe all signed extensions without which no transaction is read.
        package var describesExtensions: Bool

        package init(
            genesis: Hash256, key: MetadataName, hash: Hash256, base58Prefix: UInt16?, describesExtensions: Bool
        ) {
            self.genesis = genesis
            self.key = key
            self.hash = hash
            self.base58Prefix = base58Prefix
            self.describesExtensions = describesExtensions
        }
    }

    package var content: Content
    /// The key whose signature was verified; nil for none.
    package var signer: MultiSigner?

    package init(content: Content, signer: MultiSigner?) {
        self.content = content
        self.signer = signer
    }
}
