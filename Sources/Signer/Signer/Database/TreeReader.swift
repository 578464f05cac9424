import SCALE
import Substrate

/// What reads pairs out of trees: a transaction, or a copy that one has made.
protocol TreeReader {
    func value(_ tree: Tree, _ key: [UInt8]) throws -> [UInt8]?
    /// All pairs in byte order of their keys.
    func pairs(_ tree: Tree) throws -> [(key: [UInt8], value: [UInt8])]
    /// The pairs of a tree with public keys that begin with `prefix`, in byte order.
    func pairs(_ tree: Tree, prefix: [UInt8]) throws -> [(key: [UInt8], value: [UInt8])]
    /// All stored addresses, in byte order of their keys.
    func keys() throws -> [StoredKey]
    func key(_ signer: MultiSigner) throws -> StoredKey?
    /// All networks in the order of lists.
    func networks() throws -> [OrderedNetworkSpecs]
}

extension TreeReader {
    /// Decodes the value of a row; anything else is damage.
    func decode<T: ScaleDecodable>(_ type: T.Type = T.self, _ tree: Tree, key: [UInt8], value: [UInt8]) throws -> T {
        do {
            return try T(scaleEncoded: value)
        } catch {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(key)))
        }
    }
}
