/// Collects the symbols of one source block and solves it as soon as they determine it.
final class BlockDecoder {
    enum State { case collecting, recovered, conflicting }

    private(set) var state = State.collecting
    /// Symbols that count in the present numbering.
    private(set) var distinct = 0
    /// Ids that are padding in the present numbering.
    private(set) var paddingIDs = 0
    /// Whether a symbol that was not needed has been compared with the result.
    private(set) var isChecked = false
    let parameters: BlockParameters

    private let block: Int
    private let layout: StripLayout
    private let kernels: GaloisKernels
    private var numbering: SymbolNumbering
    private var store: SymbolStore
    private var failedAttempts = 0
    private var distinctAtLastAttempt = 0
    private var recovered: RecoveredSymbols?
    /// Every source symbol, once the block is recovered.
    private var source: [UnsafePointer<UInt8>?] = []

    /// Symbols beyond K that are kept.
    private static let spareLimit = 64
    /// Symbols with padding ids that are kept, for the case that the numbering turns out to be the other one.
    private static let paddingLimit = 32
    /// Failed attempts after which only every eighth symbol is worth another.
    private static let patience = 16

    init(
        _ parameters: BlockParameters, block: Int, layout: StripLayout, numbering: SymbolNumbering,
        kernels: GaloisKernels
    ) {
        self.parameters = parameters
        self.block = block
        self.layout = layout
        self.numbering = numbering
        self.kernels = kernels
        store = SymbolStore(layout, sourceSymbolCount: parameters.sourceSymbolCount)
    }

    /// - Parameter symbol: T bytes.
    func receive(_ id: UInt32, _ symbol: UnsafeRawBufferPointer) throws(RaptorQError) -> RaptorQDecoder.Reception {
        if store.contains(id) { return .duplicate }
        if state == .recovered { return try compare(id, symbol) }
        guard numbering.internalID(id, parameters) != nil else {
            paddingIDs += 1
            if paddingIDs <= Self.paddingLimit { store.append(id, symbol) }
            return .padding
        }
        guard distinct < parameters.sourceSymbolCount + Self.spareLimit else { return .surplus }
        store.append(id, symbol)
        distinct += 1
        guard state == .collecting, isAttemptDue else { return .stored }
        try attempt()
        return state == .recovered ? .recovered : .stored
    }

    /// Reads what has been kept in another numbering, and solves again.
    func renumber(_ numbering: SymbolNumbering) throws(RaptorQError) {
        self.numbering = numbering
        state = .collecting
        isChecked = false
        recovered = nil
        source = []
        failedAttempts = 0
        let counted = store.ids.count { numbering.internalID($0, parameters) != nil }
        distinct = counted
        paddingIDs = store.count - counted
        if distinct >= parameters.sourceSymbolCount { try attempt() }
    }

    /// Writes the block's bytes, which may end inside the last symbol.
    func write(to target: UnsafeMutableRawBufferPointer, _ subBlocks: SubBlocks) {
        for (index, symbol) in source.enumerated() {
            if let symbol { subBlocks.write(index, symbol, to: target) }
        }
    }

    var keptSymbols: [(id: UInt32, symbol: [UInt8])] {
        zip(store.ids, store.symbols).map { id, symbol in
            (id, Array(UnsafeBufferPointer(start: symbol, count: layout.symbolSize)))
        }
    }

    private var isAttemptDue: Bool {
        guard distinct >= parameters.sourceSymbolCount else { return false }
        return failedAttempts < Self.patience || distinct >= distinctAtLastAttempt + 8
    }

    private func attempt() throws(RaptorQError) {
        distinctAtLastAttempt = distinct
        let known = KnownSymbols(parameters, layout: layout, store: store, numbering: numbering)
        switch solve(known) {
        case .undetermined: failedAttempts += 1
        case .contradiction:
            state = .conflicting
            throw .conflictingSymbols(block: block)
        case .solved(let symbols):
            isChecked = known.hasSpares
            source = known.source
            for (index, symbol) in known.missing.enumerated() { source[symbol] = UnsafePointer(symbols.symbol(index)) }
            recovered = symbols
            state = .recovered
        }
    }

    private func solve(_ known: KnownSymbols) -> SolveOutcome {
        if known.missing.isEmpty && known.repair.isEmpty { return .solved(RecoveredSymbols(count: 0, layout)) }
        return PatchSolver.suits(known)
            ? PatchSolver(known: known, kernels: kernels).solve() : FullSolver(known: known, kernels: kernels).solve()
    }

    /// Compares a symbol that came after the block was recovered. A source symbol is looked up; a repair symbol is
    /// worth encoding the block again only while nothing else has confirmed the result.
    private func compare(
        _ id: UInt32, _ symbol: UnsafeRawBufferPointer
    ) throws(RaptorQError) -> RaptorQDecoder.Reception {
        guard let internalID = numbering.internalID(id, parameters) else {
            paddingIDs += 1
            return .padding
        }
        let isSource = internalID < UInt32(parameters.sourceSymbolCount)
        guard isSource || !isChecked, distinct < parameters.sourceSymbolCount + Self.spareLimit else {
            return .surplus
        }
        if isSource ? matches(Int(internalID), symbol) : matchesRepair(internalID, symbol) {
            isChecked = true
            return .surplus
        }
        // A checked result stands; otherwise the symbol is kept for the other numbering.
        if !isChecked {
            store.append(id, symbol)
            distinct += 1
            state = .conflicting
        }
        throw .conflictingSymbols(block: block)
    }

    private func matches(_ index: Int, _ symbol: UnsafeRawBufferPointer) -> Bool {
        guard let own = source[index] else { return false }
        return symbol.elementsEqual(UnsafeRawBufferPointer(start: own, count: layout.symbolSize))
    }

    private func matchesRepair(_ internalID: UInt32, _ symbol: UnsafeRawBufferPointer) -> Bool {
        let padded = ScratchBuffer<UInt8>(repeating: 0, count: layout.stride)
        for (index, byte) in symbol.enumerated() { padded[index] = byte }
        let known = KnownSymbols(parameters, layout, source: source, repair: [(internalID, UnsafePointer(padded.base))])
        guard case .solved = PatchSolver(known: known, kernels: kernels).solve() else { return false }
        return true
    }
}
