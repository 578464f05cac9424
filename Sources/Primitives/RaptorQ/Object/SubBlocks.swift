/// Where the bytes of a symbol stand in its source block: N pieces, one in each sub-block. With N = 1 a symbol is one
/// piece.
///
/// Source: RFC 6330 4.4.1.2; `raptorq-qr` section 2.4.
struct SubBlocks: Sendable {
    /// K of the block.
    private let symbolCount: Int
    private let alignment: Int
    private let units: Partition
    private let count: Int

    init(_ parameters: ObjectParameters, block: Int) {
        symbolCount = parameters.blocks.size(of: block)
        alignment = parameters.alignment
        units = Partition(parameters.symbolSize / alignment, into: parameters.subBlockCount)
        count = parameters.subBlockCount
    }

    var isTrivial: Bool { count == 1 }

    /// Calls `body` for each piece of a symbol: where it stands in the block, where in the symbol, and its length.
    func forEachPiece(of symbol: Int, _ body: (_ inBlock: Int, _ inSymbol: Int, _ length: Int) -> Void) {
        for part in 0..<count {
            let (start, length) = (units.start(of: part) * alignment, units.size(of: part) * alignment)
            body(start * symbolCount + symbol * length, start, length)
        }
    }

    /// Copies a symbol out of a block that may end early; what is missing is zero.
    func read(_ symbol: Int, of block: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) {
        forEachPiece(of: symbol) { inBlock, inSymbol, length in
            let available = max(0, min(length, block.count - inBlock))
            if available > 0, let base = block.baseAddress {
                UnsafeMutableRawPointer(target + inSymbol).copyMemory(from: base + inBlock, byteCount: available)
            }
            (target + inSymbol + available).update(repeating: 0, count: length - available)
        }
    }

    /// Copies a symbol into a block that may end early.
    func write(_ symbol: Int, _ source: UnsafeRawPointer, to block: UnsafeMutableRawBufferPointer) {
        forEachPiece(of: symbol) { inBlock, inSymbol, length in
            let available = min(length, block.count - inBlock)
            guard available > 0, let base = block.baseAddress else { return }
            (base + inBlock).copyMemory(from: source + inSymbol, byteCount: available)
        }
    }
}
