/// The right side of a plan: for each row a pointer to its symbol, or nil for zero. The S rows of nothing come first.
struct DataRows: ~Copyable {
    let pointers: ScratchBuffer<UnsafePointer<UInt8>?>
    private let first: Int

    init(_ plan: EliminationPlan, _ parameters: BlockParameters) {
        pointers = ScratchBuffer(repeating: nil, count: plan.dataRowCount)
        first = parameters.ldpcSymbolCount
    }

    /// Says where the symbol is that was named as number `index` when the plan was made.
    func set(_ index: Int, _ symbol: UnsafePointer<UInt8>?) { pointers[first + index] = symbol }
}
