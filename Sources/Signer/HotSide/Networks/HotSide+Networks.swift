import Airgap
import Substrate

/// What a person says of a network beside what its node tells.
public struct NetworkOverrides: Hashable, Sendable {
    /// The scheme of its keys; nil for the one of the address book.
    public var scheme: SignatureScheme?
    /// What vaults call it; nil for `name-scheme`.
    public var title: String?
    /// Its token, where it has several.
    public var token: TokenProperties.Token?

    /// Makes overrides of nothing.
    public init(scheme: SignatureScheme? = nil, title: String? = nil, token: TokenProperties.Token? = nil) {
        self.scheme = scheme
        self.title = title
        self.token = token
    }

    fileprivate var areNone: Bool { self == NetworkOverrides() }
}

/// A record that a command has dealt with.
public struct LoadedSpecs: Hashable, Sendable {
    /// The network's record, with what a person said of it.
    public let specs: NetworkSpecs
    /// Whether it was not in the database just so.
    public let isNew: Bool
    /// Whether a file is to be written of it.
    public let isWritten: Bool

    /// What an update of it carries.
    public var content: UpdatePayload.Content { .specs(specs) }
}

extension HotSide {
    /// Colours of a record that nobody has chosen any for.
    private static let colours = (first: "#660D35", second: "#262626")

    /// Checks that a set flag, a reference and overrides have a meaning together.
    static func checkSupported(
        specs flag: SetFlag, _ reference: Reference, _ overrides: NetworkOverrides
    ) throws(HotSideError) {
        switch (flag, reference) {
        case (.fromDatabase, .all):
            guard overrides.areNone else {
                throw .notSupported(reason: "-f -a takes no overrides; name one network: -f -n TITLE")
            }
        case (.fromDatabase, .name):
            guard overrides.token == nil else {
                throw .notSupported(
                    reason: "-f writes what is stored, and decimals and unit of a token are asked of a node")
            }
        case (.direct, .url), (.populate, .url), (.total, .url):
            guard overrides.scheme != nil else {
                throw .notSupported(reason: "a network at an address needs the scheme of its keys: --encryption")
            }
        case (.populate, .name), (.total, .name): break
        default:
            throw .notSupported(
                reason: "add-specs takes -f with -a or -n, -d with -u, -p and -t with -u or -n")
        }
    }

    /// Makes records of networks as a set flag says.
    ///
    /// - Parameters:
    ///   - flag: what to do.
    ///   - reference: which networks.
    ///   - overrides: what a person says of the network.
    ///   - other: a second node of the network, which must tell the same.
    ///   - write: gets each record, once nothing refuses it, and before it is stored for good; what it throws leaves
    ///     the database as it was.
    /// - Throws: ``HotSideError``, ``NodeError``.
    public func addSpecs(
        _ flag: SetFlag, _ reference: Reference, overrides: NetworkOverrides = NetworkOverrides(),
        comparing other: NodeURL? = nil, write: (LoadedSpecs) throws -> Void = { _ in }
    ) async throws -> [LoadedSpecs] {
        try Self.checkSupported(specs: flag, reference, overrides)
        switch (flag, reference) {
        case (.fromDatabase, .all):
            let stored = try addressBook().map { try specs(titled: $0.title) }.map {
                LoadedSpecs(specs: $0, isNew: false, isWritten: true)
            }
            for network in stored { try network.specs.checkForVaults() }
            try stored.forEach(write)
            return stored
        case (_, .name(let title)) where flag == .fromDatabase:
            var specs = try specs(titled: title)
            specs.scheme = overrides.scheme ?? specs.scheme
            specs.title = overrides.title ?? specs.title
            try specs.checkForVaults()
            let stored = LoadedSpecs(specs: specs, isNew: false, isWritten: true)
            try write(stored)
            return [stored]
        case (_, .name(let title)):
            return [try await updateSpecs(flag, titled: title, overrides, comparing: other, write: write)]
        case (_, .url(let url)):
            return [try await newSpecs(flag, at: url, overrides, comparing: other, write: write)]
        case (_, .all): return []
        }
    }

    // MARK: A network of the address book

    private func updateSpecs(
        _ flag: SetFlag, titled title: String, _ overrides: NetworkOverrides, comparing other: NodeURL?,
        write: (LoadedSpecs) throws -> Void
    ) async throws -> LoadedSpecs {
        let (entry, known) = try database.read { trees in
            guard let entry = try trees.entry(title) else { throw HotSideError.titleNotFound(title) }
            return (entry, try trees.specs(of: entry))
        }
        let fetched = try await fetchSpecs(
            at: try url(of: entry), overrides, scheme: entry.scheme, comparing: other,
            known: TokenProperties.Token(decimals: known.decimals, unit: known.unit))
        try fetched.checkUnchanged(from: known)
        var specs = known
        if let scheme = overrides.scheme, scheme != known.scheme {
            specs.scheme = scheme
            specs.title = Self.title(known.name, scheme)
        }
        specs.title = overrides.title ?? specs.title
        try specs.checkForVaults()
        let isNew = try database.read { try $0.specs(specs.key) } != specs
        guard isNew || flag != .populate else { throw HotSideError.specsInDatabase(title: title) }
        let loaded = LoadedSpecs(specs: specs, isNew: isNew, isWritten: flag.writes(isNew: isNew))
        try database.write { trees in
            try trees.add(specs, url: entry.url, isDefault: entry.isDefault && specs.key == known.key)
            try write(loaded)
        }
        return loaded
    }

    // MARK: A network at an address

    private func newSpecs(
        _ flag: SetFlag, at url: NodeURL, _ overrides: NetworkOverrides, comparing other: NodeURL?,
        write: (LoadedSpecs) throws -> Void
    ) async throws -> LoadedSpecs {
        let scheme = overrides.scheme ?? .sr25519
        if flag.stores, let known = try addressBook().first(where: { $0.entry.url == url.text }) {
            throw HotSideError.urlInDatabase(url: url.text, title: known.title)
        }
        let specs = try await fetchSpecs(at: url, overrides, scheme: scheme, comparing: other)
        let loaded = LoadedSpecs(specs: specs, isNew: true, isWritten: flag.writes(isNew: true))
        if flag.stores {
            try database.write { trees in
                for known in try trees.addressBook() {
                    guard known.entry.genesisHash != specs.genesisHash else {
                        throw HotSideError.genesisInDatabase(title: known.title)
                    }
                    guard known.entry.name != specs.name else {
                        throw HotSideError.nameTaken(name: specs.name, genesis: known.entry.genesisHash.hex)
                    }
                }
                try trees.add(specs, url: url.text, isDefault: false)
                try write(loaded)
            }
        } else {
            try write(loaded)
        }
        return loaded
    }

    /// What a vault calls a network where nobody says otherwise.
    static func title(_ name: String, _ scheme: SignatureScheme) -> String { "\(name)-\(scheme.name)" }

    private func fetchSpecs(
        at url: NodeURL, _ overrides: NetworkOverrides, scheme: SignatureScheme, comparing other: NodeURL?,
        known: TokenProperties.Token? = nil
    ) async throws -> NetworkSpecs {
        let first = try Self.specs(
            try await nodes.withNode(at: url) { try await $0.fetchNetwork() }, overrides, scheme: scheme, known: known)
        guard let other else { return first }
        let second = try Self.specs(
            try await nodes.withNode(at: other) { try await $0.fetchNetwork() }, overrides, scheme: scheme,
            known: known)
        try NodeError.check(genesis: first.genesisHash, second.genesisHash)
        if let (what, one, two) = first.firstDifference(from: second) {
            throw NodeError.nodesDisagree(about: what, first: one, second: two)
        }
        return first
    }

    /// The record of a network as a node describes it (`signer-wire` section 8.4).
    public static func specs(
        _ fetched: FetchedNetwork, _ overrides: NetworkOverrides, scheme: SignatureScheme
    ) throws(HotSideError) -> NetworkSpecs {
        try specs(fetched, overrides, scheme: scheme, known: nil)
    }

    private static func specs(
        _ fetched: FetchedNetwork, _ overrides: NetworkOverrides, scheme: SignatureScheme,
        known: TokenProperties.Token?
    ) throws(HotSideError) -> NetworkSpecs {
        let properties: TokenProperties
        do {
            properties = try TokenProperties(
                fetched.properties, metadataPrefix: fetched.metadata.base58Prefix, override: overrides.token,
                known: known)
        } catch {
            throw .properties(error)
        }
        let name = fetched.metadata.specName
        let specs = NetworkSpecs(
            base58Prefix: properties.base58Prefix, color: colours.first, decimals: properties.token.decimals,
            scheme: scheme, genesisHash: fetched.genesisHash, logo: name, name: name, pathID: "//\(name)",
            secondaryColor: colours.second, title: overrides.title ?? title(name, scheme), unit: properties.token.unit)
        try specs.checkForVaults()
        return specs
    }
}

extension HotTrees {
    /// Stores a record with its entry of the address book.
    fileprivate func add(_ specs: NetworkSpecs, url: String, isDefault: Bool) throws {
        let title = HotSide.title(specs.name, specs.scheme)
        if let other = try entry(title), other.genesisHash != specs.genesisHash {
            throw HotSideError.titleTaken(title)
        }
        try put(specs)
        try put(
            AddressBookEntry(
                name: specs.name, genesisHash: specs.genesisHash, url: url, scheme: specs.scheme, isDefault: isDefault),
            title: title)
    }
}

extension NetworkSpecs {
    /// Refuses a record that no vault takes, before it is stored, signed and filmed.
    func checkForVaults() throws(HotSideError) {
        if let fault { throw .specsMalformed(name: name, fault) }
    }

    /// The first of the facts that a network never changes in which two records differ.
    fileprivate func firstDifference(from other: NetworkSpecs) -> (what: String, one: String, two: String)? {
        let facts = [
            ("prefix of addresses", "\(base58Prefix)", "\(other.base58Prefix)"),
            ("genesis", genesisHash.hex, other.genesisHash.hex), ("name", name, other.name),
            ("number of decimals", "\(decimals)", "\(other.decimals)"), ("unit", unit, other.unit),
        ]
        return facts.first { $0.1 != $0.2 }
    }

    /// Refuses a fetched record that differs from the stored one where networks never change.
    fileprivate func checkUnchanged(from known: NetworkSpecs) throws(HotSideError) {
        guard let (what, fetched, stored) = firstDifference(from: known) else { return }
        throw .valuesChanged(what: what, old: stored, new: fetched)
    }
}
