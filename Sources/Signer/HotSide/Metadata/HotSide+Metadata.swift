import Airgap
import Substrate

/// Metadata that a command has dealt with.
public struct LoadedMetadata: Sendable {
    /// What the node gave, read and hashed.
    public let metadata: ChainMetadata
    /// The genesis of their network.
    public let genesisHash: Hash256
    /// Whether they were not in the database.
    public let isNew: Bool
    /// Whether a file is to be written of them.
    public let isWritten: Bool

    /// What an update of them carries.
    public var content: UpdatePayload.Content { .metadata(metadata.blob, genesisHash: genesisHash) }
    /// Name and version.
    public var name: MetadataName { MetadataName(name: metadata.specName, version: metadata.specVersion) }
}

/// How far loading has come.
public struct LoadingReport: Sendable {
    /// The name of the network that is done.
    public let network: String
    /// Why it failed; nil where it did not.
    public let failure: (any Error)?
    /// Networks that are done.
    public let done: Int
    /// Networks that there are.
    public let total: Int
}

/// A network of the address book, once however many schemes it has.
struct KnownNetwork: Sendable {
    let specs: NetworkSpecs
    /// The address in the address book.
    let address: String
    /// The same, unless it is none that may be asked.
    let url: Result<NodeURL, any Error>
}

extension HotSide {
    /// The networks that metadata are loaded for.
    ///
    /// - Returns: one network for each name, by name.
    func networks(_ reference: Reference) throws -> [KnownNetwork] {
        try database.read { trees in
            var networks: [KnownNetwork] = []
            for node in try trees.addressBook() {
                if case .name(let name) = reference, node.entry.name != name { continue }
                let checked = Result {
                    let url = try url(of: node.entry)
                    let others = networks.filter { $0.specs.name != node.entry.name }
                    if let other = others.first(where: { (try? $0.url.get()) == url }) {
                        throw HotSideError.twoNamesForURL(url: url.text, names: [other.specs.name, node.entry.name])
                    }
                    return url
                }
                guard !networks.contains(where: { $0.specs.name == node.entry.name }) else { continue }
                networks.append(
                    KnownNetwork(specs: try trees.specs(of: node.entry), address: node.entry.url, url: checked))
            }
            if case .name(let name) = reference, networks.isEmpty { throw HotSideError.networkNotFound(name: name) }
            return networks
        }
    }

    /// Checks that a set flag and a reference have a meaning together.
    static func checkSupported(metadata flag: SetFlag, _ reference: Reference) throws(HotSideError) {
        switch (flag, reference) {
        case (.direct, .url), (_, .all), (_, .name): return
        case (_, .url):
            throw .notSupported(
                reason: "metadata from an address go to a file only: -d -u. Add the network first, with add-specs")
        }
    }

    /// Metadata of every name in the database with its network, from the oldest version on.
    ///
    /// - Parameter reference: not an address.
    func storedMetadata(_ reference: Reference) throws -> [LoadedMetadata] {
        try database.read { trees in
            let book = try trees.addressBook()
            var loaded: [LoadedMetadata] = []
            for stored in try trees.metadata() {
                if case .name(let name) = reference, stored.key.name != name { continue }
                guard let node = book.first(where: { $0.entry.name == stored.key.name }) else { continue }
                loaded.append(
                    LoadedMetadata(
                        metadata: stored.metadata, genesisHash: node.entry.genesisHash, isNew: false, isWritten: true))
            }
            if loaded.isEmpty, case .name(let name) = reference {
                guard book.contains(where: { $0.entry.name == name }) else {
                    throw HotSideError.networkNotFound(name: name)
                }
                throw HotSideError.metadataNotFound(name: name, version: nil)
            }
            return loaded
        }
    }

    /// Loads metadata as a set flag says.
    ///
    /// - Parameters:
    ///   - flag: what to do.
    ///   - reference: which networks.
    ///   - format: the form that nodes are asked for.
    ///   - other: a second node of the network, which must tell the same; with one network alone.
    ///   - report: is told of each network when it is done.
    ///   - write: gets what was loaded, once nothing refuses it, and before it is stored for good: what is stored is no
    ///     news any more, and a file of news that could not be written would never be. What it throws leaves the
    ///     database as it was.
    /// - Returns: the metadata of the networks that did not fail.
    /// - Throws: ``HotSideError``, ``NodeError``; with `passesErrors` only where nothing could be tried.
    public func loadMetadata(
        _ flag: SetFlag, _ reference: Reference, format: MetadataFormat = .version14, comparing other: NodeURL? = nil,
        passesErrors: Bool = false, report: (LoadingReport) -> Void = { _ in },
        write: (LoadedMetadata) throws -> Void = { _ in }
    ) async throws -> [LoadedMetadata] {
        try Self.checkSupported(metadata: flag, reference)
        guard flag.fetches else {
            let stored = try storedMetadata(reference)
            try stored.forEach(write)
            return stored
        }
        if case .url(let url) = reference {
            let fetched = try await fetchMetadata(at: url, format, comparing: other)
            let loaded = LoadedMetadata(
                metadata: fetched.metadata, genesisHash: fetched.genesisHash, isNew: true, isWritten: true)
            try write(loaded)
            return [loaded]
        }
        var loaded: [LoadedMetadata] = []
        let networks = try networks(reference)
        for (index, network) in networks.enumerated() {
            var failure: (any Error)?
            do {
                loaded.append(try await loadMetadata(flag, of: network, format, comparing: other, write: write))
            } catch {
                guard passesErrors else { throw error }
                failure = error
            }
            report(
                LoadingReport(
                    network: network.specs.name, failure: failure, done: index + 1, total: networks.count))
        }
        return loaded
    }

    private func loadMetadata(
        _ flag: SetFlag, of network: KnownNetwork, _ format: MetadataFormat, comparing other: NodeURL?,
        write: (LoadedMetadata) throws -> Void
    ) async throws -> LoadedMetadata {
        let fetched = try await fetchMetadata(at: network.url.get(), format, comparing: other)
        guard fetched.genesisHash == network.specs.genesisHash else {
            throw NodeError.genesisHashChanged(
                expected: network.specs.genesisHash.hex, found: fetched.genesisHash.hex)
        }
        try fetched.metadata.checkAgrees(with: network.specs)
        func written(isNew: Bool) throws -> LoadedMetadata {
            let loaded = LoadedMetadata(
                metadata: fetched.metadata, genesisHash: fetched.genesisHash, isNew: isNew,
                isWritten: flag.writes(isNew: isNew))
            try write(loaded)
            return loaded
        }
        guard flag.stores else { return try written(isNew: database.read { try $0.isNews(fetched.metadata) }) }
        return try database.write { trees in
            let isNew = try trees.isNews(fetched.metadata)
            try trees.take(fetched.metadata, isNew: isNew, seenAt: fetched.blockHash)
            return try written(isNew: isNew)
        }
    }

    /// Metadata from a node, and the same from another where one is named.
    func fetchMetadata(
        at url: NodeURL, _ format: MetadataFormat, comparing other: NodeURL? = nil
    ) async throws -> FetchedMetadata {
        guard let other else { return try await nodes.withNode(at: url) { try await $0.fetchMetadata(format) } }
        async let one = nodes.withNode(at: url) { try await $0.fetchMetadata(format) }
        async let two = nodes.withNode(at: other) { try await $0.fetchMetadata(format) }
        let (first, second) = try await (one, two)
        try NodeError.check(genesis: first.genesisHash, second.genesisHash)
        guard first.metadata.blob == second.metadata.blob else {
            throw NodeError.nodesDisagree(
                about: "the metadata", first: Self.label(first.metadata), second: Self.label(second.metadata))
        }
        return first
    }

    static func label(_ metadata: ChainMetadata) -> String {
        "\(metadata.specName)\(metadata.specVersion) with hash \(metadata.blobHash.hex.prefix(16))…"
    }

    /// Metadata as they were at a block; the database is not asked and not changed.
    public func metadata(from url: NodeURL, at block: Hash256) async throws -> ChainMetadata {
        try await nodes.withNode(at: url) { try await $0.fetchMetadata(at: block) }
    }
}

extension NodeError {
    /// Refuses two nodes of different networks.
    static func check(genesis first: Hash256, _ second: Hash256) throws(NodeError) {
        guard first != second else { return }
        throw .nodesDisagree(about: "the genesis", first: first.hex, second: second.hex)
    }
}
