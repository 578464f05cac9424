import Substrate

/// What a vault holds that updates are judged by: the general verifier, the verifier of each network, and what both
/// have let in so far. A value: judging changes a copy.
///
/// Source: `signer-product` section 2.
struct TrustState: Hashable, Sendable {
    /// The general verifier's key, if there is one yet.
    var general: MultiSigner?
    /// The verifier of each network by its genesis; none for a network that is unknown.
    var verifiers: [Hash256: CurrentVerifier]
    /// The records of networks, one for a genesis and scheme.
    var networks: [OrderedNetworkSpecs]
    /// The digest of each metadata blob by name and version.
    var metadata: [MetadataKey: Hash256]
    /// The digest of the types of old networks, if there are any.
    var types: Hash256?

    /// The records of one genesis, in the order of lists.
    func networks(of genesis: Hash256) -> [OrderedNetworkSpecs] {
        networks.filter { $0.specs.genesisHash == genesis }.sorted { $0.order < $1.order }
    }

    /// The record of a key.
    func network(_ key: NetworkKey) -> OrderedNetworkSpecs? { networks.first { $0.specs.key == key } }

    /// The versions of metadata of a name.
    func versions(of name: String) -> [MetadataKey] {
        metadata.keys.filter { $0.name == name }.sorted { $0.version < $1.version }
    }
}

/// Content for the vault, with the key that signed it.
///
/// Source: `signer-wire` sections 1.8 and 1.9.
struct Update: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// A network.
        case specs(NetworkSpecs)
        case metadata(Metadata)
        /// The digest of types for old networks.
        case types(Hash256)
    }

    /// What the rules ask of metadata.
    struct Metadata: Hashable, Sendable {
        /// The network that they are said to be of.
        var genesis: Hash256
        /// The name and version that they state.
        var key: MetadataKey
        /// The digest of the blob.
        var hash: Hash256
        /// The prefix of addresses that they state, if they do.
        var base58Prefix: UInt16?
        /// Whether they describe all signed extensions without which no transaction is read.
        var describesExtensions: Bool
    }

    var content: Content
    /// The key whose signature was verified; nil for none.
    var signer: MultiSigner?
}
