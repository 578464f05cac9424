extension EdwardsPoint {
    /// P, 3P, 5P, …: as many as the table holds, at least one.
    func writeOddMultiples(to table: UnsafeMutableBufferPointer<CachedPoint>) {
        let double = EdwardsPoint(projective.doubled)
        table.initializeElement(at: 0, to: cached)
        for index in 1..<table.count {
            table.initializeElement(at: index, to: CachedPoint(double, plus: table[index - 1]))
        }
    }

    /// P, 3P, 5P, …
    func oddMultiples(count: Int) -> [EdwardsPoint] {
        let double = EdwardsPoint(projective.doubled).cached
        var multiple = self
        return (0..<count).map { index in
            if index > 0 { multiple = EdwardsPoint(CompletedPoint(multiple, plus: double)) }
            return multiple
        }
    }

    /// The rows of a table for a scalar whose digits are taken 32 at a time: odd multiples of P, 2³²P, 2⁶⁴P, … 2²²⁴P.
    ///
    /// - Parameter count: multiples in a row.
    func multipleRows(count: Int) -> [AffineCachedPoint] {
        var base = self
        return AffineCachedPoint.table(
            (0..<8).flatMap { row in
                if row > 0 { base = base.doubled(times: 32) }
                return base.oddMultiples(count: count)
            })
    }

    /// 2^count · P.
    func doubled(times count: Int) -> EdwardsPoint {
        var sum = CompletedPoint(self)
        for _ in 0..<count { sum.double() }
        return EdwardsPoint(sum)
    }
}
