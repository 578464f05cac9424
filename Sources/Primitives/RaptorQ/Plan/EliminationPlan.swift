/// The operations that give the intermediate symbols of a block, whatever its bytes are. The plan depends on K' and on
/// which encoding symbols are known. ``StripExecutor`` carries it out.
///
/// Source: `raptorq-qr` sections 10.1 to 10.3.
final class EliminationPlan: Sendable {
    /// L.
    let intermediateSymbolCount: Int
    /// Data rows: S rows of nothing, then the known encoding symbols in the order in which they were named.
    let dataRowCount: Int
    let rows: SlabRows
    /// Intermediate symbols that no sparse row gives, as slab rows.
    let inactive: [UInt16]
    let pivotProgram, unusedProgram: GatherProgram
    /// Solves the binary equations on inactive symbols.
    let binaryProgram: GatherProgram
    let hdpcRows: HDPCRows
    /// Adds the sums of pairs of HDPC rows up to rows.
    let hdpcProgram: GatherProgram
    /// What the HDPC rows add, or nil if the binary equations suffice.
    let hdpc: HDPCStep?
    /// Whether there are more equations than unknowns, so that the symbols can contradict each other.
    let hasSpareEquations: Bool

    struct HDPCStep: Sendable {
        /// Slab rows of the pivot columns and of the free columns of the binary equations.
        let pivotRows, freeRows: [UInt16]
        let atPivots, inverse: OctetMatrix
        /// Adds the free symbols to those at pivot columns.
        let freeProgram: GatherProgram
    }

    /// - Parameters:
    ///   - internalIDs: ISI of each known encoding symbol, padding included, without repetitions; at most K' + 64.
    ///   - inactiveLimit: how many inactive symbols are worth the cubic cost of solving for them.
    /// - Returns: nil if the symbols do not determine the block, or only at a cost beyond the limit.
    init?(_ parameters: BlockParameters, internalIDs: [UInt32], inactiveLimit: Int) {
        let matrix = BinaryRows(parameters, internalIDs: internalIDs)
        guard matrix.count + parameters.hdpcSymbolCount >= parameters.intermediateSymbolCount,
            let peeling = Peeling(matrix, parameters, inactiveLimit: inactiveLimit)
        else { return nil }
        let hdpcRows = HDPCRows(parameters)
        let system = InactiveSystem(matrix, peeling: peeling, parameters: parameters)
        guard let solution = InactiveSolution(system, hdpcRows) else { return nil }

        var rows = SlabRows(parameters, unusedCount: system.equations.rowCount)
        let slots = (0..<peeling.inactiveCount).map { peeling.inactive[$0] }
        let pivotRows = solution.pivotColumns.map { slots[$0] }
        let freeRows = solution.freeColumns.map { slots[$0] }
        var binary = GatherProgram()
        binary.append(
            solution.combination, targets: pivotRows.map { Int($0) }, sources: Array(rows.unused),
            keepingTargets: false, freeRow: &rows.end)
        rows.reserveHDPC(hdpcRows)
        var sums = GatherProgram()
        for row in 0..<hdpcRows.rowCount {
            let sources = [rows.power(row)] + hdpcRows.buckets(of: row).map { rows.bucket($0) }
            sums.append(target: rows.hdpc(row), sources: sources)
        }
        if freeRows.isEmpty {
            hdpc = nil
        } else {
            var free = GatherProgram()
            free.append(
                solution.freeAtPivots, targets: pivotRows.map { Int($0) }, sources: freeRows.map { Int($0) },
                keepingTargets: true, freeRow: &rows.end)
            hdpc = HDPCStep(
                pivotRows: pivotRows, freeRows: freeRows, atPivots: solution.hdpcAtPivots, inverse: solution.inverse,
                freeProgram: free)
        }
        guard rows.end <= Int(UInt16.max) + 1 else { return nil }
        intermediateSymbolCount = parameters.intermediateSymbolCount
        self.rows = rows
        self.hdpcRows = hdpcRows
        hdpcProgram = sums
        dataRowCount = matrix.count
        inactive = slots
        pivotProgram = system.pivotProgram
        unusedProgram = system.unusedProgram
        binaryProgram = binary
        hasSpareEquations = matrix.count + hdpcRows.rowCount > parameters.intermediateSymbolCount
    }

    /// How many inactive symbols a decoder is willing to solve for: far more than symbols that arrive by chance need,
    /// far fewer than an enemy could bring about.
    static func inactiveLimit(_ parameters: BlockParameters) -> Int { 4 * parameters.piSymbolCount + 256 }
}
