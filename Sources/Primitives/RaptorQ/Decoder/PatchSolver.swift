import CGaloisKernels

/// Decodes a block with few losses by the plan of its encoder, which is in the cache: encode with the missing symbols
/// as zero, see by how much each repair symbol differs, and solve for the missing symbols alone.
///
/// Everything is linear: repair symbol r = Enc(known)[r] + Σ M[r][i] · missing[i], where row r of M comes from encoding
/// unit symbols. The encoder's matrix is invertible, so M has full rank exactly when the whole system has.
///
/// Source: `raptorq-qr` section 10.6.
struct PatchSolver {
    let known: KnownSymbols
    let kernels: GaloisKernels
    private let plan: EliminationPlan
    private let code: LTCode

    init(known: KnownSymbols, kernels: GaloisKernels) {
        self.known = known
        self.kernels = kernels
        plan = EncodingPlanCache.shared.plan(known.parameters)
        code = LTCode(known.parameters)
    }

    /// Whether this is likely the cheaper way: a plan of its own costs about 300 ns for each symbol of the block, while
    /// m missing symbols cost m² products of symbols and of rows of the system (measured with AVX2).
    static func suits(_ known: KnownSymbols) -> Bool {
        let missing = known.missing.count
        let nanoseconds = missing * missing * (known.layout.symbolSize + 4 * missing + 400) / 40
        return missing <= 16 || nanoseconds <= 300 * known.parameters.sourceSymbolCount
    }

    func solve() -> SolveOutcome {
        guard let system = PatchSystem(unitResponses(), rows: known.repair.count, columns: known.missing.count, kernels)
        else { return .undetermined }
        return apply(system)
    }

    /// M: what each repair symbol becomes when one missing symbol alone is 1. Rows have ``responseStride`` octets.
    private func unitResponses() -> ScratchBuffer<UInt8> {
        let count = known.missing.count
        let responses = ScratchBuffer<UInt8>(uninitialized: known.repair.count * Self.responseStride(count))
        guard count > 0 else { return responses }
        var program = GatherProgram()
        for (index, repair) in known.repair.enumerated() {
            program.append(target: index, encodingSymbol: repair.internalID, of: code)
        }
        for first in stride(from: 0, to: count, by: StripLayout.preferredWidth) {
            let units = min(StripLayout.preferredWidth, count - first)
            let width = (units + 63) / 64 * 64
            // A window on this line that starts `unit` bytes before the one is the symbol with a one at `unit`.
            let line = ScratchBuffer<UInt8>(repeating: 0, count: 2 * width)
            line[width] = 1
            let data = DataRows(plan, known.parameters)
            for unit in 0..<units { data.set(known.missing[first + unit], line.base + width - unit) }
            let slab = ScratchBuffer<UInt8>(uninitialized: plan.rows.end * width, alignment: 64)
            StripExecutor(plan: plan, kernels: kernels, width: width).solve(
                data.pointers.base, offset: 0, slab: slab.base)
            program.run(
                kernels, slab: slab.base, width: width, out: responses.base + first, stride: Self.responseStride(count))
        }
        return responses
    }

    /// Columns of M rounded up to whole strips.
    static func responseStride(_ columns: Int) -> Int { (columns + 63) / 64 * 64 }

    private func apply(_ system: PatchSystem) -> SolveOutcome {
        let (layout, missing, rows) = (known.layout, known.missing.count, known.repair.count)
        let width = layout.width
        let data = DataRows(plan, known.parameters)
        for (index, symbol) in known.source.enumerated() { data.set(index, symbol) }
        // Syndromes in the order of the pivots, then what is solved.
        var differences = GatherProgram()
        let repairData = ScratchBuffer<UnsafePointer<UInt8>?>(repeating: nil, count: rows + 1)
        for index in 0..<rows {
            let repair = known.repair[Int(system.order[index])]
            repairData[index + 1] = repair.symbol
            differences.append(target: index, encodingSymbol: repair.internalID, of: code, datum: index + 1)
        }
        let sources = (0..<missing).map { UInt16(truncatingIfNeeded: $0) }
        let targets = (0..<missing).map { UInt16(truncatingIfNeeded: rows + $0) }
        let spares = (missing..<rows).map { UInt16(truncatingIfNeeded: $0) }

        let recovered = RecoveredSymbols(count: missing, layout)
        let slab = ScratchBuffer<UInt8>(uninitialized: plan.rows.end * width, alignment: 64)
        let syndromes = ScratchBuffer<UInt8>(uninitialized: (rows + missing) * width, alignment: 64)
        let executor = StripExecutor(plan: plan, kernels: kernels, width: width)
        for strip in 0..<layout.stripCount {
            let offset = layout.offset(strip)
            executor.solve(data.pointers.base, offset: offset, slab: slab.base)
            gk_gather(
                kernels.level, differences.words, differences.count, GK_WHOLE, repairData.base, offset, slab.base,
                width,
                syndromes.base, width)
            (syndromes.base + rows * width).update(repeating: 0, count: missing * width)
            gk_multiply_matrix(
                kernels.level, syndromes.base, width, system.inverse, targets, missing, sources, missing)
            gk_multiply_matrix(
                kernels.level, syndromes.base, width, system.dependencies, spares, spares.count, sources, missing)
            let rest = UnsafeBufferPointer(start: syndromes.base + missing * width, count: spares.count * width)
            guard rest.isAllZero else { return .contradiction }
            for index in 0..<missing {
                (recovered.symbol(index) + offset).update(from: syndromes.base + (rows + index) * width, count: width)
            }
        }
        return .solved(recovered)
    }
}
