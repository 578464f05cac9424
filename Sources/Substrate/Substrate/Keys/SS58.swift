/// Why bytes have no SS58 form.
public enum SS58Error: Error, Equatable, Sendable {
    /// SS58 expresses prefixes up to 16383.
    case prefixNotExpressible(UInt16)
}

/// Addresses as people type them (`signer-wire` section 7.3).
public enum SS58 {
    /// Prefix, payload and checksum in base 58.
    ///
    /// - Parameter payload: an account of 32 bytes.
    public static func encode(_ payload: [UInt8], prefix: UInt16) throws(SS58Error) -> String {
        guard prefix < 1 << 14 else { throw .prefixNotExpressible(prefix) }
        var body = Array("SS58PRE".utf8)
        let marker = body.count
        if prefix < 64 {
            body.append(UInt8(prefix))
        } else {
            body.append(UInt8((prefix & 0xfc) >> 2) | 0x40)
            body.append(UInt8(prefix >> 8) | UInt8(prefix & 3) << 6)
        }
        body += payload
        body += Blake2b.hash(body, size: 64)[..<2]
        return base58(body[marker...])
    }

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    private static func base58(_ bytes: ArraySlice<UInt8>) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        var words = bigEndianWords(bytes)
        // Digits come in fives, least significant first: 58^5 < 2^32.
        var digits: [UInt8] = []
        digits.reserveCapacity(words.count * 6 + zeros)
        while let first = words.firstIndex(where: { $0 != 0 }) {
            var remainder: UInt64 = 0
            for index in first..<words.count {
                let value = remainder << 32 | UInt64(words[index])
                words[index] = UInt32(value / 656_356_768)
                remainder = value % 656_356_768
            }
            for _ in 0..<5 {
                digits.append(alphabet[Int(remainder % 58)])
                remainder /= 58
            }
        }
        while digits.last == alphabet[0] { digits.removeLast() }
        digits.append(contentsOf: repeatElement(alphabet[0], count: zeros))
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// `bytes` as one number in words, most significant first.
    private static func bigEndianWords(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: (bytes.count + 3) / 4)
        for (distance, byte) in bytes.reversed().enumerated() {
            words[words.count - 1 - distance / 4] |= UInt32(byte) << (8 * (distance % 4))
        }
        return words
    }
}
