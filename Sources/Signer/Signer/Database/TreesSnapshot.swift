import Substrate

/// The trees as they were in one transaction, beside log and pending item.
///
/// What takes time to compute reads this, so that writers do not wait for it, and each row is opened once.
final class TreesSnapshot: TreeReader {
    /// ``Trees/stateDigest()`` of the same transaction.
    let state: [UInt8]
    /// The keys whose secret is out.
    let exposed: ExposedKeys
    private let trees: [Tree: [[UInt8]: [UInt8]]]
    private let storedKeys: [StoredKey]
    private let storedContacts: [Contact]
    /// Each transaction of a bulk asks for them.
    private let storedNetworks: Result<[OrderedNetworkSpecs], any Error>
    private lazy var networkLooks = storedNetworks.map { $0.map { NetworkLooks($0.specs) } }
    private let positions: [MultiSigner: Int]

    init(_ trees: Trees) throws {
        state = try trees.stateDigest()
        let keys = try trees.keys()
        exposed = try SecretExposure.check(keys)
        storedContacts = try trees.contacts()
        storedNetworks = Result { try trees.networks() }
        let shown = keys.filter { !$0.details.isForgotten }
        storedKeys = shown
        positions = Dictionary(uniqueKeysWithValues: shown.indices.map { (shown[$0].signer, $0) })
        var copies: [Tree: [[UInt8]: [UInt8]]] = [:]
        for tree in Tree.allCases where tree.privacy == .none && tree != .transaction {
            copies[tree] = Dictionary(uniqueKeysWithValues: try trees.pairs(tree).map { ($0.key, $0.value) })
        }
        self.trees = copies
    }

    func value(_ tree: Tree, _ key: [UInt8]) -> [UInt8]? { trees[tree]?[key] }

    func pairs(_ tree: Tree) -> [(key: [UInt8], value: [UInt8])] { pairs(tree, prefix: []) }

    func pairs(_ tree: Tree, prefix: [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
        (trees[tree] ?? [:]).filter { $0.key.starts(with: prefix) }.map { ($0.key, $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    func keys() -> [StoredKey] { storedKeys }

    func contacts() -> [Contact] { storedContacts }

    func networks() throws -> [OrderedNetworkSpecs] { try storedNetworks.get() }

    /// Whether the vault holds another network that a person could take for this one.
    func hasLookalike(of network: NetworkSpecs) throws -> Bool {
        try networkLooks.get().contains(where: NetworkLooks(network).resemble)
    }

    func key(_ signer: MultiSigner) -> StoredKey? { positions[signer].map { storedKeys[$0] } }
}
