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
        run(plan.pivotProgram, GK_HEAD, data, offset, slab)
        run(plan.unusedProgram, GK_HEAD, data, offset, slab)
        if let hdpc = plan.hdpc {
            // Before the inactive symbols get values: they do not take part in this sum.
            gk_horner(
                kernels.level, slab, width, hdpc.rows.columnCount, hdpc.rows.buckets, hdpc.rows.bucketCount,
                hdpc.rows.rowCount, slab + plan.rows.bucket(0) * width)
            run(hdpc.sumProgram, GK_WHOLE, data, offset, slab)
        }
        run(plan.binaryProgram, GK_WHOLE, data, offset, slab)
        if let hdpc = plan.hdpc {
            let rows = (0..<hdpc.rows.rowCount).map { UInt16(truncatingIfNeeded: plan.rows.hdpc($0)) }
            multiply(hdpc.atPivots, targets: rows, sources: hdpc.pivotRows, slab)
            multiply(hdpc.inverse, targets: hdpc.freeRows, sources: rows, slab)
            run(hdpc.freeProgram, GK_WHOLE, data, offset, slab)
        }
        run(plan.pivotProgram, GK_WHOLE, data, offset, slab)
    }

    /// Whether the solved strip fulfils the equations that were not needed to solve it.
    func fulfilsUnusedRows(
        _ data: UnsafePointer<UnsafePointer<UInt8>?>, offset: Int, slab: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        run(plan.unusedProgram, GK_WHOLE, data, offset, slab)
        let start = slab + plan.rows.unused.lowerBound * width
        return (0..<plan.rows.unused.count * width).reduce(0 as UInt8) { $0 | start[$1] } == 0
    }

    private func run(
        _ program: GatherProgram, _ depth: gk_depth, _ data: UnsafePointer<UnsafePointer<UInt8>?>, _ offset: Int,
        _ slab: UnsafeMutablePointer<UInt8>
    ) {
        gk_gather(kernels.level, program.words, program.count, depth, data, offset, slab, width, slab, width)
    }

    private func multiply(
        _ matrix: OctetMatrix, targets: [UInt16], sources: [UInt16], _ slab: UnsafeMutablePointer<UInt8>
    ) {
        gk_multiply_matrix(kernels.level, slab, width, matrix.octets, targets, targets.count, sources, sources.count)
    }
}
