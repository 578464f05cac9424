/// A small matrix over GF(256), row by row.
struct OctetMatrix: Sendable, Equatable {
    let rowCount, columnCount: Int
    var octets: [UInt8]

    init(rows: Int, columns: Int) {
        rowCount = rows
        columnCount = columns
        octets = [UInt8](repeating: 0, count: rows * columns)
    }

    subscript(row: Int, column: Int) -> UInt8 {
        get { octets[row * columnCount + column] }
        set { octets[row * columnCount + column] = newValue }
    }

    /// A matrix M with M · self = identity, or nil if the columns are not independent.
    func leftInverse() -> OctetMatrix? {
        guard columnCount <= rowCount else { return nil }
        var left = self
        var right = OctetMatrix(rows: rowCount, columns: rowCount)
        for row in 0..<rowCount { right[row, row] = 1 }
        for column in 0..<columnCount {
            guard let pivot = (column..<rowCount).first(where: { left[$0, column] != 0 }) else { return nil }
            left.swapRow(pivot, with: column)
            right.swapRow(pivot, with: column)
            let scale = Octet.inverse(left[column, column])
            left.scaleRow(column, by: scale)
            right.scaleRow(column, by: scale)
            for row in 0..<rowCount where row != column {
                let factor = left[row, column]
                left.addRow(column, times: factor, to: row)
                right.addRow(column, times: factor, to: row)
            }
        }
        var inverse = OctetMatrix(rows: columnCount, columns: rowCount)
        inverse.octets.withUnsafeMutableBytes { target in
            right.octets.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<target.count]))
            }
        }
        return inverse
    }

    private mutating func swapRow(_ a: Int, with b: Int) {
        guard a != b else { return }
        for column in 0..<columnCount { octets.swapAt(a * columnCount + column, b * columnCount + column) }
    }

    private mutating func scaleRow(_ row: Int, by factor: UInt8) {
        for column in 0..<columnCount { self[row, column] = Octet.product(factor, by: self[row, column]) }
    }

    private mutating func addRow(_ source: Int, times factor: UInt8, to target: Int) {
        guard factor != 0 else { return }
        let count = columnCount
        octets.withUnsafeMutableBufferPointer { octets in
            guard let base = octets.baseAddress else { return }
            GaloisKernels.selected.multiplyAdd(
                base + target * count, from: base + source * count, times: factor, count: count)
        }
    }
}
