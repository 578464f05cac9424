/// How the rows of a slab are used: the intermediate symbols, then what is needed on the way.
struct SlabRows: Sendable {
    /// Right sides of the equations that gave no pivot.
    let unused: Range<Int>
    /// Number of rows.
    var end: Int
    private(set) var hdpcStart = 0
    private var bucketCount = 0
    private var hdpcCount = 0

    init(_ parameters: BlockParameters, unusedCount: Int) {
        unused = parameters.intermediateSymbolCount..<parameters.intermediateSymbolCount + unusedCount
        end = unused.upperBound
    }

    /// Room for what ``HDPCRows`` needs: sums of pairs, powers, rows.
    mutating func reserveHDPC(_ hdpc: HDPCRows) {
        hdpcStart = end
        bucketCount = hdpc.bucketCount
        hdpcCount = hdpc.rowCount
        end += bucketCount + 2 * hdpcCount
    }

    func bucket(_ index: Int) -> Int { hdpcStart + index }
    func power(_ row: Int) -> Int { hdpcStart + bucketCount + row }
    func hdpc(_ row: Int) -> Int { hdpcStart + bucketCount + hdpcCount + row }
}
