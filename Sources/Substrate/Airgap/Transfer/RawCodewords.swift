import Substrate
import TextForms

/// The data code words of a QR symbol before they are taken apart, as some scanners hand them over: the nibble 4 for
/// bytes, the length, the bytes, padding.
///
/// Source: `signer-wire` section 9.1.
package enum RawCodewords {
    /// - Parameter hex: digits, also an odd number of them.
    /// - Returns: the content, or nil where no length fits.
    package static func content(hex: String) -> [UInt8]? {
        guard hex.utf8.first == UInt8(ascii: "4") else { return nil }
        let digits = hex.utf8.dropFirst()
        // Versions from 10 on have a length of two bytes, smaller ones of one.
        for lengthDigits in [4, 2] {
            // Digits alone: numbers are also read with a sign.
            let values = digits.prefix(lengthDigits).compactMap(Hex.value)
            guard values.count == lengthDigits else { continue }
            let length = values.reduce(0) { $0 << 4 | Int($1) }
            let rest = digits.dropFirst(lengthDigits)
            guard rest.count >= 2 * length else { continue }
            let content = rest.prefix(2 * length).compactMap(Hex.value)
            guard content.count == 2 * length else { return nil }
            return (0..<length).map { content[2 * $0] << 4 | content[2 * $0 + 1] }
        }
        return nil
    }
}
