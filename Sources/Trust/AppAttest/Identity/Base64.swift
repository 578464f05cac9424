/// Base64 of public bytes (RFC 4648), read strictly and written in the two forms that the protocol has.
package enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Standard alphabet, with padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text = characters(of: bytes, standard)
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The alphabet of URLs, without padding.
    package static func encodeForURL(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: characters(of: bytes, url), as: UTF8.self)
    }

    /// Reads either alphabet, but not both in one text, with all of its padding or none. Bits that no byte takes are zero:
    /// bytes have one text in each form.
    ///
    /// - Returns: nil for anything else, white space too.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8))
    }

    /// ``decode(_:)-(StringProtocol)`` of the text's UTF-8.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var digits = text[...]
        if digits.count % 4 == 0, digits.last == UInt8(ascii: "=") {
            digits.removeLast(digits.dropLast().last == UInt8(ascii: "=") ? 2 : 1)
        }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var (bits, bitCount) = (UInt32(0), 0)
        var (isStandard, isURL) = (false, false)
        for digit in digits {
            guard let value = value(digit) else { return nil }
            isStandard = isStandard || digit == UInt8(ascii: "+") || digit == UInt8(ascii: "/")
            isURL = isURL || digit == UInt8(ascii: "-") || digit == UInt8(ascii: "_")
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= 1 << UInt32(bitCount) - 1
            }
        }
        return bits == 0 && !(isStandard && isURL) ? bytes : nil
    }

    private static func characters(of bytes: some Collection<UInt8>, _ alphabet: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, bitCount) = (UInt32(0), 0)
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xffff
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
        return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
