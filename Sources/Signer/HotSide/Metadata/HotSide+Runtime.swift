import Substrate

extension HotSide {
    /// Takes metadata that came out of a runtime's file, by the rules for those of a node.
    ///
    /// - Parameters:
    ///   - metadata: of a network in the address book.
    ///   - stores: whether they are kept; no block is noted, as none is known.
    /// - Throws: ``HotSideError/networkNotFound(name:)``, ``HotSideError/valuesChanged(what:old:new:)``,
    ///   ``HotSideError/earlierVersion(name:stored:fetched:)``,
    ///   ``HotSideError/sameVersionDifferentMetadata(name:version:)``.
    ///
    /// Source: `signer-wire` section 8.6.
    public func take(fromRuntime metadata: ChainMetadata, stores: Bool) throws -> LoadedMetadata {
        func check(_ trees: HotTrees) throws -> (genesisHash: Hash256, isNew: Bool) {
            guard let node = try trees.addressBook().first(where: { $0.entry.name == metadata.specName }) else {
                throw HotSideError.networkNotFound(name: metadata.specName)
            }
            try metadata.checkAgrees(with: try trees.specs(of: node.entry))
            return (node.entry.genesisHash, try trees.isNews(metadata))
        }
        let (genesisHash, isNew) =
            stores
            ? try database.write { trees in
                let found = try check(trees)
                try trees.take(metadata, isNew: found.isNew, seenAt: nil)
                return found
            } : try database.read { try check($0) }
        return LoadedMetadata(metadata: metadata, genesisHash: genesisHash, isNew: isNew, isWritten: true)
    }
}
