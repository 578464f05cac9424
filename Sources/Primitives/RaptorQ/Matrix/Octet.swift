/// Arithmetic in GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1, one octet at a time.
///
/// Source: RFC 6330 5.7; `raptorq-qr` section 3.
enum Octet {
    static func product(_ a: UInt8, by b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : powers[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// - Parameter a: not 0.
    static func inverse(_ a: UInt8) -> UInt8 { powers[255 - Int(logarithms[Int(a)])] }

    /// 2^i for i in 0..<510.
    static let powers: [UInt8] = {
        var powers: [UInt8] = [1]
        for _ in 1..<510 {
            let last = powers[powers.count - 1]
            powers.append(last << 1 ^ (last >> 7) * 0x1d)
        }
        return powers
    }()

    private static let logarithms: [UInt8] = {
        var logarithms = [UInt8](repeating: 0, count: 256)
        for exponent in 0..<255 { logarithms[Int(powers[exponent])] = UInt8(exponent) }
        return logarithms
    }()
}
