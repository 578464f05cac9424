import Substrate

/// A network of a vault, with whom it follows and what is held of it.
public struct StoredNetwork: Hashable, Sendable {
    /// Who decides what is taken for a network.
    public enum Trust: Hashable, Sendable {
        /// The general verifier.
        case general
        /// A verifier of its own.
        case custom(MultiSigner)
        /// Nobody: anything is taken until somebody signs.
        case unverified
        /// Nothing is taken: the person has blocked the network.
        case blocked
    }

    /// A metadata blob that is held.
    public struct Metadata: Hashable, Sendable {
        /// The version of the runtime.
        public var version: UInt32
        /// BLAKE2b-256 of the blob.
        public var hash: Hash256
    }

    /// What the vault holds of it: how it is named, and how addresses and amounts of it are written.
    public var specs: NetworkSpecs
    /// Its place in lists, from 0.
    package var order: Int
    /// Who decides what is taken for it.
    public var trust: Trust
    /// The metadata held of it, newest first.
    public var metadata: [Metadata]
}

/// A network of which no record is held, and whom it follows all the same.
package struct AbsentNetwork: Hashable, Sendable {
    /// The hash of its first block, which is all that still names it.
    package var genesisHash: Hash256
    /// Who decides whether it may come back.
    package var trust: StoredNetwork.Trust
}

extension Vault {
    /// The stored networks in the order of lists.
    public func networks() throws -> [NetworkSpecs] { try database.readPublic { try $0.networks().map(\.specs) } }

    /// Versions of the metadata held for a network, newest first.
    package func metadataVersions(of network: NetworkSpecs) throws -> [UInt32] {
        try database.readPublic { try $0.metadataVersions(name: network.name) }
    }

    /// The network with this genesis in hex, behind which may stand the scheme of its keys, as in `0x91b1…/sr25519`; or
    /// with this name, else with this title. A title is what its author likes, a name is one network's, and what is
    /// written as a genesis is nothing else.
    ///
    /// - Parameter forAnyScheme: whether the records of a network for several schemes are as good as one another.
    /// - Throws: ``SignerError/networkNotFound(_:)``, ``SignerError/networkAmbiguous(_:networks:)``
    public func network(named text: String, forAnyScheme: Bool = false) throws -> NetworkSpecs {
        let wanted = text.lowercased()
        let networks = try networks()
        let found: [NetworkSpecs]
        if let genesis = NetworkSpecs.genesis(in: wanted) {
            let scheme = wanted.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            found = networks.filter { $0.genesisHash == genesis && scheme.map($0.scheme.name.elementsEqual) ?? true }
        } else {
            let named = networks.filter { $0.name == wanted }
            found = named.isEmpty ? networks.filter { $0.title.lowercased() == wanted } : named
        }
        guard let network = found.first else { throw SignerError.networkNotFound(text) }
        guard found.count == 1 || forAnyScheme && found.allSatisfy({ $0.genesisHash == network.genesisHash }) else {
            throw SignerError.networkAmbiguous(
                text, networks: found.map { "0x\($0.genesisHash.hex)/\($0.scheme.name)" })
        }
        return network
    }

    /// The networks in the order of lists.
    public func networkList() throws -> [StoredNetwork] {
        let state = try database.readPublic { try $0.trustState() }
        return state.networks.sorted { $0.order < $1.order }.map { network in
            StoredNetwork(
                specs: network.specs, order: Int(network.order), trust: state.trust(in: network.specs.genesisHash),
                metadata: state.versions(of: network.specs.name).reversed().compactMap { key in
                    state.metadata[key].map { StoredNetwork.Metadata(version: key.version, hash: $0) }
                })
        }
    }

    /// Networks without a record that the vault still knows something of: pinned to a verifier, or blocked.
    package func absentNetworks() throws -> [AbsentNetwork] {
        let state = try database.readPublic { try $0.trustState() }
        return state.verifiers.keys.filter { state.networks(of: $0).isEmpty }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            .map { AbsentNetwork(genesisHash: $0, trust: state.trust(in: $0)) }
    }

    /// The key that all networks follow which have no verifier of their own; nil if there is none yet.
    public func generalVerifier() throws -> MultiSigner? { try database.readPublic { try $0.generalVerifier().key } }

    /// BLAKE2b-256 of the types of old networks; nil where there are none.
    package func typesHash() throws -> Hash256? {
        try database.readPublic { try $0.value(.settings, Setting.types.key).map { Blake2b.hash256($0) } }
    }

    // MARK: Removing

    /// Removes a network: its records for all schemes, its metadata, and what keys are in it. Whom it follows stays
    /// known, so that nobody else can bring it back.
    ///
    /// - Parameter genesis: of the network.
    ///
    /// Source: `signer-product` section 1.6.
    public func removeNetwork(_ genesis: Hash256) throws {
        try changeTrust { trees, state in
            let (events, after) = try trees.removeNetwork(genesis, from: state)
            return (events, after)
        }
    }

    /// Removes a network and takes nothing for it any more, whoever signs, until ``unblockNetwork(_:)``.
    ///
    /// - Parameter genesis: of the network.
    ///
    /// Source: `signer-product` section 2.6.
    public func blockNetwork(_ genesis: Hash256) throws {
        try changeTrust { trees, state in
            let title = state.networks(of: genesis).first?.specs.title ?? genesis.hex
            var (events, after) = try trees.removeNetwork(genesis, from: state)
            after.verifiers[genesis] = .dead
            events.append(.systemEntry("network blocked: \(title) \(genesis.hex)"))
            return (events, after)
        }
    }

    /// Forgets a network that was blocked: it is unknown from then on.
    ///
    /// - Parameter genesis: of the network.
    /// - Throws: ``SignerError/networkNotFound(_:)`` if it is not blocked.
    public func unblockNetwork(_ genesis: Hash256) throws {
        try changeTrust { _, state in
            guard state.verifiers[genesis] == .dead else { throw SignerError.networkNotFound(genesis.hex) }
            var after = state
            after.verifiers[genesis] = nil
            return ([.systemEntry("network unblocked: \(genesis.hex)")], after)
        }
    }

    /// Removes one version of a network's metadata.
    ///
    /// - Throws: ``SignerError/metadataNotFound(name:version:)``.
    public func removeMetadata(name: String, version: UInt32) throws {
        try changeTrust { _, state in
            let key = MetadataName(name: name, version: version)
            guard let hash = state.metadata[key] else {
                throw SignerError.metadataNotFound(name: name, version: version)
            }
            var after = state
            after.metadata[key] = nil
            return ([.metadataRemoved(key.record(hash))], after)
        }
    }

    /// Removes the types of old networks.
    ///
    /// - Throws: ``SignerError/typesNotFound``.
    public func removeTypes() throws {
        try changeTrust { _, state in
            guard let hash = state.types else { throw SignerError.typesNotFound }
            var after = state
            after.types = nil
            return ([.typesRemoved(hash: hash, Verifier(state.general))], after)
        }
    }

    /// Puts a network before or behind others in lists.
    ///
    /// - Parameters:
    ///   - key: of the network's record.
    ///   - place: from 0; a place behind the last is the last.
    package func moveNetwork(_ key: NetworkKey, to place: Int) throws {
        try changeTrust { _, state in
            guard let network = state.network(key) else { throw SignerError.networkNotFound(key.genesisHash.hex) }
            var after = state
            var ordered = state.networks.sorted { $0.order < $1.order }.filter { $0.specs.key != key }
            ordered.insert(network, at: min(max(0, place), ordered.count))
            for index in ordered.indices { ordered[index].order = UInt8(clamping: index) }
            after.networks = ordered
            return ([.systemEntry("network \(network.specs.title) moved to place \(place)")], after)
        }
    }

    /// Changes what updates are judged by, with its entry of the log, in one transaction.
    private func changeTrust(
        _ body: (MutableTrees, TrustState) throws -> (events: [Event], after: TrustState)
    ) throws {
        try key?.confirm()
        try key?.confirmVouched()
        try database.write { trees in
            try trees.checkPublicTrees()
            try trees.removeAll(.transaction)
            let before = try trees.trustState()
            let (events, after) = try body(trees, before)
            try trees.replace(before, by: after)
            try HistoryLog.append(events, at: now(), to: trees)
        }
    }
}

extension TrustState {
    /// Whom a network follows.
    fileprivate func trust(in genesis: Hash256) -> StoredNetwork.Trust {
        switch verifiers[genesis] {
        case .valid(.general): .general
        case .valid(.custom(let verifier)): verifier.key.map { .custom($0) } ?? .unverified
        case .dead: .blocked
        case nil: .unverified
        }
    }
}

extension MutableTrees {
    /// Takes a network out of a state, and out of every key's list.
    fileprivate func removeNetwork(
        _ genesis: Hash256, from state: TrustState
    ) throws -> (events: [Event], after: TrustState) {
        let networks = state.networks(of: genesis)
        guard let name = networks.first?.specs.name else { throw SignerError.networkNotFound(genesis.hex) }
        var after = state
        var events: [Event] = []
        for key in state.versions(of: name) {
            guard let hash = after.metadata.removeValue(forKey: key) else { continue }
            events.append(.metadataRemoved(key.record(hash)))
        }
        for network in networks { events.append(.networkSpecsRemoved(state.record(of: network))) }
        after.networks.removeAll { $0.specs.genesisHash == genesis }
        after.closeGaps()
        events += try disableKeys(in: genesis)
        return (events, after)
    }
}
