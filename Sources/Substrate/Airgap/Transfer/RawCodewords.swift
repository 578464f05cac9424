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
        guard hex.first == "4" else { return nil }
        let digits = hex.dropFirst()
        // Versions from 10 on have a length of two bytes, smaller ones of one.
        for lengthDigits in [4, 2] {
            guard digits.count >= lengthDigits, let length = Int(digits.prefix(lengthDigits), radix: 16) else {
                continue
            }
            let rest = digits.dropFirst(lengthDigits)
            if rest.count >= 2 * length { return Hex.decode(String(rest.prefix(2 * length))) }
        }
        return nil
    }
}
