/// How the code words of a symbol are split into blocks and interleaved (`raptorq-qr` section 13.3).
struct BlockLayout: Sendable {
    /// Number of blocks.
    let count: Int
    /// Error-correction code words of a block.
    let eccCount: Int
    /// Blocks without the last column of data; they come first.
    let shortCount: Int
    /// Data code words of a short block; the others have one more.
    let shortLength: Int

    init(_ version: QRVersion, _ level: QRLevel) {
        let words = version.rawModules / 8
        count = version.blocks(level)
        eccCount = version.eccPerBlock(level)
        shortCount = count - words % count
        shortLength = words / count - eccCount
    }

    /// Data code words of all blocks.
    var dataCount: Int { shortLength * count + count - shortCount }

    /// Data code words of one block.
    func dataLength(_ block: Int) -> Int { shortLength + (block < shortCount ? 0 : 1) }

    /// Where a code word of a block, data first, stands among those of the symbol.
    func place(block: Int, word: Int) -> Int {
        let dataLength = dataLength(block)
        if word >= dataLength { return dataCount + (word - dataLength) * count + block }
        return word * count + block - (word == shortLength ? shortCount : 0)
    }
}
