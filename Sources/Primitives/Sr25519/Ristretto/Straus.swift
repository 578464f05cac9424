/// Sums of few terms: the doublings are shared by all terms, each of which has a table of its odd multiples.
enum Straus {
    /// A width of 5 takes the same time and twice the memory.
    private static let width = 4
    private static let rowLength = 1 << (width - 2)

    static func sum(_ terms: [MultiscalarTerm]) -> RistrettoPoint {
        let tables = [CachedPoint](unsafeUninitializedCapacity: terms.count * rowLength) { tables, count in
            for (index, term) in terms.enumerated() {
                let row = index * rowLength..<(index + 1) * rowLength
                term.point.edwards.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: tables[row]))
            }
            count = tables.count
        }
        let additions = Additions(terms)
        var sum = CompletedPoint.identity
        tables.withUnsafeBufferPointer { tables in
            for position in stride(from: Additions.positions - 1, through: 0, by: -1) {
                sum.double()
                for addition in additions[position] {
                    sum.add(tables.baseAddress! + addition.multiple, negated: addition.isNegated)
                }
            }
        }
        return RistrettoPoint(edwards: EdwardsPoint(sum))
    }

    /// What is added at each position of the scalars' digits.
    private struct Additions {
        struct Addition {
            private let packed: UInt32

            /// - Parameter multiple: index into the tables of all terms.
            init(multiple: Int, isNegated: Bool) {
                packed = UInt32(multiple) << 1 | (isNegated ? 1 : 0)
            }

            var multiple: Int { Int(packed >> 1) }
            var isNegated: Bool { packed & 1 == 1 }
        }

        static let positions = 256

        private let additions: [Addition]
        /// Where the additions of a position start.
        private let starts: [Int]

        init(_ terms: [MultiscalarTerm]) {
            var unsorted: [Addition] = []
            var positions: [UInt8] = []
            // One digit in five is not zero, on average.
            unsorted.reserveCapacity(52 * terms.count)
            positions.reserveCapacity(52 * terms.count)
            var starts = [Int](repeating: 0, count: Self.positions + 1)
            for (index, term) in terms.enumerated() {
                NonAdjacentForm.forEachDigit(of: term.scalar, width: width) { position, digit in
                    let multiple = index * rowLength + Int(digit.magnitude) >> 1
                    unsorted.append(Addition(multiple: multiple, isNegated: digit < 0))
                    positions.append(UInt8(position))
                    starts[position + 1] += 1
                }
            }
            for position in 0..<Self.positions { starts[position + 1] += starts[position] }
            var next = starts
            var sorted = unsorted
            for (addition, position) in zip(unsorted, positions) {
                sorted[next[Int(position)]] = addition
                next[Int(position)] += 1
            }
            additions = sorted
            self.starts = starts
        }

        subscript(position: Int) -> ArraySlice<Addition> { additions[starts[position]..<starts[position + 1]] }
    }
}
