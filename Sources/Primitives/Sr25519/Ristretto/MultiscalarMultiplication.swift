/// A summand of a multiplication by many scalars.
struct MultiscalarTerm {
    /// A scalar below L.
    let scalar: PublicScalar
    let point: RistrettoPoint
}

extension RistrettoPoint {
    /// Whether s·B = Σ kᵢ·Pᵢ, for public scalars below L and B the base point.
    static func isEqual(
        base s: PublicScalar, to terms: [MultiscalarTerm], on arithmetic: CurveArithmetic = .fastest
    ) -> Bool {
        let difference =
            switch arithmetic {
            case .portable:
                multiplyBase(s).edwards
                    - (terms.count < Pippenger.leastCount ? Straus.sum(terms) : Pippenger.sum(terms)).edwards
            case .vector: VectorSum.difference(base: s, terms)
            }
        return difference.isIdentity
    }
}
