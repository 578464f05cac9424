import CSodium
import SecretMemory
import TestSupport
import Testing

@testable import Sr25519

@Suite("ristretto255")
struct RistrettoTests {
    private static func randomScalar() -> [UInt8] {
        var wide = [UInt8](repeating: 0, count: 64)
        randombytes_buf(&wide, 64)
        return Scalar.reduce(wide)
    }

    private static func sodiumBase(_ scalar: [UInt8]) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: 32)
        _ = crypto_scalarmult_ristretto255_base(&point, scalar)
        return point
    }

    @Test("the base point decodes and encodes to itself")
    func basePoint() {
        #expect(
            RistrettoPoint.basePoint.encoded
                == hex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
    }

    @Test("two thousand random scalars give what libsodium gives: k·B, k·A + s·B, sum and difference")
    func differential() throws {
        try Sodium.start()
        for _ in 0..<2000 {
            let (k, s, a) = (Self.randomScalar(), Self.randomScalar(), Self.randomScalar())
            let pointA = Self.sodiumBase(a)
            let ourA = try #require(RistrettoPoint(pointA))
            #expect(ourA.encoded == pointA)
            #expect(RistrettoPoint.multiplyBase(k).encoded == Self.sodiumBase(k))
            var product = [UInt8](repeating: 0, count: 32)
            try #require(crypto_scalarmult_ristretto255(&product, k, pointA) == 0)
            let base = Self.sodiumBase(s)
            var sum = product
            try #require(crypto_core_ristretto255_add(&sum, product, base) == 0)
            // s·B = (−k)·A + (k·A + s·B), and not with anything else.
            let ourSum = try #require(RistrettoPoint(sum))
            var negated = k
            crypto_core_ristretto255_scalar_negate(&negated, k)
            for arithmetic in CurveArithmetic.available {
                let (s, k, negated) = (PublicScalar(s), PublicScalar(k), PublicScalar(negated))
                #expect(RistrettoPoint.isEqual(base: s, to: negated, times: ourA, plus: ourSum, on: arithmetic))
                #expect(!RistrettoPoint.isEqual(base: s, to: k, times: ourA, plus: ourSum, on: arithmetic))
            }
            var difference = product
            try #require(crypto_core_ristretto255_sub(&difference, product, base) == 0)
            let ourDifference = try #require(RistrettoPoint(product)) - #require(RistrettoPoint(base))
            #expect(ourDifference.encoded == difference)
        }
    }

    @Test("small and extreme scalars")
    func edges() {
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(RistrettoPoint.multiplyBase(zero).encoded == zero)
        var one = zero
        one[0] = 1
        #expect(RistrettoPoint.multiplyBase(one).encoded == RistrettoPoint.basePoint.encoded)
        // L − 1
        var last = hex("ecd3f55c1a631258d69cf7a2def9de14") + [UInt8](repeating: 0, count: 16)
        last[31] = 0x10
        for (s, k, r) in [
            (zero, zero, RistrettoPoint.identity), (one, zero, .basePoint), (one, one, .identity),
            (zero, last, .basePoint),
            (last, last, .identity), (last, zero, .identity - .basePoint),
        ] {
            for arithmetic in CurveArithmetic.available {
                let (s, k) = (PublicScalar(s), PublicScalar(k))
                #expect(RistrettoPoint.isEqual(base: s, to: k, times: .basePoint, plus: r, on: arithmetic))
                #expect(
                    !RistrettoPoint.isEqual(base: s, to: k, times: .basePoint, plus: r + .basePoint, on: arithmetic))
            }
        }
    }

    @Test("known multiples and bad encodings", .enabled(if: SharedData.has("substrate-crypto/ristretto255.json")))
    func shared() throws {
        let data = try SharedData.json("substrate-crypto/ristretto255.json")
        var multiple = RistrettoPoint.identity
        for row in data["small_multiples_of_basepoint"].array {
            #expect(multiple.encoded == row.hex)
            multiple = multiple + .basePoint
        }
        for row in data["bad_encodings"].array {
            #expect(try RistrettoPoint(#require(row["encoding"].hex)) == nil, "\(row["reason"])")
        }
        for row in data["scalar_reduce_wide"].array {
            #expect(try Scalar.reduce(#require(row["wide"].hex)) == row["scalar"].hex)
        }
    }

    @Test("random bytes decode to nothing or to what encodes to them")
    func randomEncodings() {
        var generator = SplitMix64(state: 7)
        for _ in 0..<2000 {
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let point = RistrettoPoint(bytes) { #expect(point.encoded == bytes) }
        }
    }
    @Test("two encodings decode side by side as they do alone")
    func pairs() {
        let good = RistrettoPoint.basePoint.encoded
        var bad = good
        bad[0] ^= 2
        let unreduced = [UInt8](repeating: 0xff, count: 32)
        let encodings = [good, bad, unreduced, [UInt8](repeating: 0, count: 32)].map { bytes in
            bytes.withUnsafeBytes { SIMD4(littleEndian: $0) }
        }
        for first in encodings {
            for second in encodings {
                let pair = RistrettoPoint.decode(first, and: second)
                #expect(pair.first?.encoded == RistrettoPoint(words: first)?.encoded)
                #expect(pair.second?.encoded == RistrettoPoint(words: second)?.encoded)
            }
        }
        #expect(
            RistrettoPoint.decode(encodings + encodings[..<1]).map { $0?.encoded } == [
                good, RistrettoPoint(bad)?.encoded, nil, RistrettoPoint.identity.encoded, good,
            ])
    }
    @Test("few and many terms add up to what libsodium gives", arguments: [0, 1, 3, 50, 239, 240, 600])
    func multiscalar(count: Int) throws {
        try Sodium.start()
        var expected = [UInt8](repeating: 0, count: 32)
        let edges = ScalarTests.samples[..<40]
        let terms = try (0..<count).map { index in
            let scalar = index < edges.count ? edges[index] : ScalarTests.randomScalar()
            let encoding = Self.sodiumBase(Self.randomScalar())
            let bytes = withUnsafeBytes(of: scalar.words) { Array($0) }
            var product = [UInt8](repeating: 0, count: 32)
            // −1 for a product that is the identity, which leaves the sum as it is.
            if crypto_scalarmult_ristretto255(&product, bytes, encoding) == 0 {
                let sum = expected
                try #require(crypto_core_ristretto255_add(&expected, sum, product) == 0)
            }
            return try MultiscalarTerm(scalar: scalar, point: #require(RistrettoPoint(encoding)))
        }
        #expect(Straus.sum(terms).encoded == expected)
        #expect(Pippenger.sum(terms).encoded == expected)
        let s = ScalarTests.randomScalar()
        let base = MultiscalarTerm(scalar: s, point: .basePoint)
        let minusTerms = terms.map { MultiscalarTerm(scalar: .zero - $0.scalar, point: $0.point) }
        for arithmetic in CurveArithmetic.available {
            #expect(RistrettoPoint.isEqual(base: s, to: terms + minusTerms + [base], on: arithmetic))
            #expect(!RistrettoPoint.isEqual(base: s + PublicScalar(1), to: terms + minusTerms + [base], on: arithmetic))
        }
    }
}
