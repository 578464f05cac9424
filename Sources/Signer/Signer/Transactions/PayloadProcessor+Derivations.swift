import Airgap
import BasicFoundation
import Substrate
import TextForms

/// What a hot wallet would learn from the answer to its request for addresses.
public struct DynamicDerivationsPreview: Sendable {
    /// The vault's own name of the seed.
    public var seedName: String
    package var answer: DynamicDerivationsAnswer
    /// The keys in the order asked.
    public var keys: [Key]

    /// A key that is asked for.
    public struct Key: Sendable {
        /// The key, as it would be stored.
        public var key: StoredKey
        /// The genesis of its network.
        public var genesisHash: Hash256
        /// nil for a network that is not stored, where the key is not stored either.
        public var network: NetworkSpecs?
        /// Whether the vault has it.
        public var alreadyExists: Bool
    }
}

extension PayloadProcessor {
    /// Derived keys of another signer (`signer-wire` section 1.8).
    func process(_ export: DerivationsExport) throws -> Answer {
        var groups: [DerivationsPreview] = []
        for seed in export.seeds {
            guard let root = trees.key(seed.root), root.details.isRoot else { continue }
            groups.append(
                DerivationsPreview(
                    name: root.details.seedName, root: seed.root, keys: try seed.keys.map { try preview($0) }))
        }
        var answer = Answer(action: .importDerivations, cards: CardSections())
        answer.cards.derivations = [Card(indent: 0, kind: .derivations(groups))]
        return answer
    }

    private func preview(_ key: DerivationsExport.Key) throws -> DerivationsPreview.Key {
        let networkKey = NetworkKey(scheme: key.scheme, genesisHash: key.genesisHash)
        let network = try trees.network(networkKey)?.specs
        guard let signer = MultiSigner(scheme: key.scheme, publicKey: key.address) else {
            throw RefusedPayload.payload(.malformedRecord(.invalidText(offset: 0, kind: "address")))
        }
        let exists = trees.key(signer)?.details.networks.contains(networkKey) ?? false
        var faults: [DerivationsPreview.Fault] = []
        if !DerivationText.isWellFormed(key.path ?? "", scheme: key.scheme) { faults.append(.badFormat) }
        if network == nil { faults.append(.networkMissing) }
        return DerivationsPreview.Key(
            address: .of(signer, scheme: key.scheme, prefix: network?.base58Prefix ?? Self.genericPrefix),
            path: key.path, scheme: key.scheme, genesisHash: key.genesisHash,
            hasPassword: DerivationText.split(key.path ?? "").password == nil ? nil : true,
            networkTitle: network?.title,
            status: exists ? .alreadyExists : faults.isEmpty ? .importable : .invalid(faults))
    }

    /// A request for addresses (`signer-wire` section 1.9).
    func process(_ request: DynamicDerivationsRequest) throws -> Answer {
        let (seed, phrases) = try openSeed(root: request.root)
        var keys: [DynamicDerivationsPreview.Key] = []
        var answers: [DynamicDerivationsAnswer.Key] = []
        for derivation in request.derivations {
            let networkKey = NetworkKey(scheme: derivation.scheme, genesisHash: derivation.genesisHash)
            let network = try trees.network(networkKey)?.specs
            let pair = try derive(phrases, ofSeed: seed, path: derivation.path, scheme: derivation.scheme)
            let stored = trees.key(pair.multiSigner)
            var key = StoredKey(
                signer: pair.multiSigner,
                details: AddressDetails(
                    seedName: seed, path: "\(derivation.path)", hasPassword: false, networks: [networkKey],
                    scheme: derivation.scheme, secretExposed: false))
            key.details.secretExposed = trees.exposed.reach(key)
            keys.append(
                DynamicDerivationsPreview.Key(
                    key: key, genesisHash: derivation.genesisHash, network: network,
                    alreadyExists: stored?.details.networks.contains(networkKey) ?? false))
            answers.append(
                DynamicDerivationsAnswer.Key(
                    path: derivation.path, scheme: derivation.scheme, publicKey: pair.multiSigner))
        }
        let preview = DynamicDerivationsPreview(
            seedName: seed, answer: DynamicDerivationsAnswer(root: request.root, keys: answers), keys: keys)
        return Answer(action: .shareDerivations(preview), cards: CardSections())
    }
}
