/// An open-addressing index from hashes to the numbers of entries that are kept elsewhere: linear probing, no
/// tombstones.
struct ProbeTable: Sendable {
    private static let vacant = UInt32.max

    private var slots: [UInt32]
    private let mask: Int

    /// - Parameter capacity: how many numbers there will be at most; the table has room for at least half as many more.
    init(capacity: Int) {
        var size = 16
        while size < capacity + capacity / 2 { size *= 2 }
        slots = [UInt32](repeating: Self.vacant, count: size)
        mask = size - 1
    }

    /// - Parameter matches: whether the entry of a number is the one that is looked for.
    func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != Self.vacant {
            if matches(slots[slot]) { return slots[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// - Parameter number: not in the table yet.
    mutating func insert(_ number: UInt32, hash: UInt64) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != Self.vacant { slot = (slot + 1) & mask }
        slots[slot] = number
    }

    /// - Parameters:
    ///   - number: in the table.
    ///   - hashOf: the hash of the entry of a number.
    mutating func remove(_ number: UInt32, hash: UInt64, hashOf: (UInt32) -> UInt64) {
        var hole = Int(truncatingIfNeeded: hash) & mask
        while slots[hole] != number { hole = (hole + 1) & mask }
        // What stands behind the hole moves up unless that would put it before its own place.
        var slot = hole
        while true {
            slot = (slot + 1) & mask
            guard slots[slot] != Self.vacant else { break }
            let home = Int(truncatingIfNeeded: hashOf(slots[slot])) & mask
            if (slot - home) & mask >= (slot - hole) & mask {
                slots[hole] = slots[slot]
                hole = slot
            }
        }
        slots[hole] = Self.vacant
    }
}
