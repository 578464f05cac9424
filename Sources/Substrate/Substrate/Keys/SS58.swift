/// Addresses: a network prefix, 32 or 33 bytes and a check sum, as Base58 text (`substrate-crypto` section 10).
public enum SS58 {
    /// The prefix of addresses that belong to no network.
    public static let genericPrefix: UInt16 = 42
    /// Characters of an address at the most; longer text is not decoded.
    static let textLimit = 64

    /// Whether addresses with a prefix are read: 46 and 47 are reserved.
    package static func isPrefix(_ prefix: UInt16) -> Bool { prefix < 1 << 14 && prefix != 46 && prefix != 47 }

    /// - Parameters:
    ///   - payload: 32 bytes of an account, or a 33-byte key.
    ///   - prefix: below 16384; nobody reads an address with a reserved one.
    public static func encode(_ payload: [UInt8], prefix: UInt16) throws(SS58Error) -> String {
        guard payload.count == 32 || payload.count == 33 else { throw .badLength }
        guard prefix < 1 << 14 else { throw .prefixOutOfRange(prefix) }
        let head: [UInt8] =
            prefix < 64
            ? [UInt8(prefix)]
            : [UInt8(prefix & 0xfc) >> 2 | 0x40, UInt8(prefix >> 8) | UInt8(prefix & 3) << 6]
        let body = head + payload
        return Base58.encode(body + checksum(body))
    }

    /// - Parameters:
    ///   - text: taken as it is, neither trimmed nor folded.
    ///   - payloadSizes: bytes that the payload may have: 32 for an account, 33 for a key of secp256k1.
    public static func decode(
        _ text: String, payloadSizes: ClosedRange<Int> = 32...33
    ) throws(SS58Error) -> (prefix: UInt16, payload: [UInt8]) {
        guard text.utf8.count <= textLimit, let bytes = Base58.decode(text) else { throw .badBase58 }
        guard bytes.count >= 2 else { throw .badLength }
        let prefix: UInt16
        let head: Int
        switch bytes[0] {
        case 0..<64:
            (prefix, head) = (UInt16(bytes[0]), 1)
        case 64..<128:
            let low = UInt16(bytes[0] << 2 | bytes[1] >> 6)
            (prefix, head) = (low | UInt16(bytes[1] & 0x3f) << 8, 2)
        default:
            throw .invalidPrefix
        }
        guard payloadSizes.contains(bytes.count - head - 2) else { throw .badLength }
        guard isPrefix(prefix) else { throw .formatNotAllowed }
        guard head == 1 || prefix >= 64 else { throw .nonCanonicalPrefix }
        let body = Array(bytes.dropLast(2))
        guard checksum(body) == Array(bytes.suffix(2)) else { throw .invalidChecksum }
        return (prefix, Array(body.dropFirst(head)))
    }

    private static func checksum(_ body: [UInt8]) -> [UInt8] {
        Array(Blake2b.hash(Array("SS58PRE".utf8) + body, size: 64).prefix(2))
    }
}

/// Base58 with the alphabet of Bitcoin.
package enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The value of each ASCII character, 255 where it has none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 128)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        // Ten digits of base 58 at a time fit 64 bits with the carry of 32 bits more, least significant first.
        let wordCount = bytes.count / 7 + 1
        let length = 10 * wordCount
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordCount) { words in
            words.initialize(repeating: 0)
            var used = 0
            var index = zeros
            while index < bytes.count {
                // Four bytes at a time; the last ones alone.
                let step = bytes.count - index >= 4 ? 4 : 1
                var carry: UInt64 = 0
                for offset in 0..<step { carry = carry << 8 | UInt64(bytes[index + offset]) }
                for position in 0..<used {
                    let (high, low) = words[position].multipliedFullWidth(by: 1 << UInt64(8 * step))
                    let (sum, overflow) = low.addingReportingOverflow(carry)
                    (carry, words[position]) = tenDigits.dividingFullWidth((high + (overflow ? 1 : 0), sum))
                }
                if carry > 0 {
                    words[used] = carry
                    used += 1
                }
                index += step
            }
            return String(unsafeUninitializedCapacity: zeros + length) { text in
                write(UnsafeMutableBufferPointer(rebasing: words[..<used]), behind: zeros, to: text)
            }
        }
    }

    /// 58 to the tenth: what one word of digits holds.
    private static let tenDigits: UInt64 = 430_804_206_899_405_824

    /// - Returns: how many characters were written.
    private static func write(
        _ words: UnsafeMutableBufferPointer<UInt64>, behind zeros: Int, to text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        for index in 0..<zeros { text[index] = alphabet[0] }
        var end = zeros
        for (position, word) in words.reversed().enumerated() {
            var rest = word
            // The most significant word has no leading zeros.
            var count = 10
            if position == 0 {
                count = 0
                var left = word
                while left > 0 {
                    left /= 58
                    count += 1
                }
            }
            for index in (end..<end + count).reversed() {
                text[index] = alphabet[Int(rest % 58)]
                rest /= 58
            }
            end += count
        }
        return end
    }

    /// - Returns: nil for a character outside the alphabet. Takes time in the square of the length: callers bound it.
    package static func decode(_ text: String) -> [UInt8]? {
        let zeros = text.utf8.prefix { $0 == alphabet[0] }.count
        // Bytes, least significant first.
        var bytes: [UInt8] = []
        for character in text.utf8.dropFirst(zeros) {
            guard character < 128, values[Int(character)] != 255 else { return nil }
            var carry = Int(values[Int(character)])
            for index in bytes.indices {
                carry += Int(bytes[index]) * 58
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            while carry > 0 {
                bytes.append(UInt8(truncatingIfNeeded: carry))
                carry >>= 8
            }
        }
        return [UInt8](repeating: 0, count: zeros) + bytes.reversed()
    }
}
