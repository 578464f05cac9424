/// Object transmission information: how an object is cut into source blocks, symbols and sub-symbols. Both sides need
/// the same.
///
///     let parameters = try ObjectParameters.defaults(objectSize: bytes.count, maximumPayloadSize: 1072)
///     let encoder = try RaptorQEncoder(bytes, parameters: parameters)
///
/// Source: RFC 6330 3.3 and 4.4.1; `raptorq-qr` section 2.
public struct ObjectParameters: Hashable, Sendable {
    /// F: bytes of the object.
    public let objectSize: Int
    /// T: bytes of a symbol.
    public let symbolSize: Int
    /// Z.
    public let sourceBlockCount: Int
    /// N: sub-blocks of each source block.
    public let subBlockCount: Int
    /// Al: bytes of the unit in which symbols are cut.
    public let alignment: Int

    /// The largest F: 255 blocks of 56403 symbols of 65535 bytes (erratum 5548 of RFC 6330).
    public static let maximumObjectSize = 942_574_504_275

    /// - Throws: the ``RaptorQError`` of the first value that is out of range.
    public init(
        objectSize: Int, symbolSize: Int, sourceBlockCount: Int = 1, subBlockCount: Int = 1, alignment: Int = 1
    ) throws(RaptorQError) {
        guard (1...Self.maximumObjectSize).contains(objectSize) else {
            throw .objectSize(found: objectSize, maximum: Self.maximumObjectSize)
        }
        guard (1...65535).contains(symbolSize), (1...255).contains(alignment), symbolSize % alignment == 0 else {
            throw .symbolSize(found: symbolSize, alignment: alignment)
        }
        let symbolCount = (objectSize + symbolSize - 1) / symbolSize
        guard (1...min(255, symbolCount)).contains(sourceBlockCount) else {
            throw .sourceBlockCount(found: sourceBlockCount, maximum: min(255, symbolCount))
        }
        guard (1...symbolSize / alignment).contains(subBlockCount) else {
            throw .subBlockCount(found: subBlockCount, maximum: symbolSize / alignment)
        }
        let largest = Partition(symbolCount, into: sourceBlockCount).largeSize
        guard largest <= BlockParameters.maximumSourceSymbolCount else {
            throw .sourceSymbolCount(found: largest, maximum: BlockParameters.maximumSourceSymbolCount)
        }
        self.objectSize = objectSize
        self.symbolSize = symbolSize
        self.sourceBlockCount = sourceBlockCount
        self.subBlockCount = subBlockCount
        self.alignment = alignment
    }

    /// Reads 12 bytes. The reserved byte is ignored.
    ///
    /// - Throws: ``RaptorQError/informationLength(found:)``, or the error of the first field that is out of range.
    public init(serialized bytes: [UInt8]) throws(RaptorQError) {
        guard bytes.count == 12 else { throw .informationLength(found: bytes.count) }
        func field(_ range: Range<Int>) -> Int { range.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
        try self.init(
            objectSize: field(0..<5), symbolSize: field(6..<8), sourceBlockCount: field(8..<9),
            subBlockCount: field(9..<11), alignment: field(11..<12))
    }

    /// The 12 bytes: common, then scheme-specific information.
    public var serialized: [UInt8] {
        func field(_ value: Int, byteCount count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return field(objectSize, byteCount: 5) + [0] + field(symbolSize, byteCount: 2)
            + field(sourceBlockCount, byteCount: 1) + field(subBlockCount, byteCount: 2)
            + field(alignment, byteCount: 1)
    }

    /// Kt: symbols of the whole object.
    public var symbolCount: Int { (objectSize + symbolSize - 1) / symbolSize }

    /// The code of a source block.
    ///
    /// - Throws: ``RaptorQError/blockOutOfRange(found:count:)``.
    public func block(_ block: Int) throws(RaptorQError) -> BlockParameters {
        try checkBlock(block)
        return try BlockParameters(sourceSymbolCount: blocks.size(of: block))
    }

    /// The id of a source symbol by its place in the whole object; nil behind the last.
    ///
    /// - Parameter number: from 0.
    package func sourceID(_ number: Int) throws(RaptorQError) -> PayloadID? {
        guard number < symbolCount else { return nil }
        let (block, symbol) = blocks.place(of: number)
        return try PayloadID(block: UInt8(block), symbol: UInt32(symbol))
    }

    func checkBlock(_ block: Int) throws(RaptorQError) {
        guard (0..<sourceBlockCount).contains(block) else {
            throw .blockOutOfRange(found: block, count: sourceBlockCount)
        }
    }

    /// How the symbols are dealt to blocks.
    var blocks: Partition { Partition(symbolCount, into: sourceBlockCount) }

    /// Where a block stands in the object; its last symbol may reach beyond.
    func byteRange(ofBlock block: Int) -> Range<Int> {
        let start = blocks.start(of: block) * symbolSize
        return start..<min(objectSize, start + blocks.size(of: block) * symbolSize)
    }
}
