/// Sums of rows for `gk_gather`: instructions `target, datum, head, whole, sources…` one after the other.
///
/// Rows are numbered within a slab (``SlabRows``). Datum 0 is that of the first LDPC row: nothing.
struct GatherProgram: Sendable {
    private(set) var words: [UInt16] = []
    private(set) var count = 0

    init() {}

    /// - Parameter words: `count` complete instructions.
    init(words: [UInt16], count: Int) {
        self.words = words
        self.count = count
    }

    mutating func append(target: Int, sources: [Int]) {
        let width = UInt16(truncatingIfNeeded: sources.count)
        words.append(contentsOf: [UInt16(truncatingIfNeeded: target), 0, width, width])
        words.append(contentsOf: sources.lazy.map { UInt16(truncatingIfNeeded: $0) })
        count += 1
    }

    /// Appends the instruction for an encoding symbol: the sum of its intermediate symbols, and of a datum.
    mutating func append(target: Int, encodingSymbol internalID: UInt32, of code: LTCode, datum: Int = 0) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: LTTuple.maximumColumns) { columns in
            guard let base = columns.baseAddress else { return }
            let width = code.writeColumns(internalID, to: base)
            words.append(UInt16(truncatingIfNeeded: target))
            words.append(UInt16(truncatingIfNeeded: datum))
            words.append(UInt16(truncatingIfNeeded: width))
            words.append(UInt16(truncatingIfNeeded: width))
            words.append(contentsOf: columns[..<width])
        }
        count += 1
    }

    /// Appends the product of a binary matrix and rows: `targets[i]` = `initial`(i) + Σ matrix[i][j] · `sources[j]`.
    ///
    /// Sources are taken in groups of four, and each sum within a group is made once ("four Russians").
    ///
    /// - Parameters:
    ///   - keepingTargets: whether a target's own content is part of its sum.
    ///   - freeRow: the first row that may be used for sums; moved behind those that are.
    mutating func append(
        _ matrix: BitMatrix, targets: [Int], sources: [Int], keepingTargets: Bool, freeRow: inout Int
    ) {
        let groups = (sources.count + 3) / 4
        func nibble(row: Int, group: Int) -> Int {
            Int(matrix.word(row: row, at: group / 16) >> UInt64(group % 16 * 4) & 15)
        }
        var sums = [[Int]](repeating: [], count: groups)
        for group in 0..<groups {
            var needed = [Bool](repeating: false, count: 16)
            for row in targets.indices { needed[nibble(row: row, group: group)] = true }
            for value in stride(from: 15, through: 3, by: -1) where needed[value] { needed[value & (value - 1)] = true }
            var rows = [Int](repeating: 0, count: 16)
            for value in 1...15 where needed[value] || value & (value - 1) == 0 {
                let lowest = value.trailingZeroBitCount
                let rest = value & (value - 1)
                guard 4 * group + lowest < sources.count else { continue }
                if rest == 0 {
                    rows[value] = sources[4 * group + lowest]
                } else {
                    rows[value] = freeRow
                    append(target: freeRow, sources: [rows[rest], sources[4 * group + lowest]])
                    freeRow += 1
                }
            }
            sums[group] = rows
        }
        for (row, target) in targets.enumerated() {
            var parts = keepingTargets ? [target] : []
            for group in 0..<groups {
                let value = nibble(row: row, group: group)
                if value != 0 { parts.append(sums[group][value]) }
            }
            append(target: target, sources: parts)
        }
    }
}
