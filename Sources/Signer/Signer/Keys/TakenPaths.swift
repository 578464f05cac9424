import Substrate

/// The paths of a seed that give no new key in a network.
///
/// Source: `signer-product` section 3.3.
struct TakenPaths {
    private let network: NetworkSpecs
    /// Keys without password by ``DerivationPath/chainCodes``: one key has many spellings of its path.
    private let keys: [[UInt8]: StoredKey]

    /// - Parameter rows: the keys of the seed, removed ones too whose secret is out.
    init(_ rows: [StoredKey], in network: NetworkSpecs) {
        self.network = network
        // Each scheme makes keys of its own of a path, but for Ethereum's, which are ecdsa's.
        let scheme = network.scheme == .ethereum ? .ecdsa : network.scheme
        let found = rows.filter { $0.signer.scheme == scheme && !$0.details.hasPassword }.compactMap { key in
            (try? DerivationPath(parsing: key.details.path)).map { ($0.chainCodes, key) }
        }
        keys = Dictionary(found) { first, _ in first }
    }

    /// The key that a path gives, where it is in the network already or is kept as it cannot be put there.
    func key(at path: DerivationPath) -> StoredKey? {
        guard let key = keys[path.chainCodes] else { return nil }
        let isFree =
            key.details.isKept(at: "\(path)", for: network.scheme) && !key.details.networks.contains(network.key)
        return isFree ? nil : key
    }

    func contains(_ path: String) -> Bool { (try? DerivationPath(parsing: path)).flatMap(key) != nil }
}
