import CGaloisKernels

/// Carries a plan out on one strip of the symbols.
///
/// Source: `raptorq-qr` section 10.3.
struct StripExecutor {
    let plan: EliminationPlan
    let kernels: GaloisKernels
    /// Bytes of a row of the slab.
    let width: Int

    /// Solves for a strip of all intermediate symbols.
    ///
    /// - Parameters:
    ///   - data: for each data row of the plan its symbol, of at least `offset + width` bytes, or nil for zero.
    ///   - offset: where the strip begins in each symbol.
    ///   - slab: room for `plan.rows.end` rows. The first L of them become the intermediate symbols.
    func solve(
        _ data: UnsafePointer<UnsafePointer<UInt8>?>, offset: Int, slab: UnsafeMutablePointer<UInt8>
    ) {
        for row in plan.inactive { (slab + Int(row) * width).update(repeating: 0, count: width) }
        run(plan.pivotProgram, depth: GK_HEAD, data: data, offset: offset, slab: slab)
        run(plan.unusedProgram, depth: GK_HEAD, data: data, offset: offset, slab: slab)
        // Before the inactive symbols get values: they do not take part in this sum.
        if plan.hdpc != nil { sumHDPC(data, offset: offset, slab: slab) }
        run(plan.binaryProgram, depth: GK_WHOLE, data: data, offset: offset, slab: slab)
        if let hdpc = plan.hdpc {
            let rows = (0..<plan.hdpcRows.rowCount).map { UInt16(truncatingIfNeeded: plan.rows.hdpc($0)) }
            multiply(hdpc.atPivots, targets: rows, sources: hdpc.pivotRows, slab)
            multiply(hdpc.inverse, targets: hdpc.freeRows, sources: rows, slab)
            run(hdpc.freeProgram, depth: GK_WHOLE, data: data, offset: offset, slab: slab)
        }
        run(plan.pivotProgram, depth: GK_WHOLE, data: data, offset: offset, slab: slab)
    }

    /// Whether a solved strip fulfils the equations that were not needed to solve it.
    func fulfilsSpareEquations(
        _ data: UnsafePointer<UnsafePointer<UInt8>?>, offset: Int, slab: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        run(plan.unusedProgram, depth: GK_WHOLE, data: data, offset: offset, slab: slab)
        let unused = UnsafeBufferPointer(
            start: slab + plan.rows.unused.lowerBound * width, count: plan.rows.unused.count * width)
        guard unused.isAllZero else { return false }
        // The identity of the HDPC rows stands on the last H symbols.
        sumHDPC(data, offset: offset, slab: slab)
        let (sums, symbols) = (slab + plan.rows.hdpc(0) * width, slab + plan.hdpcRows.columnCount * width)
        let count = plan.hdpcRows.rowCount * width
        kernels.xor(sums, from: symbols, count: count)
        return UnsafeBufferPointer(start: sums, count: count).isAllZero
    }

    private func sumHDPC(
        _ data: UnsafePointer<UnsafePointer<UInt8>?>, offset: Int, slab: UnsafeMutablePointer<UInt8>
    ) {
        let rows = plan.hdpcRows
        gk_horner(
            kernels.level, slab, width, rows.columnCount, rows.buckets, rows.bucketCount, rows.rowCount,
            slab + plan.rows.bucket(0) * width)
        run(plan.hdpcProgram, depth: GK_WHOLE, data: data, offset: offset, slab: slab)
    }

    private func run(
        _ program: GatherProgram, depth: gk_depth, data: UnsafePointer<UnsafePointer<UInt8>?>, offset: Int,
        slab: UnsafeMutablePointer<UInt8>
    ) {
        gk_gather(kernels.level, program.words, program.count, depth, data, offset, slab, width, slab, width)
    }

    private func multiply(
        _ matrix: OctetMatrix, targets: [UInt16], sources: [UInt16], _ slab: UnsafeMutablePointer<UInt8>
    ) {
        gk_multiply_matrix(kernels.level, slab, width, matrix.octets, targets, targets.count, sources, sources.count)
    }
}

extension UnsafeBufferPointer<UInt8> {
    var isAllZero: Bool { reduce(0 as UInt8) { $0 | $1 } == 0 }
}
