/// The sparse part of solving: which row gives which column, in an order in which a row needs earlier columns and
/// inactive ones only. Structure alone; no rows are added, so none fill up.
///
/// Columns are active, pivoted or inactive; the PI columns are inactive from the start. A row with one active column
/// gives that column. Where there is none, a column is made inactive, chosen so that many rows come down to one.
///
/// Source: RFC 6330 5.4.2.2; `raptorq-qr` sections 10.1 and appendix A.
struct Peeling: ~Copyable {
    /// In the order in which columns are solved.
    private(set) var pivotCount = 0
    let pivotRows, pivotColumns: ScratchBuffer<UInt16>
    private(set) var inactiveCount = 0
    let inactive: ScratchBuffer<UInt16>
    /// Whether each row is a pivot row.
    let isPivotRow: ScratchBuffer<Bool>

    private let rows: Int
    /// The number of active columns of each row, and the XOR of their indices.
    private let active, activeXOR: ScratchBuffer<UInt16>
    private let isActive: ScratchBuffer<Bool>
    /// Rows of each column below W: `columnRows[columnStarts[c]..<columnStarts[c + 1]]`.
    private let columnStarts: ScratchBuffer<UInt32>
    private let columnRows: ScratchBuffer<UInt16>
    private var left: Int

    /// Rows that came down to one or two active columns; stale entries are dropped when met.
    private let ones, twos: ScratchBuffer<UInt16>
    private var onesCount = 0
    private var twosCount = 0
    /// The graph whose nodes are columns and whose edges are rows that have or had two active columns: union-find.
    private let parent, componentSize: ScratchBuffer<UInt16>

    /// Rows that compete for the largest component.
    private static let candidateLimit = 64

    /// - Parameter inactiveLimit: where symbols are chosen by an enemy, the number of inactive columns could grow to
    ///   all.
    /// - Returns: nil if the limit was passed.
    init?(_ matrix: borrowing BinaryRows, _ parameters: BlockParameters, inactiveLimit: Int) {
        let w = parameters.ltSymbolCount
        rows = matrix.count
        pivotRows = ScratchBuffer(uninitialized: w)
        pivotColumns = ScratchBuffer(uninitialized: w)
        inactive = ScratchBuffer(uninitialized: parameters.intermediateSymbolCount)
        isPivotRow = ScratchBuffer(repeating: false, count: rows)
        active = ScratchBuffer(repeating: 0, count: rows)
        activeXOR = ScratchBuffer(repeating: 0, count: rows)
        isActive = ScratchBuffer(repeating: true, count: parameters.intermediateSymbolCount)
        columnStarts = ScratchBuffer(repeating: 0, count: w + 2)
        columnRows = ScratchBuffer(uninitialized: matrix.entryCount)
        ones = ScratchBuffer(uninitialized: rows)
        twos = ScratchBuffer(uninitialized: rows)
        parent = ScratchBuffer(uninitialized: w)
        componentSize = ScratchBuffer(repeating: 1, count: w)
        left = w
        for column in 0..<w { parent[column] = UInt16(truncatingIfNeeded: column) }
        for column in w..<parameters.intermediateSymbolCount {
            isActive[column] = false
            appendInactive(column)
        }
        index(matrix, w)
        for row in 0..<rows { file(row, matrix) }
        guard peel(matrix, inactiveLimit) else { return nil }
    }

    /// Counts the active columns of each row and lists the rows of each column.
    private func index(_ matrix: borrowing BinaryRows, _ w: Int) {
        // Two places ahead, so that filling moves each start to where its column begins.
        for row in 0..<rows {
            for column in matrix.row(row) where Int(column) < w {
                active[row] &+= 1
                activeXOR[row] ^= column
                columnStarts[Int(column) + 2] &+= 1
            }
        }
        for column in 1..<w + 1 { columnStarts[column + 1] &+= columnStarts[column] }
        for row in 0..<rows {
            for column in matrix.row(row) where Int(column) < w {
                columnRows[Int(columnStarts[Int(column) + 1])] = UInt16(truncatingIfNeeded: row)
                columnStarts[Int(column) + 1] &+= 1
            }
        }
    }

    private func rowCount(ofColumn column: Int) -> Int { Int(columnStarts[column + 1] - columnStarts[column]) }

    private mutating func peel(_ matrix: borrowing BinaryRows, _ limit: Int) -> Bool {
        while true {
            while onesCount > 0 {
                onesCount -= 1
                let row = Int(ones[onesCount])
                if active[row] == 1 { pivot(row, matrix) }
            }
            guard inactiveCount <= limit else { return false }
            guard left > 0 else { return true }
            if let column = columnOfLargestComponent(matrix) {
                makeInactive(column, matrix)
            } else if let row = shortestRow(matrix) {
                let columns = matrix.row(row).filter { isActive[Int($0)] }
                let kept = columns.min { rowCount(ofColumn: Int($0)) < rowCount(ofColumn: Int($1)) }
                for column in columns where column != kept { makeInactive(Int(column), matrix) }
            } else {
                for column in 0..<parent.count where isActive[column] { makeInactive(column, matrix) }
            }
        }
    }

    private mutating func pivot(_ row: Int, _ matrix: borrowing BinaryRows) {
        let column = activeXOR[row]
        pivotRows[pivotCount] = UInt16(truncatingIfNeeded: row)
        pivotColumns[pivotCount] = column
        pivotCount += 1
        isPivotRow[row] = true
        remove(Int(column), matrix)
    }

    private mutating func makeInactive(_ column: Int, _ matrix: borrowing BinaryRows) {
        appendInactive(column)
        remove(column, matrix)
    }

    private mutating func appendInactive(_ column: Int) {
        inactive[inactiveCount] = UInt16(truncatingIfNeeded: column)
        inactiveCount += 1
    }

    private mutating func remove(_ column: Int, _ matrix: borrowing BinaryRows) {
        isActive[column] = false
        left -= 1
        for index in Int(columnStarts[column])..<Int(columnStarts[column + 1]) {
            let row = Int(columnRows[index])
            active[row] &-= 1
            activeXOR[row] ^= UInt16(truncatingIfNeeded: column)
            file(row, matrix)
        }
    }

    /// Puts a row where its number of active columns belongs.
    @inline(__always)
    private mutating func file(_ row: Int, _ matrix: borrowing BinaryRows) {
        if active[row] == 1 {
            ones[onesCount] = UInt16(truncatingIfNeeded: row)
            onesCount += 1
        } else if active[row] == 2 {
            twos[twosCount] = UInt16(truncatingIfNeeded: row)
            twosCount += 1
            let (a, b) = activePair(row, matrix)
            join(a, with: b)
        }
    }

    /// The columns of a row that has two.
    @inline(__always)
    private func activePair(_ row: Int, _ matrix: borrowing BinaryRows) -> (Int, Int) {
        for column in matrix.row(row) where isActive[Int(column)] {
            return (Int(column), Int(column ^ activeXOR[row]))
        }
        return (0, 0)
    }

    /// Picks among the column pairs of up to 64 rows the one in the largest component, and gives the end that more rows
    /// have.
    private mutating func columnOfLargestComponent(_ matrix: borrowing BinaryRows) -> Int? {
        var best: (size: Int, a: Int, b: Int)?
        var seen = 0
        var index = twosCount
        while index > 0 && seen < Self.candidateLimit {
            index -= 1
            let row = Int(twos[index])
            guard active[row] == 2 else {
                twosCount -= 1
                twos[index] = twos[twosCount]
                continue
            }
            seen += 1
            let (a, b) = activePair(row, matrix)
            let size = Int(componentSize[root(a)])
            if size > best?.size ?? 0 { best = (size, a, b) }
        }
        return best.map { rowCount(ofColumn: $0.a) >= rowCount(ofColumn: $0.b) ? $0.a : $0.b }
    }

    /// The row with the fewest active columns, three or more; of those the one with the fewest columns.
    private func shortestRow(_ matrix: borrowing BinaryRows) -> Int? {
        var best: (active: Int, length: Int, row: Int)?
        for row in 0..<rows where active[row] >= 3 {
            let (count, length) = (Int(active[row]), matrix.row(row).count)
            if let known = best, (known.active, known.length) <= (count, length) { continue }
            best = (count, length, row)
        }
        return best?.row
    }

    // MARK: Union-find

    @inline(__always)
    private func root(_ column: Int) -> Int {
        var column = column
        while Int(parent[column]) != column {
            parent[column] = parent[Int(parent[column])]
            column = Int(parent[column])
        }
        return column
    }

    @inline(__always)
    private func join(_ a: Int, with b: Int) {
        var (large, small) = (root(a), root(b))
        guard large != small else { return }
        if componentSize[large] < componentSize[small] { swap(&large, &small) }
        parent[small] = UInt16(truncatingIfNeeded: large)
        componentSize[large] &+= componentSize[small]
    }
}
