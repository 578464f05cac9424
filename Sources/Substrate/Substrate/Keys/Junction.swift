import SCALE

/// One step of a derivation path: `//code` hard, `/code` soft.
package struct Junction: Hashable, Sendable {
    /// Whether a step needs the secret key.
    package enum Kind: Sendable { case hard, soft }

    /// Whether it needs the secret key.
    package let kind: Kind
    /// The text between the slashes; not empty.
    package let code: String

    /// The 32 bytes that the code stands for: a number below 2⁶⁴ little-endian, else the SCALE string, zero-padded or,
    /// beyond 32 bytes, hashed (`substrate-crypto` section 8.3).
    package var chainCode: [UInt8] {
        var encoder = ScaleEncoder()
        if let number = number { encoder.integer(number) } else { encoder.string(code) }
        guard encoder.bytes.count <= 32 else { return Blake2b.hash(encoder.bytes, size: 32) }
        return encoder.bytes + [UInt8](repeating: 0, count: 32 - encoder.bytes.count)
    }

    private var number: UInt64? {
        let digits = code.utf8.first == UInt8(ascii: "+") ? code.utf8.dropFirst() : code.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self))
    }

    /// Whether other software reads it differently: polkadot-js takes `0x…` codes and numbers from 2⁶⁴ as raw bytes.
    package var differsElsewhere: Bool {
        let allDigits = code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return code.hasPrefix("0x") || code.hasPrefix("+") || (allDigits && number == nil)
    }
}

extension Junction: CustomStringConvertible {
    /// The value as text.
    package var description: String { (kind == .hard ? "//" : "/") + code }
}
