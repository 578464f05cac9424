/// A summand of a multiplication by many scalars.
struct MultiscalarTerm {
    /// Below L.
    let scalar: PublicScalar
    let point: RistrettoPoint
}

extension RistrettoPoint {
    /// Whether s·B = Σ kᵢ·Pᵢ, for public scalars below L and B the base point.
    static func isEqual(base s: PublicScalar, to terms: [MultiscalarTerm]) -> Bool {
        let sum = terms.count < Pippenger.leastCount ? Straus.sum(terms) : Pippenger.sum(terms)
        return (multiplyBase(s) - sum).edwards.isIdentity
    }
}
