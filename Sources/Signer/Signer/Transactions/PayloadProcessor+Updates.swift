import Airgap
import Substrate

extension PayloadProcessor {
    /// Judges something new by what the vault holds (`signer-product` section 2).
    func process(_ payload: UpdatePayload) throws -> Answer {
        let state = try trees.trustState()
        let payload = try payload.expanded(by: expander)
        let (update, told) = try described(payload, by: state)
        let outcome: UpdateOutcome
        do throws(UpdateRefusal) { outcome = try UpdateRules.judge(update, by: state) } catch {
            throw RefusedPayload.update(error)
        }
        var content = told
        // Takes time, so it is done of what would be taken.
        if case .metadata(var facts) = told, payload.isExpanded, case .metadata(let blob, _) = payload.content {
            facts.chainHash = chainHash(blob, state.networks(of: facts.genesisHash).first?.specs)
            content = .metadata(facts)
        }
        let preview = UpdatePreview(payload, content, outcome: outcome, before: state)
        var answer = Answer(action: .update(preview), cards: CardSections())
        answer.cards.verifier = payload.signer.map { [verifierCard($0)] } ?? []
        answer.cards.warning = outcome.warnings.map { warning($0.card(of: preview)) }
        switch content {
        case .network(let specs): answer.cards.networkInfo = [Card(indent: 0, kind: .newSpecs(specs))]
        case .metadata(let facts):
            answer.network = state.networks(of: facts.genesisHash).first?.specs
            answer.cards.meta = [
                Card(
                    indent: 0,
                    kind: .meta(
                        MetadataInfo(specName: facts.name, specVersion: "\(facts.version)", hash: facts.hash)))
            ]
        case .types(let hash):
            // Types that are here are refused, or removed before these come.
            answer.cards.typesInfo = [
                Card(indent: 0, kind: .typesInfo(TypesInfo(isOnFile: false, hash: hash)))
            ]
        }
        return answer
    }

    /// What the rules ask of the content, and what a person is shown of it.
    private func described(
        _ payload: UpdatePayload, by state: TrustState
    ) throws -> (Update, UpdatePreview.Content) {
        switch payload.content {
        case .specs(let specs): return (Update(content: .specs(specs), signer: payload.signer), .network(specs))
        case .types(let types):
            if let fault = types.fault { throw RefusedPayload.update(.typesMalformed(fault)) }
            let hash = types.hash
            return (Update(content: .types(hash), signer: payload.signer), .types(hash: hash))
        case .packedMetadata: throw RefusedPayload.metadataNotExpanded
        case .metadata(let blob, let genesis):
            let metadata: ChainMetadata
            do throws(MetadataError) { metadata = try ChainMetadata(blob) } catch {
                throw RefusedPayload.update(.metadataBroken(error))
            }
            let hash = metadata.blobHash
            let facts = Update.Metadata(
                genesis: genesis, key: MetadataName(name: metadata.specName, version: metadata.specVersion), hash: hash,
                base58Prefix: metadata.base58Prefix, describesExtensions: !metadata.extensionsIncomplete)
            let shown = UpdatePreview.MetadataFacts(
                genesisHash: genesis, name: metadata.specName, version: metadata.specVersion, hash: hash,
                newestStored: state.versions(of: metadata.specName).last?.version, chainHash: nil)
            return (Update(content: .metadata(facts), signer: payload.signer), .metadata(shown))
        }
    }

    /// The hash that the chain itself computes of its metadata, where it checks one.
    private func chainHash(_ blob: [UInt8], _ network: NetworkSpecs?) -> Hash256? {
        guard let network, let metadata = try? RuntimeMetadata(blob), metadata.formatVersion >= 15,
            metadata.extensions.contains(where: { $0.identifier == TransactionExtensions.metadataHashIdentifier }),
            let tree = try? MerkleizedMetadata(metadata)
        else { return nil }
        return tree.digest(MetadataExtraInfo(metadata, network)).hash
    }

    private func verifierCard(_ key: MultiSigner) -> Card {
        Card(
            indent: 0,
            kind: .verifier(
                VerifierInfo(publicKey: key.publicKey, identicon: .dots(key.publicKey), scheme: key.scheme)))
    }
}

extension UpdateOutcome.Warning {
    /// The warning with what it warns of.
    func card(of preview: UpdatePreview) -> CardWarning {
        let genesis: Hash256 =
            switch preview.content {
            case .network(let specs): specs.genesisHash
            case .metadata(let facts): facts.genesisHash
            case .types: Hash256(unchecked: [UInt8](repeating: 0, count: Hash256.byteCount))
            }
        let title = if case .network(let specs) = preview.content { specs.title } else { "" }
        var removed = preview.removed(behind: self)
        let change = CardWarning.VerifierChange(
            genesisHash: genesis, networks: removed.networks, metadata: removed.metadata)
        switch self {
        case .notVerified: return .notVerified
        case .typesNotVerified: return .typesNotVerified
        case .updatingTypes: return .updatingTypes
        case .typesAlreadyThere: return .typesAlreadyThere
        case .networkSpecsAlreadyThere: return .networkSpecsAlreadyThere(title: title)
        case .metadataExtensionsIncomplete: return .metadataExtensionsIncomplete
        case .generalVerifierAppeared:
            removed = preview.followingGeneral
            return .generalVerifierAppeared(
                networks: removed.networks, metadata: removed.metadata, typesPurged: removed.types)
        case .verifierChangingToGeneral: return .verifierChangingToGeneral(change)
        case .verifierChangingToCustom: return .verifierChangingToCustom(change)
        case .verifierGeneralSuper: return .verifierGeneralSuper(change)
        }
    }
}

extension UpdatePreview {
    /// What is removed between a warning and the next one.
    fileprivate func removed(behind warning: UpdateOutcome.Warning) -> Removal {
        var removal = Removal()
        guard let start = outcome.changes.firstIndex(of: .warning(warning)) else { return removal }
        for change in outcome.changes[(start + 1)...] {
            switch change {
            case .metadataRemoved(let key, _): removal.metadata.append("\(key.name)\(key.version)")
            case .networkRemoved(let network): removal.networks.append(network.specs.title)
            case .typesRemoved: removal.types = true
            default: return removal
            }
        }
        return removal
    }

    /// What the vault held before the update that follows the general verifier.
    fileprivate var followingGeneral: Removal {
        let networks = before.networks.filter { before.verifiers[$0.specs.genesisHash] == .valid(.general) }
        let names = Set(networks.map(\.specs.name)).sorted()
        return Removal(
            networks: networks.map(\.specs.title).sorted(),
            metadata: names.flatMap { before.versions(of: $0) }.map { "\($0.name)\($0.version)" },
            types: before.types != nil)
    }
}
