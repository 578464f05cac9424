import CGaloisKernels

/// Table 2 of RFC 6330 5.6: for each size that a source block can be extended to, what its code is made of.
enum SystematicIndices {
    /// Number of rows.
    static let count = 477

    /// K' of a row below ``count``.
    static func extendedCount(_ row: Int) -> Int { Int(table[row * 5]) }

    /// J, S, H and W of a row below ``count``.
    static func constants(_ row: Int) -> (index: Int, ldpc: Int, hdpc: Int, lt: Int) {
        (Int(table[row * 5 + 1]), Int(table[row * 5 + 2]), Int(table[row * 5 + 3]), Int(table[row * 5 + 4]))
    }

    /// The first row whose K' is `count` or more, or nil if there is none.
    static func row(holding count: Int) -> Int? {
        var (low, high) = (0, Self.count)
        while low < high {
            let middle = (low + high) / 2
            if extendedCount(middle) < count { low = middle + 1 } else { high = middle }
        }
        return low < Self.count ? low : nil
    }

    /// K', J, S, H, W, row after row.
    private static var table: UnsafePointer<UInt16> { gk_systematic_indices() }
}
