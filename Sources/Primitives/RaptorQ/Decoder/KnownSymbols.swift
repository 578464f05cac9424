/// The symbols of a block as one numbering reads them: which source symbols are there, which are missing, and what else
/// is known about the block.
struct KnownSymbols {
    let parameters: BlockParameters
    let layout: StripLayout
    /// Where each source symbol is; nil for one that is missing.
    let source: [UnsafePointer<UInt8>?]
    /// ISI and place of each repair symbol.
    let repair: [(internalID: UInt32, symbol: UnsafePointer<UInt8>)]
    let missing: [Int]

    init(
        _ parameters: BlockParameters, _ layout: StripLayout, source: [UnsafePointer<UInt8>?],
        repair: [(internalID: UInt32, symbol: UnsafePointer<UInt8>)]
    ) {
        self.parameters = parameters
        self.layout = layout
        self.source = source
        self.repair = repair
        missing = source.indices.filter { source[$0] == nil }
    }

    init(
        _ parameters: BlockParameters, layout: StripLayout, store: borrowing SymbolStore,
        numbering: SymbolNumbering
    ) {
        var source = [UnsafePointer<UInt8>?](repeating: nil, count: parameters.sourceSymbolCount)
        var repair: [(internalID: UInt32, symbol: UnsafePointer<UInt8>)] = []
        for index in 0..<store.count {
            guard let id = numbering.internalID(store.ids[index], parameters) else { continue }
            if id < UInt32(parameters.sourceSymbolCount) {
                source[Int(id)] = store.symbols[index]
            } else {
                repair.append((id, store.symbols[index]))
            }
        }
        self.init(parameters, layout, source: source, repair: repair)
    }

    /// Whether there are more symbols than unknowns, so that they can contradict each other.
    var hasSpares: Bool { repair.count > missing.count }
}
