/// An element of the ristretto255 group (RFC 9496), for public data only.
package struct RistrettoPoint {
    let edwards: EdwardsPoint

    package static let identity = RistrettoPoint(edwards: .identity)

    /// The element that `e2f2ae0a…` encodes.
    package static let basePoint: RistrettoPoint = {
        let encoding: SIMD4<UInt64> = [
            0x714e_bc6a_0aae_f2e2, 0x5f51_00c5_61a9_84a8, 0x8ddd_82a5_6a0b_e358, 0x762d_8de0_4559_a6b6,
        ]
        return RistrettoPoint(encoding) ?? .identity
    }()

    init(edwards: EdwardsPoint) {
        self.edwards = edwards
    }

    /// Decodes 32 bytes; only the one canonical encoding of an element is accepted (RFC 9496 section 4.3.1).
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(
            bytes.withUnsafeBytes { buffer in
                SIMD4(
                    (0..<4).map { UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) })
            })
    }

    private init?(_ words: SIMD4<UInt64>) {
        guard let s = FieldElement(canonical: words), !s.isNegative else { return nil }
        let ss = s.squared
        let u1 = .one - ss
        let u2 = .one + ss
        let u2u2 = u2.squared
        let v = (FieldElement.d * u1.squared).negated - u2u2
        let (isSquare, root) = FieldElement.squareRoot(of: .one, over: v * u2u2)
        let denominatorX = root * u2
        let denominatorY = root * denominatorX * v
        let x = ((s + s) * denominatorX).absolute
        let y = u1 * denominatorY
        let t = x * y
        guard isSquare, !t.isNegative, !y.isZero else { return nil }
        edwards = EdwardsPoint(x: x, y: y, z: .one, t: t)
    }

    /// The canonical encoding, 32 bytes (RFC 9496 section 4.3.2).
    package var encoded: [UInt8] {
        let (x0, y0, z0, t0) = (edwards.x, edwards.y, edwards.z, edwards.t)
        let u1 = (z0 + y0) * (z0 - y0)
        let u2 = x0 * y0
        let root = FieldElement.squareRoot(of: .one, over: u1 * u2.squared).root
        let d1 = u1 * root
        let d2 = u2 * root
        let zInverse = d1 * d2 * t0
        var (x, y, denominator) = (x0, y0, d2)
        if (t0 * zInverse).isNegative {
            x = y0 * .squareRootOfMinusOne
            y = x0 * .squareRootOfMinusOne
            denominator = d1 * .inverseRootAMinusD
        }
        if (x * zInverse).isNegative { y = y.negated }
        return (denominator * (z0 - y)).absolute.encoded
    }

    package static func + (a: RistrettoPoint, b: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(edwards: a.edwards + b.edwards)
    }

    package static func - (a: RistrettoPoint, b: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(edwards: a.edwards - b.edwards)
    }
}
