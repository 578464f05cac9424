import Substrate

extension TreeReader {
    /// All networks in the order of lists. Records of one genesis share name and prefix.
    func networks() throws -> [OrderedNetworkSpecs] {
        var names: [Hash256: (name: String, prefix: UInt16)] = [:]
        var networks: [OrderedNetworkSpecs] = []
        for (key, value) in try pairs(.chainspecs) {
            let ordered = try decode(OrderedNetworkSpecs.self, .chainspecs, key: key, value: value)
            guard ordered.specs.key.scaleEncoded == key else {
                throw SignerError.databaseDamaged(.row(tree: Tree.chainspecs.rawValue, key: hexText(key)))
            }
            if let other = names[ordered.specs.genesisHash] {
                guard other.name == ordered.specs.name else {
                    throw SignerError.databaseDamaged(.differentNames(genesis: ordered.specs.genesisHash.hex))
                }
                guard other.prefix == ordered.specs.base58Prefix else {
                    throw SignerError.databaseDamaged(.differentPrefixes(genesis: ordered.specs.genesisHash.hex))
                }
            }
            names[ordered.specs.genesisHash] = (ordered.specs.name, ordered.specs.base58Prefix)
            networks.append(ordered)
        }
        return networks.sorted { $0.order < $1.order }
    }

    func network(_ key: NetworkKey) throws -> OrderedNetworkSpecs? {
        let row = key.scaleEncoded
        return try value(.chainspecs, row).map {
            try decode(OrderedNetworkSpecs.self, .chainspecs, key: row, value: $0)
        }
    }

    /// The genesis of another network with a name. Vaults of before may have two; whose the metadata of that name are
    /// cannot be told.
    func otherNetwork(called name: String, than genesis: Hash256) throws -> Hash256? {
        try networks().first { $0.specs.name == name && $0.specs.genesisHash != genesis }?.specs.genesisHash
    }

    /// Versions of the metadata held for a network's name, newest first.
    func metadataVersions(name: String) throws -> [UInt32] {
        try pairs(.metadata, prefix: MetadataName.prefix(name: name)).map { pair in
            try decode(MetadataName.self, .metadata, key: pair.key, value: pair.key).version
        }.sorted(by: >)
    }

    func metadata(name: String, version: UInt32) throws -> [UInt8]? {
        try value(.metadata, MetadataName(name: name, version: version).scaleEncoded)
    }

    /// The verifier that a network trusts for its updates; nil if nothing is stored of it.
    func verifier(of genesis: Hash256) throws -> CurrentVerifier? {
        try value(.verifiers, genesis.bytes).map {
            try decode(CurrentVerifier.self, .verifiers, key: genesis.bytes, value: $0)
        }
    }

    /// What the texts of metadata 12 and 13 mean; nil if no types table is here, or `metadata` needs none.
    func typesTable(for metadata: ChainMetadata) throws -> TypesTable? {
        guard case .text = metadata, let value = try value(.settings, Setting.types.key) else { return nil }
        return try decode(TypesTable.self, .settings, key: Setting.types.key, value: value)
    }

    func generalVerifier() throws -> Verifier {
        guard let value = try value(.settings, Setting.generalVerifier.key) else {
            throw SignerError.databaseDamaged(.missingSetting(Setting.generalVerifier.rawValue))
        }
        return try decode(Verifier.self, .settings, key: Setting.generalVerifier.key, value: value)
    }
}

extension MutableTrees {
    /// Writes the state of a new vault: networks, verifiers, metadata, settings, and the first entry of the log.
    func initialise(_ bundle: NetworkBundle) throws {
        for (order, network) in bundle.networks.enumerated() {
            let ordered = OrderedNetworkSpecs(specs: network.specs, order: UInt8(truncatingIfNeeded: order))
            try put(.chainspecs, key: network.specs.key.scaleEncoded, value: ordered.scaleEncoded)
            try put(
                .verifiers, key: network.specs.genesisHash.bytes,
                value: CurrentVerifier.valid(ValidCurrentVerifier.general).scaleEncoded)
            for blob in network.metadata {
                let metadata = try ChainMetadata(blob)
                try metadata.checkPrefix(of: network.specs)
                try put(
                    .metadata, key: MetadataName(name: metadata.specName, version: metadata.specVersion).scaleEncoded,
                    value: blob)
            }
        }
        if let types = bundle.types { try put(.settings, key: Setting.types.key, value: types.scaleEncoded) }
        try put(.settings, key: Setting.generalVerifier.key, value: bundle.generalVerifier.scaleEncoded)
        try put(.settings, key: Setting.dangerousEncounter.key, value: [0])
        try putSchemaVersion()
    }
}
