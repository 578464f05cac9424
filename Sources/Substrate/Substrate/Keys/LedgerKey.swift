import SecretMemory

/// A key of the tree that Ledger devices use for ed25519 (BIP32-Ed25519), with hardened steps alone.
///
/// Source: `substrate-crypto` section 9.5.
package struct LedgerKey: Sendable {
    /// What the key is signed with, 32 bytes.
    private let left: SecretBytes
    /// 32 bytes.
    private let right: SecretBytes
    /// 32 bytes.
    private let chainCode: SecretBytes

    /// The root of the tree.
    ///
    /// - Parameter seed: 64 bytes, from ``Mnemonic/standardSeed(passphrase:)``.
    package init(seed: SecretBytes) throws(KeyError) {
        guard seed.count == 64 else { throw .invalidSecretKey }
        self = try KeyError.locked(LedgerKey(checked: seed))
    }

    private init(checked seed: SecretBytes) throws(SecretMemoryError) {
        var digest = seed
        // Until a bit is clear, which each hash leaves to chance: two on average.
        repeat { digest = try HMAC.sha512(label: "ed25519 seed", digest) } while Self.hasThirdHighestBit(digest)
        left = try SecretBytes(count: 32) { left in
            digest.withUnsafeBytes { left.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<32])) }
            left[0] &= 0xf8
            left[31] = left[31] & 0x7f | 0x40
        }
        right = try digest.part(32..<64)
        chainCode = try HMAC.sha256(label: "ed25519 seed", Self.prefixed(1, [seed]))
    }

    private init(left: SecretBytes, right: SecretBytes, chainCode: SecretBytes) {
        self.left = left
        self.right = right
        self.chainCode = chainCode
    }

    private static func hasThirdHighestBit(_ digest: SecretBytes) -> Bool {
        digest.withUnsafeBytes { $0[31] & 0x20 != 0 }
    }

    /// The seed of RFC 8032 that the device signs with, 32 bytes: it is hashed again there.
    package var ed25519Seed: SecretBytes { left }

    /// The root as it is exported: both halves and the chain code, 96 bytes.
    package func exported() throws(KeyError) -> SecretBytes {
        try KeyError.locked(SecretBytes(joining: [left, right, chainCode]))
    }

    // MARK: Derivation

    /// - Parameter path: every step is taken as hardened, however it is written.
    package func derive(_ path: BIP32Path) throws(KeyError) -> LedgerKey {
        try KeyError.locked(derived(path))
    }

    private func derived(_ path: BIP32Path) throws(SecretMemoryError) -> LedgerKey {
        var key = self
        for step in path.hardened.steps { key = try key.child(step.number) }
        return key
    }

    private func child(_ number: UInt32) throws(SecretMemoryError) -> LedgerKey {
        let index = try SecretBytes(count: 4) { $0.storeBytes(of: number.littleEndian, as: UInt32.self) }
        let change = try HMAC.sha512(key: chainCode, Self.prefixed(0, [left, right, index]))
        let next = try HMAC.sha512(key: chainCode, Self.prefixed(1, [left, right, index]))
        return LedgerKey(
            left: try Self.sum(left, plus: change.part(0..<28), times: 8),
            right: try Self.sum(right, plus: change.part(32..<64), times: 1),
            chainCode: try next.part(32..<64))
    }

    /// One byte and the parts behind it.
    private static func prefixed(_ byte: UInt8, _ parts: [SecretBytes]) throws(SecretMemoryError) -> SecretBytes {
        let head = try SecretBytes(count: 1) { $0[0] = byte }
        return try SecretBytes(joining: [head] + parts)
    }

    /// `number + change · factor`, little-endian, modulo 2²⁵⁶; in a time that depends on the lengths only.
    private static func sum(
        _ number: SecretBytes, plus change: SecretBytes, times factor: UInt16
    ) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: 32) { output in
            number.withUnsafeBytes { number in
                change.withUnsafeBytes { writeSum(of: number, plus: $0, times: factor, into: output) }
            }
        }
    }

    private static func writeSum(
        of number: UnsafeRawBufferPointer, plus change: UnsafeRawBufferPointer, times factor: UInt16,
        into output: UnsafeMutableRawBufferPointer
    ) {
        // At the most 255 + 8 · 255 and a carry of 8.
        var carry: UInt16 = 0
        for index in 0..<32 {
            carry += UInt16(number[index])
            if index < change.count { carry += UInt16(change[index]) * factor }
            output[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
    }
}

extension SecretBytes {
    /// Copies of several secrets, one behind the other.
    fileprivate convenience init(joining parts: [SecretBytes]) throws(SecretMemoryError) {
        try self.init(count: parts.reduce(0) { $0 + $1.count }) { output in
            var position = 0
            for part in parts {
                part.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: output[position...]).copyMemory(from: $0)
                }
                position += part.count
            }
        }
    }
}

extension KeyPair {
    /// The ed25519 key that a Ledger device makes of its phrase.
    ///
    /// - Parameters:
    ///   - seed: 64 bytes, from ``Mnemonic/standardSeed(passphrase:)``.
    ///   - path: every step is taken as hardened.
    public static func ledger(seed: SecretBytes, path: BIP32Path) throws(KeyError) -> KeyPair {
        try KeyPair(scheme: .ed25519, miniSecret: LedgerKey(seed: seed).derive(path).ed25519Seed)
    }
}
