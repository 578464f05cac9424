import CSodium
import TestSupport
import Testing

@testable import Sr25519

@Suite("Public scalars")
struct ScalarTests {
    static func randomScalar() -> PublicScalar {
        var wide = InlineArray<64, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &wide) { randombytes_buf($0.baseAddress!, $0.count) }
        return PublicScalar(reducing: wide)
    }

    /// Zero, one, L − 1, powers of two and their neighbours, and random ones.
    static let samples: [PublicScalar] = {
        let one = PublicScalar(1)
        let powers = (0..<252).map { bit in
            var words = SIMD4<UInt64>()
            words[bit / 64] = 1 << UInt64(bit % 64)
            return PublicScalar(words: words)
        }
        return [.zero, .zero - one] + powers.flatMap { [$0, $0 - one, .zero - $0] }
            + (0..<2000).map { _ in randomScalar() }
    }()

    @Test("the order is not canonical, and the number before it is")
    func canonical() throws {
        let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        #expect(!PublicScalar(order).isCanonical)
        #expect((PublicScalar.zero - PublicScalar(1)).isCanonical)
        #expect(PublicScalar.zero.isCanonical)
        #expect(!PublicScalar(words: SIMD4(repeating: .max)).isCanonical)
    }

    @Test("wide products and their sums are what libsodium gives")
    func wide() {
        var sum = WideScalar.zero
        var expected = PublicScalar.zero
        for scalar in Self.samples {
            for factor in [0, 1, UInt128.max, UInt128.random(in: 0 ... .max)] {
                let product = WideScalar(factor, times: scalar)
                let reference = PublicScalar(factor) * scalar
                #expect(PublicScalar(reducing: product).words == reference.words)
                sum += product
                expected = expected + reference
            }
        }
        #expect(PublicScalar(reducing: sum).words == expected.words)
        let largest = WideScalar(.max, times: PublicScalar(words: SIMD4(repeating: .max)))
        let expectedWords: [UInt64] = [1, 0, .max, .max, .max - 1, .max, 0, 0]
        #expect((0..<8).map { largest.words[$0] } == expectedWords)
    }

    @Test("half-size scalars have the given quotient, and half the size")
    func halfSize() {
        for scalar in Self.samples {
            let half = HalfSizeScalars(scalar)
            let numerator = PublicScalar(half.numerator)
            #expect(half.denominator != 0)
            #expect(half.numerator >> 127 == 0 && half.denominator >> 127 == 0)
            let product = PublicScalar(half.denominator) * scalar
            #expect(product.words == (half.isNegative ? .zero - numerator : numerator).words)
        }
    }

    @Test("a non-adjacent form adds up to its scalar, with odd digits far apart", arguments: [2, 5, 8])
    func nonAdjacentForm(width: Int) {
        for scalar in Self.samples {
            let form = NonAdjacentForm(scalar, width: width)
            var sum = PublicScalar.zero
            var last = 256 + width
            for index in stride(from: 256, through: 0, by: -1) {
                sum = sum + sum
                let digit = form[index]
                guard digit != 0 else { continue }
                #expect(digit & 1 == 1 && Int(digit.magnitude) < 1 << (width - 1) && last - index >= width)
                last = index
                let size = PublicScalar(UInt128(digit.magnitude))
                sum = digit > 0 ? sum + size : sum - size
            }
            #expect(sum.words == scalar.words)
        }
    }
}
