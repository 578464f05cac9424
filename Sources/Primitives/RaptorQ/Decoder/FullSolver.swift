/// Decodes a block by a plan made for just the symbols that arrived.
///
/// Source: `raptorq-qr` sections 8 and 10.
struct FullSolver {
    let known: KnownSymbols
    let kernels: GaloisKernels

    func solve() -> SolveOutcome {
        let (parameters, layout) = (known.parameters, known.layout)
        let present = known.source.indices.filter { known.source[$0] != nil }
        let padding = UInt32(parameters.sourceSymbolCount)..<UInt32(parameters.extendedSymbolCount)
        let ids = present.map { UInt32($0) } + known.repair.map(\.internalID) + padding
        let limit = EliminationPlan.inactiveLimit(parameters)
        guard let plan = EliminationPlan(parameters, internalIDs: ids, inactiveLimit: limit) else {
            return .undetermined
        }

        let data = DataRows(plan, parameters)
        for (index, symbol) in present.enumerated() { data.set(index, known.source[symbol]) }
        for (index, repair) in known.repair.enumerated() { data.set(present.count + index, repair.symbol) }
        var missing = GatherProgram()
        let code = LTCode(parameters)
        for (index, symbol) in known.missing.enumerated() {
            missing.append(target: index, encodingSymbol: UInt32(symbol), of: code)
        }
        let recovered = RecoveredSymbols(count: known.missing.count, layout)
        let executor = StripExecutor(plan: plan, kernels: kernels, width: layout.width)
        let slab = ScratchBuffer<UInt8>(uninitialized: plan.rows.end * layout.width, alignment: 64)
        for strip in 0..<layout.stripCount {
            let offset = layout.offset(strip)
            executor.solve(data.pointers.base, offset: offset, slab: slab.base)
            if plan.hasSpareEquations {
                guard executor.fulfilsSpareEquations(data.pointers.base, offset: offset, slab: slab.base) else {
                    return .contradiction
                }
            }
            missing.run(
                kernels, slab: slab.base, width: layout.width, out: recovered.symbol(0) + offset, stride: layout.stride)
        }
        return .solved(recovered)
    }
}
