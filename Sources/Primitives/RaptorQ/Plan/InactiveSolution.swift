/// How the inactive symbols follow from the right sides of the equations on them.
///
/// With rl the right sides of the binary equations and rh those of the HDPC equations:
///
///     rb = combination · rl                          one row for each pivot column
///     rh += hdpcAtPivots · rb
///     x[freeColumns] = inverse · rh
///     x[pivotColumns] = rb + freeAtPivots · x[freeColumns]
///
/// Source: `raptorq-qr` section 10.2.
struct InactiveSolution {
    /// Places among the inactive columns.
    let pivotColumns, freeColumns: [Int]
    let combination, freeAtPivots: BitMatrix
    let hdpcAtPivots, inverse: OctetMatrix

    /// - Returns: nil if the equations do not determine all inactive symbols.
    init?(_ system: InactiveSystem, _ hdpc: HDPCRows) {
        let elimination = BinaryElimination(system.equations, columns: system.inactiveCount)
        let rank = elimination.pivotColumns.count
        var isPivot = [Bool](repeating: false, count: system.inactiveCount)
        for column in elimination.pivotColumns { isPivot[column] = true }
        let pivots = elimination.pivotColumns
        let free = (0..<system.inactiveCount).filter { !isPivot[$0] }
        guard free.count <= hdpc.rowCount else { return nil }

        let freeBits = BitMatrix(rows: rank, columns: free.count)
        for row in 0..<rank {
            for (index, column) in free.enumerated() where elimination.left.bit(row: row, column: column) {
                freeBits.flip(row: row, column: index)
            }
        }
        let height = free.isEmpty ? 0 : hdpc.rowCount
        var atPivots = OctetMatrix(rows: height, columns: rank)
        var rest = OctetMatrix(rows: height, columns: free.count)
        if !free.isEmpty {
            let equations = system.hdpcEquations(hdpc)
            for row in 0..<height {
                for (index, column) in free.enumerated() { rest[row, index] = equations[row, column] }
                for (index, column) in pivots.enumerated() {
                    let octet = equations[row, column]
                    atPivots[row, index] = octet
                    for freeIndex in free.indices where freeBits.bit(row: index, column: freeIndex) {
                        rest[row, freeIndex] ^= octet
                    }
                }
            }
        }
        guard let restInverse = rest.leftInverse() else { return nil }
        pivotColumns = pivots
        freeColumns = free
        freeAtPivots = freeBits
        hdpcAtPivots = atPivots
        inverse = restInverse
        combination = elimination.combination
    }
}

/// Gauss-Jordan elimination over GF(2) that keeps track of which rows were added up.
private struct BinaryElimination {
    /// Ascending; row k of ``left`` has its first one there.
    let pivotColumns: [Int]
    let left: BitMatrix
    /// Which equations row k of ``left`` is the sum of.
    let combination: BitMatrix

    init(_ equations: BitMatrix, columns: Int) {
        let count = equations.rowCount
        left = BitMatrix(rows: count, columns: columns)
        combination = BitMatrix(rows: count, columns: count)
        for row in 0..<count {
            left.add(row, of: equations, to: row)
            combination.flip(row: row, column: row)
        }
        var pivots: [Int] = []
        for column in 0..<columns where pivots.count < count {
            let rank = pivots.count
            var pivot = rank
            while pivot < count && !left.bit(row: pivot, column: column) { pivot += 1 }
            guard pivot < count else { continue }
            left.swapRow(pivot, with: rank)
            combination.swapRow(pivot, with: rank)
            for row in 0..<count where row != rank && left.bit(row: row, column: column) {
                left.add(rank, to: row)
                combination.add(rank, to: row)
            }
            pivots.append(column)
        }
        pivotColumns = pivots
    }
}
