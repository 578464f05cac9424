/// The field GF(2^bits) in which shares are points of polynomials.
///
/// Time depends on factors, which are numbers of shares and public, and not on the values that are multiplied.
///
/// Source: `signer-product` section 10.2.
package struct GaloisField: Equatable, Sendable {
    /// How many bits the elements of shares may have.
    package static let allBits = 3...20

    /// The low part of the reduction polynomial for each number of bits, from 3 on.
    private static let lowBits: [UInt32] = [3, 3, 5, 3, 3, 29, 17, 9, 5, 83, 27, 43, 3, 45, 9, 39, 39, 9]

    let bits: Int
    private let lowPart: UInt32

    /// - Returns: nil for a number of bits that shares do not have.
    package init?(bits: Int) {
        guard Self.allBits.contains(bits) else { return nil }
        self.bits = bits
        lowPart = Self.lowBits[bits - Self.allBits.lowerBound]
    }

    /// The field of the shares that are written: its elements are bytes.
    package static let ofBytes = GaloisField(bits: 8)!

    /// The largest element, which is also the largest number of a share.
    var largest: UInt32 { 1 << UInt32(bits) - 1 }

    /// - Parameter factor: public.
    package func product(of value: UInt32, by factor: UInt32) -> UInt32 {
        var (sum, shifted, rest): (UInt32, UInt32, UInt32) = (0, value, factor)
        while rest != 0 {
            if rest & 1 == 1 { sum ^= shifted }
            shifted = doubled(shifted)
            rest >>= 1
        }
        return sum
    }

    private func doubled(_ value: UInt32) -> UInt32 {
        let carry = value >> UInt32(bits - 1) & 1
        return (value << 1 & largest) ^ (lowPart & (0 &- carry))
    }

    /// - Parameter value: public, and not 0.
    func inverse(of value: UInt32) -> UInt32 {
        // value^(2^bits - 2): the product of its squares, of which there are bits - 1.
        var (product, square) = (UInt32(1), value)
        for _ in 1..<bits {
            square = self.product(of: square, by: square)
            product = self.product(of: product, by: square)
        }
        return product
    }

    /// The factors by which the values of a polynomial at `points` give its value at 0 as their sum.
    ///
    /// - Parameter points: different from each other, and none 0.
    func weightsAtZero(of points: [UInt32]) -> [UInt32] {
        points.map { point in
            var (above, below): (UInt32, UInt32) = (1, 1)
            for other in points where other != point {
                above = product(of: above, by: other)
                below = product(of: below, by: other ^ point)
            }
            return product(of: above, by: inverse(of: below))
        }
    }
}
