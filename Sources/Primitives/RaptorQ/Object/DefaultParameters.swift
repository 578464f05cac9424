extension ObjectParameters {
    /// The working memory that Polkadot Vault and other users of the RFC's example assume: 10 MiB.
    public static let defaultWorkingMemory = 10 << 20

    /// The parameters that both sides derive from the size of an object and of a packet.
    ///
    /// - Parameters:
    ///   - objectSize: F, in bytes.
    ///   - maximumPayloadSize: P', the bytes that a packet has for a symbol, 1 to 65535.
    ///   - workingMemory: WS, in bytes; a sub-block is to fit in it.
    /// - Throws: ``RaptorQError/payloadSize(found:workingMemory:)`` if no symbol size fits,
    ///   ``RaptorQError/sourceBlockCount(found:maximum:)`` if more than 255 blocks would be needed.
    ///
    /// Source: RFC 6330 4.3; `raptorq-qr` section 2.5.
    public static func defaults(
        objectSize: Int, maximumPayloadSize: Int, workingMemory: Int = defaultWorkingMemory
    ) throws(RaptorQError) -> ObjectParameters {
        guard (1...65535).contains(maximumPayloadSize), workingMemory > 0 else {
            throw .payloadSize(found: maximumPayloadSize, workingMemory: workingMemory)
        }
        guard (1...maximumObjectSize).contains(objectSize) else {
            throw .objectSize(found: objectSize, maximum: maximumObjectSize)
        }
        // SS, the smallest sub-symbol, is as many units as a unit has bytes.
        let alignment = maximumPayloadSize >= 64 ? 8 : 1
        let units = maximumPayloadSize / alignment
        let symbolSize = units * alignment
        let symbolCount = (objectSize + symbolSize - 1) / symbolSize
        let mostSubBlocks = max(1, units / alignment)

        /// KL(n): symbols of a block whose sub-blocks fit in the working memory.
        func largestBlock(_ subBlocks: Int) -> Int? {
            let subSymbol = alignment * ((units + subBlocks - 1) / subBlocks)
            return BlockParameters.largestTableValue(upTo: workingMemory / subSymbol)
        }
        guard let largest = largestBlock(mostSubBlocks) else {
            throw .payloadSize(found: maximumPayloadSize, workingMemory: workingMemory)
        }
        let blockCount = (symbolCount + largest - 1) / largest
        guard blockCount <= 255 else { throw .sourceBlockCount(found: blockCount, maximum: 255) }
        let perBlock = (symbolCount + blockCount - 1) / blockCount
        let subBlocks = (1...mostSubBlocks).first { (largestBlock($0) ?? 0) >= perBlock } ?? mostSubBlocks
        return try ObjectParameters(
            objectSize: objectSize, symbolSize: symbolSize, sourceBlockCount: blockCount, subBlockCount: subBlocks,
            alignment: alignment)
    }
}
