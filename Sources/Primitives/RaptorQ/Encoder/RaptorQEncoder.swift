import Synchronization

/// Gives any encoding symbol of an object.
///
///     let encoder = try RaptorQEncoder(bytes, parameters: parameters)
///     let first = try encoder.symbol(PayloadID(block: 0, symbol: 0))
///     let repair = try encoder.symbols(block: 0, ids: encoder.repairIDs(block: 0, count: 50))
///
/// Source symbols are copies of the object. The first repair symbol of a block solves the block once; the intermediate
/// symbols, as large as the block, are then kept until the end of the encoder.
///
/// Source: RFC 6330 5.3; `raptorq-qr` sections 7 and 10.
public final class RaptorQEncoder: Sendable {
    /// The shape of the object.
    public let parameters: ObjectParameters
    /// How repair symbols are numbered.
    public let numbering: SymbolNumbering
    private let object: [UInt8]
    private let kernels: GaloisKernels
    /// Made once: finding the constants of a code takes longer than a symbol of it.
    private let blocks: [SourceBlock]
    private let solved = Mutex<[Int: IntermediateSymbols]>([:])

    /// - Parameters:
    ///   - object: all bytes, as many as `parameters` says.
    ///   - numbering: how the ids of repair symbols are counted.
    ///   - kernels: the vector loops to use.
    /// - Throws: ``RaptorQError/objectLength(found:expected:)``.
    public init(
        _ object: [UInt8], parameters: ObjectParameters, numbering: SymbolNumbering = .rfc6330,
        kernels: GaloisKernels = .selected
    ) throws(RaptorQError) {
        guard object.count == parameters.objectSize else {
            throw .objectLength(found: object.count, expected: parameters.objectSize)
        }
        self.object = object
        self.parameters = parameters
        self.numbering = numbering
        self.kernels = kernels
        let layout = StripLayout(symbolSize: parameters.symbolSize)
        blocks = try (0..<parameters.sourceBlockCount).map { block throws(RaptorQError) in
            try SourceBlock(parameters, block: block, layout)
        }
    }

    /// The ids of the first `count` repair symbols of a block; fewer where ids run out.
    ///
    /// - Throws: ``RaptorQError/blockOutOfRange(found:count:)``.
    public func repairIDs(block: Int, count: Int) throws(RaptorQError) -> Range<UInt32> {
        try parameters.checkBlock(block)
        let first = numbering.firstRepairID(blocks[block].parameters)
        let room = Int(PayloadID.maximumSymbol) + 1 - Int(first)
        return first..<first + UInt32(min(max(0, count), room))
    }

    /// One encoding symbol: T bytes.
    ///
    /// - Throws: as ``symbols(block:ids:)``.
    public func symbol(_ id: PayloadID) throws(RaptorQError) -> [UInt8] {
        try symbols(block: Int(id.block), ids: id.symbol..<id.symbol + 1)
    }

    /// Encoding symbols with ids in a row, one behind the other, T bytes each.
    ///
    /// - Throws: ``RaptorQError/blockOutOfRange(found:count:)``, ``RaptorQError/symbolIDOutOfRange(found:)``, or
    ///   ``RaptorQError/paddingID(found:padding:)`` if the range touches ids that the `vault` numbering never sends.
    public func symbols(block: Int, ids: Range<UInt32>) throws(RaptorQError) -> [UInt8] {
        try parameters.checkBlock(block)
        let source = blocks[block]
        guard ids.upperBound <= PayloadID.maximumSymbol + 1 else {
            throw .symbolIDOutOfRange(found: max(ids.lowerBound, PayloadID.maximumSymbol + 1))
        }
        let (plain, repair) = (UInt32(source.parameters.sourceSymbolCount), numbering.firstRepairID(source.parameters))
        let padding = plain..<repair
        guard !padding.overlaps(ids) else {
            throw .paddingID(found: max(ids.lowerBound, plain), padding: padding)
        }
        let size = parameters.symbolSize
        let copies = ids.clamped(to: 0..<plain)
        let repairs = ids.clamped(to: repair..<max(repair, PayloadID.maximumSymbol + 1))
        let internalOffset = UInt32(source.parameters.extendedSymbolCount) - repair
        let intermediate = repairs.isEmpty ? nil : intermediateSymbols(block: block, source)
        return [UInt8](unsafeUninitializedCapacity: ids.count * size) { bytes, count in
            guard let base = bytes.baseAddress else { return }
            object.withUnsafeBytes { object in
                for (index, id) in copies.enumerated() { source.write(Int(id), of: object, to: base + index * size) }
            }
            intermediate?.write(
                repairs.lowerBound + internalOffset..<repairs.upperBound + internalOffset,
                unpaddedTo: base + copies.count * size)
            count = ids.count * size
        }
    }

    private func intermediateSymbols(block: Int, _ source: SourceBlock) -> IntermediateSymbols {
        solved.withLock { solved in
            if let known = solved[block] { return known }
            let symbols = object.withUnsafeBytes { source.intermediateSymbols(of: $0, kernels) }
            solved[block] = symbols
            return symbols
        }
    }
}
