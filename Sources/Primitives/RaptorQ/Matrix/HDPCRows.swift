/// The HDPC rows of the constraint matrix, never written out: their product with a vector v is
/// MT · (GAMMA · v), where GAMMA · v is y[j] = 2 · y[j − 1] + v[j], and each column of MT but the last has two ones.
///
/// Sums are taken per pair of rows and dealt to the rows afterwards: one addition for each column, not two.
///
/// Source: RFC 6330 5.3.3.3; `raptorq-qr` section 10.4.
struct HDPCRows: Sendable {
    /// H.
    let rowCount: Int
    /// K' + S: the columns that take part; the identity stands on the H behind them.
    let columnCount: Int
    /// The pair of rows that each column but the last belongs to.
    let buckets: [UInt8]

    init(_ parameters: BlockParameters) {
        let h = parameters.hdpcSymbolCount
        rowCount = h
        columnCount = parameters.extendedSymbolCount + parameters.ldpcSymbolCount
        buckets = (1..<UInt32(columnCount)).map { j in
            let first = Int(RandomNumbers.value(y: j, i: 6, m: UInt32(h)))
            let second = (first + Int(RandomNumbers.value(y: j, i: 7, m: UInt32(h - 1))) + 1) % h
            return UInt8(Self.bucket(low: min(first, second), high: max(first, second), of: h))
        }
    }

    /// Number of pairs of rows: at most 120.
    var bucketCount: Int { rowCount * (rowCount - 1) / 2 }

    /// The pairs that a row belongs to.
    func buckets(of row: Int) -> [Int] {
        (0..<rowCount).filter { $0 != row }.map { Self.bucket(low: min(row, $0), high: max(row, $0), of: rowCount) }
    }

    private static func bucket(low: Int, high: Int, of rows: Int) -> Int {
        low * (2 * rows - low - 1) / 2 + high - low - 1
    }
}
