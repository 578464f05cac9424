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
        try key?.confirmVouched()
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
        let pairs = try Self.derive(mnemonic, paths: preview.paths.map(Self.path), scheme: network.scheme)
        let found = zip(preview.paths, pairs).map { path, pair in
            StoredKey(
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
    /// Enables one of several keys; one that is there already stays as it is.
    func enableIfNew(_ key: StoredKey, in network: NetworkSpecs) throws -> [Event] {
        do {
            return try enable(
                key.signer, seed: key.details.seedName, path: key.details.path,
                hasPassword: key.details.hasPassword, in: network)
        } catch SignerError.derivationExists {
            return []
        } catch SignerError.keyCollision(let seed, let path) {
            throw SignerError.keyCollisionBatch(seed: seed, path: path)
        }
    }
}
