internal import Crypto

/// Nonces that prove themselves: `0x01`, the second of expiry (4 bytes), 11 random bytes, and the first 16 bytes of
/// HMAC-SHA256 over these 16 and what the nonce is bound to.
///
/// Source: `appattest-gate` section 3.4.
struct NonceSeal: Sendable {
    static let keyBytes = 32
    static let randomBytes = 11
    private static let headBytes = 16
    private static let version: UInt8 = 1

    private let key: SymmetricKey

    /// Returns nil unless the key has 32 bytes.
    init?(key: [UInt8]) {
        guard key.count == Self.keyBytes else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// A seal with a key of this process alone: what it sealed ends with it.
    init() { key = SymmetricKey(size: .bits256) }

    func nonce(expirySeconds: UInt32, random: [UInt8], binding: [UInt8]) -> [UInt8] {
        let expiry = (0..<4).map { UInt8(truncatingIfNeeded: expirySeconds >> (24 - 8 * UInt32($0))) }
        let head = [Self.version] + expiry + random
        return head + mac(over: head, binding: binding).prefix(Nonce.bytes - Self.headBytes)
    }

    /// - Returns: nil unless this key sealed the nonce.
    func expirySeconds(_ nonce: [UInt8], binding: [UInt8]) -> UInt32? {
        guard nonce.count == Nonce.bytes, nonce[0] == Self.version else { return nil }
        let head = Array(nonce[..<Self.headBytes])
        // In constant time: every byte counts before the result is looked at.
        let difference = zip(mac(over: head, binding: binding), nonce[Self.headBytes...]).reduce(UInt8(0)) {
            $0 | ($1.0 ^ $1.1)
        }
        return difference == 0 ? head[1..<5].reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    private func mac(over head: [UInt8], binding: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: head + binding, using: key))
    }
}
