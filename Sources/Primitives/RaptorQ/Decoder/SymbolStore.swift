/// The distinct symbols of a block that have been kept, in the order of their arrival. Memory grows with what arrives,
/// not with what a header claims, and no symbol moves once it is stored.
struct SymbolStore: ~Copyable {
    /// Symbol ids as they came.
    private(set) var ids: [UInt32] = []
    /// Where each symbol is: ``StripLayout/stride`` bytes, zero behind the first T.
    private(set) var symbols: [UnsafePointer<UInt8>] = []

    private let layout: StripLayout
    private var chunks: [UnsafeMutableRawPointer] = []
    private var chunkEnd: UnsafeMutablePointer<UInt8>?
    private var roomInChunk = 0
    private var nextChunk = 1

    /// Ids of source symbols as bits, of repair symbols as a set whose order no sender can foresee.
    private var sourceBits: [UInt64]
    private var repairIDs: Set<UInt32> = []

    /// The size of the largest chunk: larger ones would save nothing.
    private static let largestChunk = 1 << 18

    init(_ layout: StripLayout, sourceSymbolCount: Int) {
        self.layout = layout
        sourceBits = [UInt64](repeating: 0, count: (sourceSymbolCount + 63) / 64)
    }

    deinit { for chunk in chunks { chunk.deallocate() } }

    var count: Int { ids.count }

    func contains(_ id: UInt32) -> Bool {
        let word = Int(id / 64)
        return word < sourceBits.count ? sourceBits[word] >> UInt64(id % 64) & 1 == 1 : repairIDs.contains(id)
    }

    /// Keeps a symbol that is not there yet.
    ///
    /// - Parameter symbol: T bytes.
    mutating func append(_ id: UInt32, _ symbol: UnsafeRawBufferPointer) {
        let target = nextSlot()
        if let base = symbol.baseAddress {
            UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: layout.symbolSize)
        }
        if layout.isPadded {
            (target + layout.symbolSize).update(repeating: 0, count: layout.stride - layout.symbolSize)
        }
        ids.append(id)
        symbols.append(UnsafePointer(target))
        let word = Int(id / 64)
        if word < sourceBits.count { sourceBits[word] |= 1 << UInt64(id % 64) } else { repairIDs.insert(id) }
    }

    private mutating func nextSlot() -> UnsafeMutablePointer<UInt8> {
        if let slot = chunkEnd, roomInChunk > 0 {
            roomInChunk -= 1
            chunkEnd = slot + layout.stride
            return slot
        }
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: nextChunk * layout.stride, alignment: 64)
        let slot = chunk.bindMemory(to: UInt8.self, capacity: nextChunk * layout.stride)
        chunks.append(chunk)
        roomInChunk = nextChunk - 1
        chunkEnd = slot + layout.stride
        nextChunk = max(1, min(2 * nextChunk, Self.largestChunk / layout.stride))
        return slot
    }
}
