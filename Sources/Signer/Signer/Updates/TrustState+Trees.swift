import Substrate

extension TreeReader {
    /// What the vault holds that updates are judged by.
    func trustState() throws -> TrustState {
        var verifiers: [Hash256: CurrentVerifier] = [:]
        for (key, value) in try pairs(.verifiers) {
            guard let genesis = Hash256(key) else {
                throw SignerError.databaseDamaged(.row(tree: Tree.verifiers.rawValue, key: hexText(key)))
            }
            verifiers[genesis] = try decode(CurrentVerifier.self, .verifiers, key: key, value: value)
        }
        var metadata: [MetadataName: Hash256] = [:]
        for (key, value) in try pairs(.metadata) {
            metadata[try decode(MetadataName.self, .metadata, key: key, value: key)] = Blake2b.hash256(value)
        }
        return TrustState(
            general: try generalVerifier().key, verifiers: verifiers, networks: try networks(), metadata: metadata,
            types: try value(.settings, Setting.types.key).map { Blake2b.hash256($0) })
    }
}

extension MutableTrees {
    /// Content that a state names by its digest alone.
    enum NewContent {
        case none
        case metadata([UInt8], MetadataName)
        case types(TypesTable)
    }

    /// Writes what differs between two states.
    ///
    /// - Parameters:
    ///   - before: what the trees hold.
    ///   - after: what they are to hold.
    ///   - content: what `after` has and `before` has not.
    func replace(_ before: TrustState, by after: TrustState, new content: NewContent = .none) throws {
        for key in before.metadata.keys where after.metadata[key] == nil { try remove(.metadata, key.scaleEncoded) }
        let kept = Set(after.networks.map(\.specs.key))
        for network in before.networks where !kept.contains(network.specs.key) {
            try remove(.chainspecs, network.specs.key.scaleEncoded)
        }
        for network in after.networks where before.network(network.specs.key) != network {
            try put(.chainspecs, key: network.specs.key.scaleEncoded, value: network.scaleEncoded)
        }
        for genesis in before.verifiers.keys where after.verifiers[genesis] == nil {
            try remove(.verifiers, genesis.bytes)
        }
        for (genesis, verifier) in after.verifiers where before.verifiers[genesis] != verifier {
            try put(.verifiers, key: genesis.bytes, value: verifier.scaleEncoded)
        }
        if before.types != nil, after.types == nil { try remove(.settings, Setting.types.key) }
        if before.general != after.general {
            try put(.settings, key: Setting.generalVerifier.key, value: Verifier(after.general).scaleEncoded)
        }
        switch content {
        case .none: break
        case .metadata(let blob, let key): try put(.metadata, key: key.scaleEncoded, value: blob)
        case .types(let types): try put(.settings, key: Setting.types.key, value: types.scaleEncoded)
        }
    }
}
