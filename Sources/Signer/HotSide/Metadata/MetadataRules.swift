import MetadataDescriptions
import Substrate

/// When fetched metadata are taken (`signer-wire` section 8.4).
extension HotTrees {
    /// Whether metadata are newer than what is stored of their network.
    ///
    /// - Throws: ``HotSideError/earlierVersion(name:stored:fetched:)``,
    ///   ``HotSideError/sameVersionDifferentMetadata(name:version:)``.
    func isNews(_ metadata: ChainMetadata) throws -> Bool {
        let (name, version) = (metadata.specName, metadata.specVersion)
        guard let newest = try self.metadata(of: name).last else { return true }
        guard version >= newest.key.version else {
            throw HotSideError.earlierVersion(name: name, stored: newest.key.version, fetched: version)
        }
        guard version == newest.key.version else { return true }
        guard metadata.blob != newest.metadata.blob else { return false }
        // The same runtime described in another form is taken in the place of the first. The node chooses the form that
        // it answers in, so that alone vouches for nothing.
        guard metadata.formatVersion != newest.metadata.formatVersion, metadata.says(theSameAs: newest.metadata) else {
            throw HotSideError.sameVersionDifferentMetadata(name: name, version: version)
        }
        return true
    }

    /// Stores metadata, and the block at which they were seen; of more than two versions the oldest goes.
    func take(_ metadata: ChainMetadata, isNew: Bool, seenAt block: Hash256?) throws {
        let stored = StoredMetadata(metadata)
        if isNew {
            try put(stored)
            let all = try self.metadata().filter { $0.key.name == stored.key.name }
            for old in all.dropLast(StoredMetadata.versionLimit) { try removeMetadata(old.key) }
        }
        if let block { try note(block, for: stored.key) }
    }
}

extension ChainMetadata {
    /// Whether transactions are read alike by both.
    fileprivate func says(theSameAs other: ChainMetadata) -> Bool {
        guard let (own, others) = try? (FullMetadata(blob), FullMetadata(other.blob)) else { return false }
        return MetadataChanges(from: others, to: own).isEmpty
    }

    /// Refuses metadata that are not of a network.
    func checkAgrees(with specs: NetworkSpecs) throws(HotSideError) {
        guard specName == specs.name else { throw .otherNetwork(expected: specs.name, found: specName) }
        guard let base58Prefix, base58Prefix != specs.base58Prefix else { return }
        throw .valuesChanged(what: "prefix of addresses", old: "\(specs.base58Prefix)", new: "\(base58Prefix)")
    }
}
