import SCALE
import Substrate
import TextForms

@testable import Signer

/// Exports of derived keys, and requests for some (`signer-wire` sections 1.8 and 1.9).
enum DerivationsPayload {
    /// The public key of the development phrase.
    static let root = Hex.decode("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a") ?? []

    struct Exported {
        var address: String
        var path: String?
        var scheme = SignatureScheme.sr25519
        var network: Hash256
    }

    /// Code de, in the first version of the record.
    static func export(_ keys: [Exported], root: [UInt8] = root, name: String = "theirs") -> [UInt8] {
        let items = keys.map { key in
            Value.text(key.address) + (key.path.map { [1] + Value.text($0) } ?? [0]) + [key.scheme.rawValue]
                + key.network.bytes
        }
        return [0x53, 0xff, 0xde, 0x00, 1 << 2] + Value.text(name) + [0x01] + root + Value.sequence(items)
    }

    /// Code df.
    static func request(
        _ wanted: [(path: String, scheme: SignatureScheme, network: Hash256)], root: [UInt8] = root
    ) -> [UInt8] {
        let items = wanted.map { Value.text($0.path) + [$0.scheme.rawValue] + $0.network.bytes }
        return [0x53, 0xff, 0xdf, 0x00, 0x01] + root + Value.sequence(items)
    }
}
