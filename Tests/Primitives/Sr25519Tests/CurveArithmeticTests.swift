import CSodium
import SecretMemory
import TestSupport
import Testing

@testable import Sr25519

extension CurveArithmetic: CustomTestStringConvertible {
    /// What this machine can verify with.
    static let available: [CurveArithmetic] = fastest == .vector ? [.portable, .vector] : [.portable]

    public var testDescription: String { self == .vector ? "vectors" : "portable" }
}

extension EdwardsPoint {
    /// Whether these are the same points of the curve, not only the same elements of ristretto255.
    func isSame(as other: EdwardsPoint) -> Bool {
        x * other.z == other.x * z && y * other.z == other.y * z && t * other.z == other.t * z && x * y == t * z
    }

    /// A multiple by doubling and adding.
    func multiplied(by scalar: PublicScalar) -> EdwardsPoint {
        stride(from: 255, through: 0, by: -1).reduce(.identity) { sum, bit in
            let double = sum + sum
            return scalar.bits(at: bit) & 1 == 1 ? double + self : double
        }
    }

    /// The eight points of small order: multiples of one of order eight.
    static let torsion: [EdwardsPoint] = {
        let y = FieldElement(
            canonical: hex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a").withUnsafeBytes {
                SIMD4(littleEndian: $0)
            })!
        let numerator = y.squared - .one
        let x = numerator * InverseSquareRoot.of(numerator * (FieldElement.d * y.squared + .one)).root
        let generator = EdwardsPoint(x: x, y: y, z: .one, t: x * y)
        return (0..<8).map { generator.multiplied(by: PublicScalar(UInt128($0))) }
    }()
}

@Suite("Vector arithmetic", .enabled(if: CurveArithmetic.fastest == .vector, "this machine has no AVX2"))
struct CurveArithmeticTests {
    /// Zero, one, numbers around p and 2²⁵⁵, limbs as large as they may be, and random ones.
    private static let numbers: [FieldElement] = {
        let mask = FieldElement.mask
        let product = (1 << 52) - UInt64(39)
        let edges = [
            FieldElement(limbs: (0, 0, 0, 0, 0)), FieldElement(limbs: (1, 0, 0, 0, 0)),
            FieldElement(limbs: (2, 0, 0, 0, 0)),
            FieldElement(limbs: (mask - 19, mask, mask, mask, mask)),
            FieldElement(limbs: (mask - 18, mask, mask, mask, mask)),
            FieldElement(limbs: (mask - 17, mask, mask, mask, mask)),
            FieldElement(limbs: (mask, mask, mask, mask, mask)),
            FieldElement(limbs: (product, product, product, product, product)),
            FieldElement(limbs: (0, 0, 0, 0, product)),
            FieldElement(limbs: (1 << 50, 1 << 50, 1 << 50, 1 << 50, 1 << 50)),
            FieldElement(limbs: (1 << 50 - 1, 1 << 50 - 1, 1 << 50 - 1, 1 << 50 - 1, 1 << 50 - 1)),
            FieldElement(limbs: (0, 0, 1 << 51, 0, 0)), .squareRootOfMinusOne, .d,
        ]
        var generator = SplitMix64(state: 6)
        func limb() -> UInt64 { UInt64.random(in: 0...product, using: &generator) }
        return edges + (0..<1010).map { _ in FieldElement(limbs: (limb(), limb(), limb(), limb(), limb())) }
    }()

    @Test("powers are those of the portable field, at every place among eight")
    func powers() {
        for start in Self.numbers.indices {
            let bases = Array(Self.numbers[start...].prefix(8))
            let powers = FieldElement.vectorPowersForRoot(bases)
            #expect(powers == bases.map(\.powerForRoot))
        }
    }

    @Test("sums are the same points as by doubling and adding", arguments: [0, 1, 2, 5, 6, 64, 65, 150])
    func sums(count: Int) throws {
        let scalars = ScalarTests.samples.shuffled()
        let terms = try (0..<count).map { index in
            let element = try #require(RistrettoPoint(RistrettoPoint.multiplyBase(ScalarTests.randomScalar()).encoded))
            let point = element.edwards + EdwardsPoint.torsion[index % 8]
            return MultiscalarTerm(scalar: scalars[index + 1], point: RistrettoPoint(edwards: point))
        }
        let base = RistrettoPoint.basePoint.edwards.multiplied(by: scalars[0])
        let expected = terms.reduce(base) { $0 - $1.point.edwards.multiplied(by: $1.scalar) }
        #expect(VectorSum.difference(base: scalars[0], terms).isSame(as: expected))
    }

    @Test("every scalar on its own, short and long")
    func scalars() {
        let a = RistrettoPoint.multiplyBase(ScalarTests.randomScalar())
        for scalar in ScalarTests.samples.prefix(800) {
            let product = a.edwards.multiplied(by: scalar)
            let difference = VectorSum.difference(base: .zero, [MultiscalarTerm(scalar: scalar, point: a)])
            #expect(difference.isSame(as: product.negated))
            let multiple = RistrettoPoint.basePoint.edwards.multiplied(by: scalar)
            #expect(VectorSum.difference(base: scalar, []).isSame(as: multiple))
        }
    }
}

@Suite("Both arithmetics")
struct BothArithmeticsTests {
    private static func words(_ bytes: [UInt8]) -> SIMD4<UInt64> { bytes.withUnsafeBytes { SIMD4(littleEndian: $0) } }

    @Test("known encodings, bad ones and edges of the field decode alike", arguments: CurveArithmetic.available)
    func decoding(arithmetic: CurveArithmetic) throws {
        var good = [RistrettoPoint.identity.encoded]
        for _ in 0..<20 { good.append((RistrettoPoint(good[good.count - 1])! + .basePoint).encoded) }
        let p = hex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
        var bad = [
            p, hex("01" + String(repeating: "00", count: 31)), hex("ec" + String(repeating: "ff", count: 30) + "7f"),
            hex(String(repeating: "ff", count: 31) + "7f"), [UInt8](repeating: 0xff, count: 32),
            hex("ee" + String(repeating: "ff", count: 30) + "7f"),
        ]
        if SharedData.has("substrate-crypto/ristretto255.json") {
            bad += try SharedData.json("substrate-crypto/ristretto255.json")["bad_encodings"].array.map {
                try #require($0["encoding"].hex)
            }
        }
        // −s names the same element as s, and so would s with the bit that numbers below p do not have.
        for encoding in good.dropFirst() {
            let s = try #require(FieldElement(canonical: Self.words(encoding)))
            bad.append(s.negated.encoded)
            bad.append(encoding[..<31] + [encoding[31] | 0x80])
        }
        let mixed = (good + bad).shuffled()
        let points = RistrettoPoint.decode(mixed.map(Self.words), on: arithmetic)
        #expect(points.map { $0?.encoded } == mixed.map { good.contains($0) ? $0 : nil })
        for count in 0..<18 {
            #expect(RistrettoPoint.decode(mixed.prefix(count).map(Self.words), on: arithmetic).count == count)
        }
    }

    @Test("random words decode alike")
    func randomWords() {
        let encodings = (0..<4000).map { _ in
            SIMD4<UInt64>(
                .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max >> 1))
                & SIMD4(~1, .max, .max, .max)
        }
        let verdicts = CurveArithmetic.available.map { arithmetic in
            RistrettoPoint.decode(encodings, on: arithmetic).map { $0?.encoded }
        }
        #expect(verdicts.allSatisfy { $0 == verdicts[0] })
        #expect(verdicts[0].contains { $0 != nil } && verdicts[0].contains(nil))
    }

    @Test("the four points of the identity are the identity, and those of order eight are not")
    func torsion() {
        let (s, k, a) = (ScalarTests.randomScalar(), ScalarTests.randomScalar(), ScalarTests.randomScalar())
        let base = RistrettoPoint.multiplyBase(a)
        let r = RistrettoPoint.multiplyBase(s - k * a)
        for (index, point) in EdwardsPoint.torsion.enumerated() {
            let t = RistrettoPoint(edwards: point)
            #expect(point.isIdentity == (index % 2 == 0))
            for arithmetic in CurveArithmetic.available {
                let one = MultiscalarTerm(scalar: PublicScalar(1), point: t)
                #expect(RistrettoPoint.isEqual(base: .zero, to: [one], on: arithmetic) == (index % 2 == 0))
            }
            for (a, r) in [(base + t, r), (base, r + t), (base + t, r + t)] {
                let verdicts = CurveArithmetic.available.map { arithmetic in
                    RistrettoPoint.isEqual(base: s, to: k, times: a, plus: r, on: arithmetic)
                }
                #expect(verdicts.allSatisfy { $0 == verdicts[0] })
                if index % 2 == 0 { #expect(verdicts[0]) }
            }
        }
    }

    @Test("prepared points say what plain ones do", arguments: CurveArithmetic.available)
    func prepared(arithmetic: CurveArithmetic) {
        let scalars = ScalarTests.samples.prefix(760) + ScalarTests.samples.suffix(200)
        let a = RistrettoPoint.multiplyBase(ScalarTests.randomScalar())
        for t in EdwardsPoint.torsion.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
            let prepared = PreparedPoint(a + RistrettoPoint(edwards: t), on: arithmetic)
            for (s, k) in zip(scalars, scalars.reversed()) {
                let product = RistrettoPoint(edwards: a.edwards.multiplied(by: k))
                let r = RistrettoPoint.multiplyBase(s) - product
                #expect(prepared.isEqual(base: s, to: k, plus: r))
                #expect(!prepared.isEqual(base: s + PublicScalar(1), to: k, plus: r))
            }
        }
    }

    @Test("one wrong signature of 64 is named at each place", arguments: CurveArithmetic.available)
    func eachPlace(arithmetic: CurveArithmetic) throws {
        let good = try goodBatch(count: 64)
        #expect(Sr25519.verifyBatch(good, on: arithmetic).isValid)
        for index in good.indices {
            var batch = good
            let scalar = try ParsedSignature(good[index].signature).scalar
            batch[index] = good[index].with(scalar: scalar + PublicScalar(1))
            #expect(Sr25519.verifyBatch(batch, on: arithmetic).refusals == [index: .signatureMismatch])
        }
    }
}
