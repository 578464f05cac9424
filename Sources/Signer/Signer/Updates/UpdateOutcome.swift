import Substrate

/// What an update leads to if the person says yes: the warnings to show before, what is logged, and the state behind
/// it.
///
/// Source: `signer-product` sections 2.1 to 2.5.
package struct UpdateOutcome: Hashable, Sendable {
    /// What the person has to know before a yes; each is logged too.
    package enum Warning: String, Sendable {
        /// The network or metadata are signed by nobody.
        case notVerified = "NotVerified"
        /// The types are signed by nobody.
        case typesNotVerified = "TypesNotVerified"
        /// The types are others than those that are here.
        case updatingTypes = "UpdatingTypes"
        /// The types are those that are here.
        case typesAlreadyThere = "TypesAlreadyThere"
        /// The network is as it is here.
        case networkSpecsAlreadyThere = "NetworkSpecsAlreadyThere"
        /// There was no general verifier; the signer becomes it, and what came without one is removed.
        case generalVerifierAppeared = "GeneralVerifierAppeared"
        /// The network's own verifier gives way to the general one, and what came by it is removed.
        case verifierChangingToGeneral = "VerifierChangingToGeneral"
        /// The network gets a verifier of its own, and what came without one is removed.
        case verifierChangingToCustom = "VerifierChangingToCustom"
        /// The signer becomes the general verifier and that of the network, and what came without one is removed.
        case verifierGeneralSuper = "VerifierGeneralSuper"
        /// Signed extensions without which no transaction is read are not described.
        case metadataExtensionsIncomplete = "MetadataExtensionsIncomplete"
    }

    /// What the person is shown and the log does not name.
    package enum Notice: String, Sendable {
        /// The network is new and follows a verifier of its own from now on.
        case newCustomVerifier = "NewCustomVerifier"
        /// Later metadata are here already.
        case olderMetadata = "OlderMetadata"
    }

    /// One change, in the order in which changes are made and logged.
    package enum Change: Hashable, Sendable {
        case warning(Warning)
        case metadataRemoved(MetadataName, hash: Hash256)
        case networkRemoved(OrderedNetworkSpecs)
        case typesRemoved(Hash256)
        case networkVerifierSet(genesis: Hash256, ValidCurrentVerifier)
        case generalVerifierSet(MultiSigner)
        case networkAdded(OrderedNetworkSpecs)
        case metadataAdded(MetadataName, hash: Hash256)
        case typesAdded(Hash256)
    }

    /// The changes in their order; the warnings are among them.
    package private(set) var changes: [Change] = []
    /// What is shown beside the warnings.
    package private(set) var notices: [Notice] = []
    /// What the vault holds behind them.
    package private(set) var state: TrustState

    /// The warnings in their order.
    package var warnings: [Warning] {
        changes.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
    }

    init(from state: TrustState) { self.state = state }

    mutating func warn(_ warning: Warning) { changes.append(.warning(warning)) }

    mutating func show(_ notice: Notice) { notices.append(notice) }

    mutating func remove(metadata keys: some Collection<MetadataName>) {
        for key in keys.sorted(by: { ($0.name, $0.version) < ($1.name, $1.version) }) {
            guard let hash = state.metadata.removeValue(forKey: key) else { continue }
            changes.append(.metadataRemoved(key, hash: hash))
        }
    }

    mutating func remove(networks keys: Set<NetworkKey>) {
        let removed = state.networks.filter { keys.contains($0.specs.key) }
        for network in removed.sorted(by: { ($0.specs.title, $0.order) < ($1.specs.title, $1.order) }) {
            changes.append(.networkRemoved(network))
        }
        state.networks.removeAll { keys.contains($0.specs.key) }
        state.closeGaps()
    }

    mutating func removeTypes() {
        guard let types = state.types else { return }
        state.types = nil
        changes.append(.typesRemoved(types))
    }

    mutating func set(verifier: ValidCurrentVerifier, of genesis: Hash256) {
        state.verifiers[genesis] = .valid(verifier)
        changes.append(.networkVerifierSet(genesis: genesis, verifier))
    }

    mutating func set(general key: MultiSigner) {
        state.general = key
        changes.append(.generalVerifierSet(key))
    }

    /// Adds a network behind the others, or in the place of the record that has its key.
    mutating func put(_ specs: NetworkSpecs) {
        let order = state.network(specs.key)?.order ?? UInt8(clamping: state.networks.count)
        let network = OrderedNetworkSpecs(specs: specs, order: order)
        state.networks.removeAll { $0.specs.key == specs.key }
        state.networks.append(network)
        changes.append(.networkAdded(network))
    }

    mutating func put(metadata key: MetadataName, hash: Hash256) {
        state.metadata[key] = hash
        changes.append(.metadataAdded(key, hash: hash))
    }

    mutating func put(types: Hash256) {
        state.types = types
        changes.append(.typesAdded(types))
    }
}

extension TrustState {
    /// Numbers the networks from 0 on without gaps, in the order that they have.
    ///
    /// Source: `signer-product` section 1.6.
    mutating func closeGaps() {
        networks.sort { $0.order < $1.order }
        for index in networks.indices { networks[index].order = UInt8(clamping: index) }
    }
}
