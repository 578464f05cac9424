import MainKey
import SCALE
import Substrate

/// What the trees of a vault hold, in one sealed value: how many rows each has and what they amount to, and the digest
/// of the log.
///
/// It is written in the transaction that changes rows, and compared with all rows when the vault is opened, without
/// opening one of them. What a tree amounts to is the sum, modulo 2²⁵⁶, of a code for each of its rows: HMAC-SHA-256,
/// under a key of the vault for this tree and epoch, of the row as it lies in the file. A change of one row therefore
/// costs one subtraction and one addition.
///
/// No other rows amount to the same, as ``Tally`` says: rows of one tree have different keys, so that no row counts
/// twice, and the sums are sealed. The order of rows in a tree is that of their keys, which is checked, so that a
/// search finds what a walk finds; the order of the log is in its keys and its chain digest.
///
/// ## What remains
/// Rows together with the inventory that they had before amount to what that says. ``KnownFiles`` tells that such a
/// pair is old.
struct Inventory: Equatable {
    static let table = "inventory"
    static let column = "content"
    static let purpose = SealedPurpose.column(table: table, column: column)
    private static let domain = Array("cold-vault/inventory/v1".utf8)

    /// The epoch under whose keys the codes of rows are made; 0 where nothing is sealed.
    let epoch: UInt32
    /// The chain digest behind the last entry of the log.
    var log: [UInt8]
    /// The trees that it tells of, in their order: those of the file's schema.
    private(set) var trees: [Tree]
    private var tallies: [Tree: Tally]

    init(
        epoch: UInt32, log: [UInt8] = HistoryLog.emptyDigest, schema: UInt32 = ColdDatabase.schemaVersion
    ) {
        self.epoch = epoch
        self.log = log
        trees = Tree.counted(ofSchema: schema)
        tallies = Dictionary(uniqueKeysWithValues: trees.map { ($0, Tally()) })
    }

    /// Tells of the trees of today's schema too that there were none of, which are empty.
    mutating func extend() {
        trees = Tree.counted(ofSchema: ColdDatabase.schemaVersion)
        for tree in trees { self[tree] = self[tree] }
    }

    subscript(tree: Tree) -> Tally {
        get { tallies[tree] ?? Tally() }
        set { tallies[tree] = newValue }
    }

    /// The digest that stands for this state of the trees.
    var digest: [UInt8] { Blake2b.hash(Self.domain + scaleEncoded, size: 32) }
}

extension Inventory: ScaleCodable {
    init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        try self.init(from: &decoder, schema: ColdDatabase.schemaVersion)
    }

    init(scaleEncoded bytes: [UInt8], schema: UInt32) throws(ScaleError) {
        var decoder = ScaleDecoder(bytes)
        try self.init(from: &decoder, schema: schema)
        try decoder.finish()
    }

    /// Reads the inventory of a file of this schema.
    private init(from decoder: inout ScaleDecoder, schema: UInt32) throws(ScaleError) {
        epoch = try decoder.uint32()
        log = try decoder.array(32)
        (trees, tallies) = (Tree.counted(ofSchema: schema), [:])
        for tree in trees { tallies[tree] = try Tally(from: &decoder) }
    }

    func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(epoch)
        encoder.raw(log)
        for tree in trees { encoder.value(self[tree]) }
    }
}

extension Tally: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let count = try decoder.uint64()
        var sum = SIMD4<UInt64>()
        for index in sum.indices { sum[index] = try decoder.uint64() }
        self.init(count: count, sum: sum)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(count)
        for index in sum.indices { encoder.integer(sum[index]) }
    }
}

extension Tree {
    /// The trees that the inventory covers: all but the pending item, which is dropped also while the vault is locked,
    /// and is bound to the state of all others.
    static let counted = allCases.filter(\.isCounted)

    /// Those of them that a file of this schema has.
    static func counted(ofSchema schema: UInt32) -> [Tree] { all(ofSchema: schema).filter(\.isCounted) }

    var isCounted: Bool { self != .transaction }
}
