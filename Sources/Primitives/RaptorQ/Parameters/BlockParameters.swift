/// What the code of a source block is made of: the constants that belong to its number of symbols.
///
/// Everything but ``sourceSymbolCount`` belongs to the extended block: a block of K symbols is coded as one of K'
/// symbols, of which the last K' − K are zero and never sent.
///
/// Source: RFC 6330 5.3.3.3 and 5.6; `raptorq-qr` section 5.
public struct BlockParameters: Hashable, Sendable {
    /// K: symbols of the block, 1...56403.
    public let sourceSymbolCount: Int
    /// K': the smallest size in the table of RFC 6330 that holds K.
    public let extendedSymbolCount: Int
    /// J(K').
    package let systematicIndex: Int
    /// S.
    package let ldpcSymbolCount: Int
    /// H.
    package let hdpcSymbolCount: Int
    /// W.
    package let ltSymbolCount: Int

    /// The largest number of source symbols in a block, K′max (RFC 6330, 5.1.2).
    public static let maximumSourceSymbolCount = 56403

    /// L: number of intermediate symbols.
    package var intermediateSymbolCount: Int { extendedSymbolCount + ldpcSymbolCount + hdpcSymbolCount }
    /// P: permanently inactive symbols.
    package var piSymbolCount: Int { intermediateSymbolCount - ltSymbolCount }
    /// P1: the smallest prime that is P or more.
    package let piPrime: Int
    /// B: LT symbols that are no LDPC symbols.
    package var plainSymbolCount: Int { ltSymbolCount - ldpcSymbolCount }
    /// U: PI symbols that are no HDPC symbols.
    package var plainPISymbolCount: Int { piSymbolCount - hdpcSymbolCount }

    /// - Parameter sourceSymbolCount: K.
    /// - Throws: ``RaptorQError/sourceSymbolCount(found:maximum:)``.
    public init(sourceSymbolCount: Int) throws(RaptorQError) {
        guard sourceSymbolCount >= 1, let row = SystematicIndices.row(holding: sourceSymbolCount) else {
            throw .sourceSymbolCount(found: sourceSymbolCount, maximum: Self.maximumSourceSymbolCount)
        }
        self.sourceSymbolCount = sourceSymbolCount
        extendedSymbolCount = SystematicIndices.extendedCount(row)
        (systematicIndex, ldpcSymbolCount, hdpcSymbolCount, ltSymbolCount) = SystematicIndices.constants(row)
        piPrime = Self.prime(
            from: SystematicIndices.extendedCount(row) + ldpcSymbolCount + hdpcSymbolCount - ltSymbolCount)
    }

    /// Whether K is itself in the table, so that nothing is padded and both numberings of repair symbols are the same.
    public var isUnpadded: Bool { sourceSymbolCount == extendedSymbolCount }

    /// Whether a block of `count` symbols needs no padding.
    package static func isTableValue(_ count: Int) -> Bool {
        SystematicIndices.row(holding: count).map { SystematicIndices.extendedCount($0) == count } ?? false
    }

    /// The largest table value that is `count` or less, or nil if there is none.
    static func largestTableValue(upTo count: Int) -> Int? {
        guard let row = SystematicIndices.row(holding: count) else { return maximumSourceSymbolCount }
        if SystematicIndices.extendedCount(row) == count { return count }
        return row > 0 ? SystematicIndices.extendedCount(row - 1) : nil
    }

    private static func prime(from start: Int) -> Int {
        var candidate = start
        while !(2..<candidate).prefix(while: { $0 * $0 <= candidate }).allSatisfy({ candidate % $0 != 0 }) {
            candidate += 1
        }
        return candidate
    }
}
