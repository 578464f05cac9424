import Airgap
import SecretMemory
import Substrate

extension Vault {
    /// Stores the new keys of a hot wallet's request for addresses, and gives the answer to it.
    ///
    /// - Parameter proposal: what was shown.
    /// - Returns: ``DynamicDerivationsAnswer/payload``, which the wallet reads as a moving QR code.
    public func shareDerivations(_ proposal: Proposal) throws -> DynamicDerivationsAnswer {
        guard case .shareDerivations(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
        try checkedPending(proposal)
        try database.write { trees in
            try trees.removeAll(.transaction)
            var events: [Event] = []
            for item in preview.keys where !item.alreadyExists {
                guard let network = item.network else { continue }
                events += try trees.enableIfNew(item.key, in: network)
            }
            if !events.isEmpty { try HistoryLog.append(events, at: now(), to: trees) }
        }
        return preview.answer
    }

    /// Imports the derived keys of an export whose seeds this vault has.
    ///
    /// Each key is derived and compared, whatever the export says of it. Keys with a password, of unknown networks or
    /// with malformed paths are left out, as the preview shows.
    ///
    /// - Parameter proposal: what was shown.
    /// - Returns: the keys that are new.
    /// - Throws: ``SignerError/importAddressMismatch(path:)``, and nothing is stored, if an address is not what its
    ///   path gives.
    public func importDerivations(_ proposal: Proposal) throws -> [StoredKey] {
        guard case .importDerivations = proposal.answer.action,
            case .derivations(let groups)? = proposal.answer.cards.derivations.first?.kind
        else { throw SignerError.nothingPending }
        try checkedPending(proposal)
        var found: [(key: StoredKey, network: NetworkSpecs)] = []
        for group in groups {
            let mnemonic = try seeds.mnemonic(named: group.name)
            for key in group.keys where key.status == .importable && key.hasPassword == nil {
                let path = key.path ?? ""
                let networkKey = NetworkKey(scheme: key.scheme, genesisHash: key.genesisHash)
                guard let network = try database.read({ try $0.network(networkKey)?.specs }) else { continue }
                let pair = try Self.derive(mnemonic, path: Self.path(path), password: nil, scheme: key.scheme)
                let stored = StoredKey(
                    signer: pair.multiSigner,
                    details: AddressDetails(
                        seedName: group.name, path: path, hasPassword: false, networks: [networkKey],
                        scheme: key.scheme, secretExposed: false))
                guard stored.address(in: network) == key.address else {
                    throw SignerError.importAddressMismatch(path: path)
                }
                found.append((stored, network))
            }
        }
        try database.write { trees in
            try trees.removeAll(.transaction)
            var events: [Event] = []
            for (key, network) in found { events += try trees.enableIfNew(key, in: network) }
            if !events.isEmpty { try HistoryLog.append(events, at: now(), to: trees) }
        }
        return found.map(\.key)
    }
}

extension Vault {
        } catch SignerError.keyCollision(let seed, let path) {
            throw SignerError.keyCollisionBatch(seed: seed, path: path)
    /// Makes the keys of a list of paths below a seed; those that are there already stay. All or none.
    ///
    /// - Parameters:
    ///   - proposal: what was shown.
    ///   - name: of the seed.
    /// - Returns: the keys.
    ///
    /// Source: `signer-product` section 3.7.
    @discardableResult
    public func importPaths(_ proposal: Proposal, belowSeed name: String) throws -> [StoredKey] {
        guard case .importPaths(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
        try checkedPending(proposal)
        let mnemonic = try seeds.mnemonic(named: name)
        let network = preview.network
        let found = try preview.paths.map { path in
            let pair = try Self.derive(mnemonic, path: Self.path(path), password: nil, scheme: network.scheme)
            return StoredKey(
                signer: pair.multiSigner,
                details: AddressDetails(
                    seedName: name, path: path, hasPassword: false, networks: [network.key], scheme: network.scheme,
                    secretExposed: false))
        }
        try key?.confirmVouched()
        try database.write { trees in
            try trees.removeAll(.transaction)
            var events: [Event] = []
            for key in found { events += try trees.enableIfNew(key, in: network) }
            if !events.isEmpty { try HistoryLog.append(events, at: now(), to: trees) }
        }
        return found
    }
}

extension MutableTrees {
    /// Enables a key without password; one that is there already stays as it is.
    fileprivate func enableIfNew(_ key: StoredKey, in network: NetworkSpecs) throws -> [Event] {
        do {
            return try enable(
                key.signer, seed: key.details.seedName, path: key.details.path, hasPassword: false, in: network)
        } catch SignerError.derivationExists {
            return []
        }
    }
}
