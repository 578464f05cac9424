/// An element of the ristretto255 group (RFC 9496), for public data only.
package struct RistrettoPoint {
    let edwards: EdwardsPoint

    package static let identity = RistrettoPoint(edwards: .identity)

    /// The element that `e2f2ae0a…` encodes.
    package static let basePoint: RistrettoPoint = {
        let encoding: SIMD4<UInt64> = [
            0x714e_bc6a_0aae_f2e2, 0x5f51_00c5_61a9_84a8, 0x8ddd_82a5_6a0b_e358, 0x762d_8de0_4559_a6b6,
        ]
        return RistrettoPoint(words: encoding) ?? .identity
    }()

    /// The canonical encoding, 32 bytes (RFC 9496 section 4.3.2).
    package var encoded: [UInt8] {
        let (x0, y0, z0, t0) = (edwards.x, edwards.y, edwards.z, edwards.t)
        let u1 = (z0 + y0) * (z0 - y0)
        let u2 = x0 * y0
        let root = InverseSquareRoot.of(u1 * u2.squared).root
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

    var negated: RistrettoPoint { RistrettoPoint(edwards: edwards.negated) }

    package static func + (a: RistrettoPoint, b: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(edwards: a.edwards + b.edwards)
    }

    package static func - (a: RistrettoPoint, b: RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(edwards: a.edwards - b.edwards)
    }
}
