import CEdwards25519

/// The arithmetic that computes the points of a verification. Both kinds give the same verdicts.
enum CurveArithmetic {
    /// ``FieldElement`` and ``EdwardsPoint``, on any machine.
    case portable
    /// `CEdwards25519`, on machines that have its vectors.
    case vector

    static let fastest: CurveArithmetic = cedwards25519_is_available() ? .vector : .portable
}

extension FieldElement {
    init(_ number: cedwards25519_number) {
        self.init(limbs: number.limbs)
    }

    /// The number as `CEdwards25519` takes it; its limbs have to be below 2⁵², as those of products are.
    var number: cedwards25519_number { cedwards25519_number(limbs: (l0, l1, l2, l3, l4)) }

    /// Each number raised to (p − 5) / 8, side by side.
    ///
    /// - Parameter bases: products, eight at most.
    static func vectorPowersForRoot(_ bases: [FieldElement]) -> [FieldElement] {
        var numbers = bases.map(\.number)
        while numbers.count < 8 { numbers.append(cedwards25519_number()) }
        var powers = numbers
        cedwards25519_power(numbers, &powers)
        return powers.prefix(bases.count).map { FieldElement($0) }
    }
}

extension EdwardsPoint {
    init(_ point: cedwards25519_point) {
        self.init(
            x: FieldElement(point.x), y: FieldElement(point.y), z: FieldElement(point.z), t: FieldElement(point.t))
    }

    /// The point as `CEdwards25519` takes it; its coordinates have to be products.
    var vectorPoint: cedwards25519_point {
        cedwards25519_point(x: x.number, y: y.number, z: z.number, t: t.number)
    }

    /// P, 3P, 5P, …: as many as the table holds, at least one.
    func writeOddMultiples(to table: UnsafeMutableBufferPointer<cedwards25519_multiple>) {
        var point = vectorPoint
        cedwards25519_odd_multiples(&point, table.count, table.baseAddress)
    }

    /// The rows of a table for a scalar whose digits are taken 32 at a time: odd multiples of P, 2³²P, 2⁶⁴P, … 2²²⁴P.
    ///
    /// - Parameter rowLength: multiples in a row.
    func vectorRows(count rowLength: Int) -> [cedwards25519_multiple] {
        var base = self
        return Array(unsafeUninitializedCapacity: 8 * rowLength) { table, count in
            for row in 0..<8 {
                if row > 0 { base = base.doubled(times: 32) }
                let range = row * rowLength..<(row + 1) * rowLength
                base.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: table[range]))
            }
            count = table.count
        }
    }
}
