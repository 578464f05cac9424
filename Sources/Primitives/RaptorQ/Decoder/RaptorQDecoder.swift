/// Takes the encoding symbols of an object in any order, with losses and repetitions, and gives the object back.
///
///     let decoder = RaptorQDecoder(parameters: parameters)
///     for packet in packets where !decoder.isComplete {
///         try decoder.receive(packet.symbol, id: packet.id)
///     }
///     let object = try decoder.object()
///
/// A block is solved as soon as its symbols determine it, in most cases with the K-th. Memory is taken for symbols that
/// came, at most K + 64 for each block; an attempt takes time in proportion to K. Not for use from two threads at once.
///
/// Symbols of another object, or in the other numbering, are noticed only where more symbols came than needed:
/// ``BlockProgress/isChecked`` says so. An error about contradicting symbols leaves all symbols where they are; see
/// ``renumber(_:)``.
///
/// Source: RFC 6330 5.4; `raptorq-qr` sections 8, 10 and 12.6.
public final class RaptorQDecoder {
    /// The shape of the object.
    public let parameters: ObjectParameters
    /// How repair symbols are numbered.
    public private(set) var numbering: SymbolNumbering
    private let layout: StripLayout
    private let kernels: GaloisKernels
    /// The blocks' decoders, each made when its block's first symbol comes.
    private var blocks: [Int: BlockDecoder] = [:]
    /// Blocks that are recovered.
    public private(set) var recoveredBlockCount = 0

    /// What became of a symbol.
    public enum Reception: Hashable, Sendable {
        /// The symbol is kept; its block needs more.
        case stored
        /// The symbol is kept, and its block is recovered now.
        case recovered
        /// A symbol with this id has been kept before.
        case duplicate
        /// The symbol's id is padding in the present numbering: either the symbol is damaged, or the numbering is the
        /// other one.
        case padding
        /// The symbol is not needed.
        case surplus
    }

    /// Makes a decoder for one object.
    public init(
        parameters: ObjectParameters, numbering: SymbolNumbering = .rfc6330, kernels: GaloisKernels = .selected
    ) {
        self.parameters = parameters
        self.numbering = numbering
        self.kernels = kernels
        layout = StripLayout(symbolSize: parameters.symbolSize)
    }

    /// Whether every block is recovered.
    public var isComplete: Bool { recoveredBlockCount == parameters.sourceBlockCount }

    /// Takes a symbol, and solves its block if it is time to.
    ///
    /// - Parameter symbol: T bytes.
    /// - Throws: ``RaptorQError/blockOutOfRange(found:count:)`` or ``RaptorQError/symbolLength(found:expected:)``, with
    ///   nothing changed; ``RaptorQError/conflictingSymbols(block:)`` if this symbol contradicts the others of its
    ///   block.
    @discardableResult
    public func receive(_ symbol: some Collection<UInt8>, id: PayloadID) throws(RaptorQError) -> Reception {
        guard symbol.count == parameters.symbolSize else {
            throw .symbolLength(found: symbol.count, expected: parameters.symbolSize)
        }
        let block = try decoder(Int(id.block))
        let wasRecovered = block.state == .recovered
        defer { count(block, wasRecovered: wasRecovered) }
        let result = symbol.withContiguousStorageIfAvailable { bytes in
            Result { () throws(RaptorQError) in try block.receive(id.symbol, UnsafeRawBufferPointer(bytes)) }
        }
        if let result { return try result.get() }
        return try Array(symbol).withUnsafeBytes { bytes in
            Result { () throws(RaptorQError) in try block.receive(id.symbol, bytes) }
        }.get()
    }

    /// How far a block is.
    ///
    /// - Throws: ``RaptorQError/blockOutOfRange(found:count:)``.
    public func progress(block: Int) throws(RaptorQError) -> BlockProgress {
        try parameters.checkBlock(block)
        guard let decoder = blocks[block] else {
            return BlockProgress(
                distinct: 0, sourceSymbolCount: parameters.blocks.size(of: block), paddingIDs: 0,
                isRecovered: false, isConflicting: false, isChecked: false)
        }
        return BlockProgress(
            distinct: decoder.distinct, sourceSymbolCount: decoder.parameters.sourceSymbolCount,
            paddingIDs: decoder.paddingIDs, isRecovered: decoder.state == .recovered,
            isConflicting: decoder.state == .conflicting, isChecked: decoder.isChecked)
    }

    /// Reads all kept symbols in another numbering, and solves again what can be solved.
    ///
    /// - Throws: ``RaptorQError/conflictingSymbols(block:)`` for the first block whose symbols contradict each other in
    ///   this numbering as well; the others are solved all the same.
    package func renumber(_ numbering: SymbolNumbering) throws(RaptorQError) {
        guard numbering != self.numbering else { return }
        self.numbering = numbering
        var failure: RaptorQError?
        for (_, block) in blocks.sorted(by: { $0.key < $1.key }) {
            do { try block.renumber(numbering) } catch { failure = failure ?? error }
        }
        recoveredBlockCount = blocks.values.count { $0.state == .recovered }
        if let failure { throw failure }
    }

    /// The object: F bytes.
    ///
    /// - Throws: ``RaptorQError/incomplete(block:distinct:sourceSymbols:)`` or
    ///   ``RaptorQError/conflictingSymbols(block:)`` for the first block that is not recovered.
    public func object() throws(RaptorQError) -> [UInt8] {
        for block in 0..<parameters.sourceBlockCount {
            let progress = try progress(block: block)
            if progress.isConflicting { throw .conflictingSymbols(block: block) }
            guard progress.isRecovered else {
                throw .incomplete(
                    block: block, distinct: progress.distinct, sourceSymbols: progress.sourceSymbolCount)
            }
        }
        return [UInt8](unsafeUninitializedCapacity: parameters.objectSize) { bytes, count in
            for (index, block) in blocks {
                let range = parameters.byteRange(ofBlock: index)
                let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[range])
                block.write(to: target, SubBlocks(parameters, block: index))
            }
            count = parameters.objectSize
        }
    }

    /// The symbols that are kept, in the order of their arrival: received again, they bring this state back.
    package var keptSymbols: [(id: PayloadID, symbol: [UInt8])] {
        blocks.sorted { $0.key < $1.key }.flatMap { index, block in
            block.keptSymbols.compactMap { id, symbol in
                (try? PayloadID(block: UInt8(index), symbol: id)).map { ($0, symbol) }
            }
        }
    }

    private func decoder(_ block: Int) throws(RaptorQError) -> BlockDecoder {
        if let known = blocks[block] { return known }
        let decoder = BlockDecoder(
            try parameters.block(block), block: block, layout: layout, numbering: numbering, kernels: kernels)
        blocks[block] = decoder
        return decoder
    }

    private func count(_ block: BlockDecoder, wasRecovered: Bool) {
        if block.state == .recovered && !wasRecovered { recoveredBlockCount += 1 }
        if block.state != .recovered && wasRecovered { recoveredBlockCount -= 1 }
    }
}
