/// What each pivoted symbol and each unused row holds of the inactive symbols: the dense remainder of the system.
///
/// After peeling, a pivoted symbol is C[c] = t[c] + Σ coefficients[c][q] · x[q], where t comes from the sparse pass and
/// x are the inactive symbols. Every row that gave no pivot is an equation on x alone, and so is every HDPC row.
///
/// Source: `raptorq-qr` section 10.2.
struct InactiveSystem {
    /// u.
    let inactiveCount: Int
    /// The place of each column among the inactive ones, or ``pivoted``.
    let place: [UInt16]
    /// The coefficients of each pivoted column, by its number.
    let coefficients: BitMatrix
    /// Left sides of the unused rows.
    let equations: BitMatrix
    /// Sums that solve the pivoted columns: their head needs earlier pivoted columns, the rest inactive ones.
    let pivotProgram: GatherProgram
    /// The same for unused rows; their targets are the slab's rows from L.
    let unusedProgram: GatherProgram

    static let pivoted = UInt16.max

    init(_ matrix: borrowing BinaryRows, peeling: borrowing Peeling, parameters: BlockParameters) {
        let symbolCount = parameters.intermediateSymbolCount
        inactiveCount = peeling.inactiveCount
        var place = [UInt16](repeating: Self.pivoted, count: symbolCount)
        for index in 0..<inactiveCount { place[Int(peeling.inactive[index])] = UInt16(truncatingIfNeeded: index) }
        self.place = place
        coefficients = BitMatrix(rows: symbolCount, columns: inactiveCount)

        let unusedCount = matrix.count - peeling.pivotCount
        equations = BitMatrix(rows: unusedCount, columns: inactiveCount)
        var writer = RowWriter(capacity: matrix.entryCount + 4 * matrix.count)
        for index in 0..<peeling.pivotCount {
            let (row, column) = (Int(peeling.pivotRows[index]), peeling.pivotColumns[index])
            writer.begin(target: column, row: row)
            for other in matrix.row(row) where other != column {
                let place = place[Int(other)]
                if place == Self.pivoted {
                    coefficients.add(Int(other), to: Int(column))
                    writer.appendHead(other)
                } else {
                    coefficients.flip(row: Int(column), column: Int(place))
                    writer.appendTail(other)
                }
            }
            writer.finish()
        }
        pivotProgram = writer.takeProgram(count: peeling.pivotCount)
        var equation = 0
        for row in 0..<matrix.count where !peeling.isPivotRow[row] {
            writer.begin(target: UInt16(truncatingIfNeeded: symbolCount + equation), row: row)
            for column in matrix.row(row) {
                let place = place[Int(column)]
                if place == Self.pivoted {
                    equations.add(Int(column), of: coefficients, to: equation)
                    writer.appendHead(column)
                } else {
                    equations.flip(row: equation, column: Int(place))
                    writer.appendTail(column)
                }
            }
            writer.finish()
            equation += 1
        }
        unusedProgram = writer.takeProgram(count: unusedCount)
    }

    /// The HDPC rows as equations on x, octets: the recursion of ``HDPCRows`` on the coefficients of each column.
    ///
    /// A vector of octets is held as eight bit planes, so that the binary coefficients are added as they are, and
    /// doubling renames the planes and adds the highest to three others.
    func hdpcEquations(_ hdpc: HDPCRows) -> OctetMatrix {
        let words = coefficients.wordCount
        let size = 8 * words
        let sums = ScratchBuffer<UInt64>(repeating: 0, count: hdpc.bucketCount * size)
        let y = ScratchBuffer<UInt64>(repeating: 0, count: size)
        // Plane p of y stands at (first + p) mod 8.
        var first = 0
        func double() {
            first = (first + 7) & 7
            let top = y.base + first * words
            for plane in 2...4 {
                let target = y.base + ((first + plane) & 7) * words
                for index in 0..<words { target[index] ^= top[index] }
            }
        }
        func addColumn(_ column: Int) {
            let lowest = y.base + first * words
            let place = place[column]
            if place == Self.pivoted {
                let source = coefficients.words.base + column * words
                for index in 0..<words { lowest[index] ^= source[index] }
            } else {
                lowest[Int(place) / 64] ^= 1 << UInt64(place % 64)
            }
        }
        func addY(to target: UnsafeMutablePointer<UInt64>) {
            let split = (8 - first) * words
            let (low, high) = (y.base + first * words, y.base)
            for index in 0..<split { target[index] ^= low[index] }
            for index in split..<size { target[index] ^= high[index - split] }
        }
        for column in 0..<hdpc.columnCount - 1 {
            double()
            addColumn(column)
            addY(to: sums.base + Int(hdpc.buckets[column]) * size)
        }
        double()
        addColumn(hdpc.columnCount - 1)

        var result = OctetMatrix(rows: hdpc.rowCount, columns: inactiveCount)
        let total = ScratchBuffer<UInt64>(uninitialized: size)
        for row in 0..<hdpc.rowCount {
            for index in 0..<size { total[index] = 0 }
            addY(to: total.base)
            double()
            for bucket in hdpc.buckets(of: row) {
                for index in 0..<size { total[index] ^= sums[bucket * size + index] }
            }
            for column in 0..<inactiveCount {
                var octet: UInt8 = 0
                for plane in 0..<8 {
                    octet |= UInt8(total[plane * words + column / 64] >> UInt64(column % 64) & 1) << UInt8(plane)
                }
                result[row, column] = octet
            }
            // The identity stands on the last H columns, which are inactive from the start.
            result[row, Int(place[hdpc.columnCount + row])] ^= 1
        }
        return result
    }
}

/// Writes instructions whose sources come in two kinds, mixed.
private struct RowWriter: ~Copyable {
    private let words: ScratchBuffer<UInt16>
    private let tail: ScratchBuffer<UInt16>
    private var start = 0
    private var end = 0
    private var tailCount = 0

    init(capacity: Int) {
        words = ScratchBuffer(uninitialized: capacity)
        tail = ScratchBuffer(uninitialized: capacity)
    }

    mutating func begin(target: UInt16, row: Int) {
        words[end] = target
        words[end + 1] = UInt16(truncatingIfNeeded: row)
        start = end
        end += 4
        tailCount = 0
    }

    @inline(__always)
    mutating func appendHead(_ column: UInt16) {
        words[end] = column
        end += 1
    }

    @inline(__always)
    mutating func appendTail(_ column: UInt16) {
        tail[tailCount] = column
        tailCount += 1
    }

    mutating func finish() {
        words[start + 2] = UInt16(truncatingIfNeeded: end - start - 4)
        for index in 0..<tailCount { words[end + index] = tail[index] }
        end += tailCount
        words[start + 3] = UInt16(truncatingIfNeeded: end - start - 4)
    }

    /// Everything written since the last call.
    mutating func takeProgram(count: Int) -> GatherProgram {
        defer { end = 0 }
        return GatherProgram(words: Array(UnsafeBufferPointer(start: words.base, count: end)), count: count)
    }
}
