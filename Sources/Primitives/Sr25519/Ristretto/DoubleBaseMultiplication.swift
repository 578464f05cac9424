extension RistrettoPoint {
    /// Whether s·B = k·A + R, for public scalars and B the base point.
    ///
    /// - Parameters:
    ///   - s: 32 bytes, little-endian, below L.
    ///   - k: the same.
    package static func isEqual(
        base s: [UInt8], to k: [UInt8], times a: RistrettoPoint, plus r: RistrettoPoint
    ) -> Bool {
        isEqual(base: PublicScalar(s), to: PublicScalar(k), times: a, plus: r)
    }

    /// Multiplied by a factor that makes the scalar of A half as long, the equation needs 128 doublings in place of
    /// 256; the scalar of B is cut in two, with a table for the upper half. The group has prime order, so the factor
    /// loses nothing.
    static func isEqual(
        base s: PublicScalar, to k: PublicScalar, times a: RistrettoPoint, plus r: RistrettoPoint,
        on arithmetic: CurveArithmetic = .fastest
    ) -> Bool {
        // With n ≡ ±d·k:  (d·s)·B = n·(±A) + d·R.
        let half = HalfSizeScalars(k)
        let denominator = PublicScalar(half.denominator)
        let aTerm = MultiscalarTerm(
            scalar: PublicScalar(half.numerator), point: half.isNegative ? a.negated : a)
        let rTerm = MultiscalarTerm(scalar: denominator, point: r)
        let difference =
            switch arithmetic {
            case .portable: difference(base: denominator * s, minus: aTerm, minus: rTerm)
            case .vector: VectorSum.difference(base: denominator * s, [aTerm, rTerm])
            }
        return difference.isIdentity
    }

    /// s·B − k·A − l·R, for k and l below 2¹²⁷.
    private static func difference(base s: PublicScalar, minus a: MultiscalarTerm, minus r: MultiscalarTerm)
        -> EdwardsPoint
    {
        let aDigits = NonAdjacentForm(a.scalar, width: 5)
        let rDigits = NonAdjacentForm(r.scalar, width: 5)
        let baseDigits = NonAdjacentForm(s, width: BaseTable.width)
        let base = BaseTable.shared
        return withUnsafeTemporaryAllocation(of: CachedPoint.self, capacity: 16) { table in
            let aMultiples = UnsafeMutableBufferPointer(rebasing: table[..<8])
            let rMultiples = UnsafeMutableBufferPointer(rebasing: table[8...])
            a.point.edwards.negated.writeOddMultiples(to: aMultiples)
            r.point.edwards.negated.writeOddMultiples(to: rMultiples)
            var sum = CompletedPoint.identity
            for index in stride(from: 127, through: 0, by: -1) {
                sum.double()
                sum.add(aDigits[index], of: UnsafeBufferPointer(aMultiples))
                sum.add(rDigits[index], of: UnsafeBufferPointer(rMultiples))
                sum.addBase(baseDigits[index], row: 0, base)
                sum.addBase(baseDigits[index + 128], row: 4, base)
            }
            return EdwardsPoint(sum)
        }
    }
}

extension CompletedPoint {
    /// Adds a multiple of a point by its signed digit; zero adds nothing.
    @inline(__always)
    mutating func add(_ digit: Int8, of multiples: UnsafeBufferPointer<CachedPoint>) {
        guard digit != 0 else { return }
        add(multiples.baseAddress! + Int(digit.magnitude) >> 1, negated: digit < 0)
    }

    /// The same for the base point.
    @inline(__always)
    mutating func addBase(_ digit: Int8, row: Int, _ base: [AffineCachedPoint]) {
        guard digit != 0 else { return }
        add(base[BaseTable.index(row: row, digit: digit)], negated: digit < 0)
    }
}
