/// A start and a length as an untrusted file gives them: their sum may be more than 64 bits hold.
struct Extent: Hashable, Sendable {
    let start: UInt64
    let length: UInt64

    init(at start: UInt64, count length: UInt64) {
        self.start = start
        self.length = length
    }

    var isEmpty: Bool { length == 0 }

    /// One behind the last, exactly.
    var end: UInt128 { UInt128(start) + UInt128(length) }

    /// Whether all of it lies below `limit`.
    func fits(below limit: UInt128) -> Bool { end <= limit }

    func contains(_ other: Extent) -> Bool { start <= other.start && other.end <= end }

    /// The extent as positions in the memory of this program; nil if it does not lie within `count`.
    func range(within count: UInt64) -> Range<Int>? {
        guard fits(below: UInt128(count)), let start = Int(exactly: start), let end = Int(exactly: end) else {
            return nil
        }
        return start..<end
    }

    /// The first of two, in the order of their starts, that share a byte; empty ones share none.
    static func firstOverlap(among extents: [Extent]) -> Extent? {
        let sorted = extents.filter { !$0.isEmpty }.sorted { $0.start < $1.start }
        return zip(sorted, sorted.dropFirst()).first { $0.end > UInt128($1.start) }?.1
    }
}
