/// Reed–Solomon over GF(256) with the polynomial 0x11d, first root α⁰.
enum ReedSolomon {
    /// α⁰, α¹, … twice over, so that sums of logarithms need no reduction.
    static let exponents: [UInt8] = {
        var values = [UInt8](repeating: 0, count: 510)
        var value = 1
        for index in 0..<255 {
            values[index] = UInt8(value)
            values[index + 255] = UInt8(value)
            value <<= 1
            if value & 0x100 != 0 { value ^= 0x11d }
        }
        return values
    }()

    /// The logarithm of each element; that of zero is not used.
    static let logarithms: [UInt8] = {
        var values = [UInt8](repeating: 0, count: 256)
        for index in 0..<255 { values[Int(exponents[index])] = UInt8(index) }
        return values
    }()

    static func multiply(_ a: UInt8, by b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : exponents[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// Coefficients of ∏(x − αⁱ) for i below `degree`, without the leading one, highest power first.
    static func generator(degree: Int) -> [UInt8] {
        let product = (0..<degree).reduce([1] as [UInt8]) { product, root in
            // Times x, and times the root one place further.
            zip(product + [0], [0] + product).map { $0 ^ multiply($1, by: exponents[root]) }
        }
        return Array(product.dropFirst())
    }

    /// The remainder of `data`·x^degree, which makes data and remainder a code word.
    static func remainder(_ data: ArraySlice<UInt8>, generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in generator.indices { remainder[index] ^= multiply(generator[index], by: factor) }
        }
        return remainder
    }
}
