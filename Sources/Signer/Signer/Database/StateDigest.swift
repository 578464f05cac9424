import SCALE
import Substrate
import TextForms

/// Digests over the whole database (`signer-product` section 1.5).
package enum StateDigest {
    private static let stateDomain = Array("cold-vault/state/v1".utf8)
    private static let itemDomain = Array("cold-vault/item/v1".utf8)

    /// BLAKE2b-256 over all trees but `transaction`, in byte order of names and keys.
    static func state(_ trees: Trees) throws -> [UInt8] {
        try state { try trees.pairs($0) }
    }

    /// The same over the trees that are not sealed.
    static func publicState(_ trees: Trees) throws -> [UInt8] {
        try state { $0.privacy == .none ? try trees.pairs($0) : [] }
    }

    package static func state(_ pairs: (Tree) throws -> [(key: [UInt8], value: [UInt8])]) rethrows -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(stateDomain)
        for tree in Tree.allCases.sorted(by: { $0.rawValue < $1.rawValue }) where tree != .transaction {
            let pairs = try pairs(tree)
            // Digests of databases that know no contacts stay what they are.
            guard tree != .contacts || !pairs.isEmpty else { continue }
            encoder.byteSequence(Array(tree.rawValue.utf8))
            encoder.compact(pairs.count)
            for (key, value) in pairs {
                encoder.byteSequence(key)
                encoder.byteSequence(value)
            }
        }
        return Blake2b.hash(encoder.bytes, size: 32)
    }

    /// What binds a pending item to the state that it was shown in.
    static func item(state: [UInt8], payload: [UInt8]) -> [UInt8] {
        Blake2b.hash(itemDomain + state + Blake2b.hash(payload, size: 32), size: 32)
    }
}

/// CRC-32 (IEEE), as the shown checksum of the log has it.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    package static func of(_ parts: some Sequence<[UInt8]>) -> UInt32 {
        var crc: UInt32 = 0xffff_ffff
        for part in parts {
            for byte in part { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        }
        return ~crc
    }
}

/// Lower-case hex for messages.
func hexText(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }
