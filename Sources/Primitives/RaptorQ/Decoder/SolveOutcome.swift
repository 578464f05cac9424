/// Source symbols that did not arrive and have been computed.
final class RecoveredSymbols {
    let count: Int
    private let memory: ScratchBuffer<UInt8>
    private let stride: Int

    init(count: Int, _ layout: StripLayout) {
        self.count = count
        stride = layout.stride
        memory = ScratchBuffer(uninitialized: count * layout.stride)
    }

    /// Where recovered symbol `index` is, counted in the order of the missing ones.
    func symbol(_ index: Int) -> UnsafeMutablePointer<UInt8> { memory.base + index * stride }
}

/// How an attempt to solve a block ended.
enum SolveOutcome {
    case solved(RecoveredSymbols)
    /// The symbols do not determine the block.
    case undetermined
    /// More symbols are there than needed, and they do not fit together.
    case contradiction
}
