/// The equations between syndromes and missing symbols, solved: missing = inverse · s, where s are the first syndromes
/// in `order`; each further one is `dependencies` · s, or the symbols contradict each other.
final class PatchSystem {
    /// The repair symbols in the order of the equations.
    let order: ScratchBuffer<UInt16>
    private let octets: ScratchBuffer<UInt8>
    private let columns: Int

    /// - Parameter responses: M, rows of ``PatchSolver/responseStride(_:)`` octets.
    /// - Returns: nil if the rank is less than the number of columns.
    init?(_ responses: borrowing ScratchBuffer<UInt8>, rows: Int, columns: Int, _ kernels: GaloisKernels) {
        guard rows >= columns else { return nil }
        order = ScratchBuffer(uninitialized: rows)
        octets = ScratchBuffer(uninitialized: rows * columns)
        self.columns = columns
        let stride = PatchSolver.responseStride(columns)
        for row in 0..<rows {
            order[row] = UInt16(truncatingIfNeeded: row)
            (octets.base + row * columns).update(from: responses.base + row * stride, count: columns)
        }
        for step in 0..<columns {
            guard exchange(step: step, rows: rows, kernels: kernels) else { return nil }
        }
    }

    var inverse: UnsafePointer<UInt8> { UnsafePointer(octets.base) }
    var dependencies: UnsafePointer<UInt8> { UnsafePointer(octets.base + columns * columns) }

    /// Exchanges unknown `step` for a syndrome, in place: column `step` then belongs to that syndrome.
    private func exchange(step: Int, rows: Int, kernels: GaloisKernels) -> Bool {
        var pivot = step
        while pivot < rows && octets[pivot * columns + step] == 0 { pivot += 1 }
        guard pivot < rows else { return false }
        swapRow(pivot, with: step)
        let own = octets.base + step * columns
        let scale = Octet.inverse(own[step])
        own[step] = 1
        for column in 0..<columns { own[column] = Octet.product(scale, by: own[column]) }
        for row in 0..<rows where row != step {
            let other = octets.base + row * columns
            let factor = other[step]
            guard factor != 0 else { continue }
            other[step] = 0
            kernels.multiplyAdd(other, from: own, times: factor, count: columns)
        }
        return true
    }

    private func swapRow(_ a: Int, with b: Int) {
        guard a != b else { return }
        for column in 0..<columns {
            let octet = octets[a * columns + column]
            octets[a * columns + column] = octets[b * columns + column]
            octets[b * columns + column] = octet
        }
        (order[a], order[b]) = (order[b], order[a])
    }
}
