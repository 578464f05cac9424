/// The binary rows of the constraint matrix: S LDPC rows, then one LT row for each known encoding symbol. Columns are
/// intermediate symbols. Row i holds `columns[starts[i]..<starts[i + 1]]`.
///
/// Source: RFC 6330 5.3.3.3; `raptorq-qr` section 6.
struct BinaryRows: ~Copyable {
    let count: Int
    let starts: ScratchBuffer<UInt32>
    let columns: ScratchBuffer<UInt16>

    /// - Parameter internalIDs: ISI of each known symbol, padding included.
    init(_ parameters: BlockParameters, internalIDs: [UInt32]) {
        let ldpcCount = parameters.ldpcSymbolCount
        let ldpcEntries = 3 * parameters.plainSymbolCount + 3 * ldpcCount
        count = ldpcCount + internalIDs.count
        starts = ScratchBuffer(uninitialized: count + 1)
        columns = ScratchBuffer(uninitialized: ldpcEntries + internalIDs.count * LTTuple.maximumColumns)
        writeLDPCRows(parameters)
        let code = LTCode(parameters)
        var end = ldpcEntries
        for (index, id) in internalIDs.enumerated() {
            end += code.writeColumns(id, to: columns.base + end)
            starts[ldpcCount + index + 1] = UInt32(truncatingIfNeeded: end)
        }
    }

    /// Number of entries in all rows.
    var entryCount: Int { Int(starts[count]) }

    @inline(__always)
    func row(_ index: Int) -> UnsafeBufferPointer<UInt16> {
        let start = Int(starts[index])
        return UnsafeBufferPointer(start: columns.base + start, count: Int(starts[index + 1]) - start)
    }

    private func writeLDPCRows(_ parameters: BlockParameters) {
        let (s, w, p) = (parameters.ldpcSymbolCount, parameters.ltSymbolCount, parameters.piSymbolCount)
        let b = parameters.plainSymbolCount
        let ends = ScratchBuffer<UInt32>(repeating: 3, count: s)
        Self.forEachPlainEntry(s: s, b: b) { row, _ in ends[row] += 1 }
        starts[0] = 0
        for row in 0..<s {
            starts[row + 1] = starts[row] + ends[row]
            ends[row] = starts[row]
        }
        func append(_ column: Int, to row: Int) {
            columns[Int(ends[row])] = UInt16(truncatingIfNeeded: column)
            ends[row] += 1
        }
        Self.forEachPlainEntry(s: s, b: b) { row, column in append(column, to: row) }
        for row in 0..<s {
            append(b + row, to: row)
            append(w + row % p, to: row)
            append(w + (row + 1) % p, to: row)
        }
    }

    /// The three rows of each of the B plain columns.
    @inline(__always)
    private static func forEachPlainEntry(s: Int, b: Int, _ body: (_ row: Int, _ column: Int) -> Void) {
        var (step, row) = (1, 0)
        for column in 0..<b {
            let second = row + step < s ? row + step : (row + step) % s
            let third = second + step < s ? second + step : (second + step) % s
            body(row, column)
            body(second, column)
            body(third, column)
            row += 1
            if row == s { (step, row) = (step + 1, 0) }
        }
    }
}
