import Airgap
import Substrate

extension Vault {
    /// What the vault holds that updates are judged by.
    package func trustState() throws -> TrustState { try database.readPublic { try $0.trustState() } }

    /// Takes in what was shown: a network, metadata or types, with everything that has to go before it. One
    /// transaction: removals, then what is new, then the entry of the log.
    ///
    /// - Parameter proposal: what was shown; its answer's action is ``Answer/Action/update(_:)``.
    /// - Throws: ``SignerError/checksumMismatch`` if anything changed since.
    ///
    /// Source: `signer-product` sections 1.4 and 2.
    public func acceptUpdate(_ proposal: Proposal) throws {
        guard case .update(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
        try key?.confirm()
        try checkedPending(proposal)
        try key?.confirmVouched()
        try database.write { trees in
            try trees.removeAll(.transaction)
            try trees.replace(preview.before, by: preview.outcome.state, new: preview.newContent)
            try HistoryLog.append(preview.events, at: now(), to: trees)
        }
    }
}

extension UpdatePreview {
    fileprivate var newContent: MutableTrees.NewContent {
        switch (update.content, content) {
        case (.metadata(let blob, _), .metadata(let facts)):
            .metadata(blob, MetadataName(name: facts.name, version: facts.version))
        case (.types(let types), _): .types(types)
        default: .none
        }
    }

    /// What is logged, in the order of the changes.
    var events: [Event] { outcome.changes.map { $0.event(from: before, to: outcome.state, shown: self) } }
}

extension UpdateOutcome.Change {
    /// - Parameters:
    ///   - before: what the vault held; removals name its verifiers.
    ///   - after: what it holds behind the update.
    ///   - preview: has the words of warnings.
    fileprivate func event(from before: TrustState, to after: TrustState, shown preview: UpdatePreview) -> Event {
        switch self {
        case .warning(let warning): .warning("\(warning.rawValue): \(warning.card(of: preview))")
        case .metadataRemoved(let key, let hash): .metadataRemoved(key.record(hash))
        case .networkRemoved(let network): .networkSpecsRemoved(before.record(of: network))
        case .typesRemoved(let hash): .typesRemoved(hash: hash, Verifier(before.general))
        case .networkVerifierSet(let genesis, let verifier):
            .networkVerifierSet(genesis: genesis, verifier, general: Verifier(after.general))
        case .generalVerifierSet(let key): .generalVerifierSet(Verifier(key))
        case .networkAdded(let network): .networkSpecsAdded(after.record(of: network))
        case .metadataAdded(let key, let hash): .metadataAdded(key.record(hash))
        case .typesAdded(let hash): .typesAdded(hash: hash, Verifier(after.general))
        }
    }
}

extension MetadataName {
    func record(_ hash: Hash256) -> Event.MetadataRecord {
        Event.MetadataRecord(name: name, version: version, hash: hash)
    }
}

extension TrustState {
    /// A network as the log names it, with whom it follows in this state.
    func record(of network: OrderedNetworkSpecs) -> Event.NetworkRecord {
        let verifier: ValidCurrentVerifier =
            if case .valid(let valid) = verifiers[network.specs.genesisHash] { valid } else { .custom(.none) }
        return Event.NetworkRecord(specs: network, verifier: verifier, general: Verifier(general))
    }
}
