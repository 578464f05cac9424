@testable import RaptorQ

/// The code as RFC 6330 writes it down: a dense matrix and plain Gauss elimination over GF(256). Slow and short, to
/// compare with.
struct ReferenceCode {
    let parameters: BlockParameters

    /// Row after row, L octets each: LDPC, HDPC, then LT rows for the given ISIs.
    func matrix(_ internalIDs: [UInt32]) -> [[UInt8]] {
        let p = parameters
        let l = p.intermediateSymbolCount
        let zero = [UInt8](repeating: 0, count: l)
        var ldpc = [[UInt8]](repeating: zero, count: p.ldpcSymbolCount)
        let s = p.ldpcSymbolCount
        for i in 0..<p.plainSymbolCount {
            for step in 0..<3 { ldpc[(i % s + step * (1 + i / s)) % s][i] = 1 }
        }
        for i in 0..<s {
            ldpc[i][p.plainSymbolCount + i] = 1
            ldpc[i][p.ltSymbolCount + i % p.piSymbolCount] = 1
            ldpc[i][p.ltSymbolCount + (i + 1) % p.piSymbolCount] = 1
        }
        let lt = internalIDs.map { id in
            var row = zero
            for column in Self.columns(p, id) { row[column] ^= 1 }
            return row
        }
        return ldpc + hdpcRows() + lt
    }

    /// MT · GAMMA, then the identity.
    private func hdpcRows() -> [[UInt8]] {
        let p = parameters
        let (h, width) = (p.hdpcSymbolCount, p.extendedSymbolCount + p.ldpcSymbolCount)
        var rows = [[UInt8]](repeating: [UInt8](repeating: 0, count: p.intermediateSymbolCount), count: h)
        // From the right: GAMMA's column j is 2 times column j + 1, and a one at j.
        for row in 0..<h { rows[row][width - 1] = Octet.powers[row] }
        for j in (0..<width - 1).reversed() {
            for row in 0..<h { rows[row][j] = Octet.product(2, by: rows[row][j + 1]) }
            let first = RandomNumbers.value(y: UInt32(j + 1), i: 6, m: UInt32(h))
            let second = (first + RandomNumbers.value(y: UInt32(j + 1), i: 7, m: UInt32(h - 1)) + 1) % UInt32(h)
            rows[Int(first)][j] ^= 1
            rows[Int(second)][j] ^= 1
        }
        for row in 0..<h { rows[row][width + row] = 1 }
        return rows
    }

    static func columns(_ parameters: BlockParameters, _ internalID: UInt32) -> [Int] {
        var columns = [UInt16](repeating: 0, count: LTTuple.maximumColumns)
        let count = LTCode(parameters).writeColumns(internalID, to: &columns)
        return columns[..<count].map { Int($0) }
    }

    /// All intermediate symbols from known encoding symbols, or nil if those do not determine them.
    func solve(_ known: [(internalID: UInt32, symbol: [UInt8])]) -> [[UInt8]]? {
        let l = parameters.intermediateSymbolCount
        let size = known.first?.symbol.count ?? 0
        let zeros = [[UInt8]](
            repeating: [UInt8](repeating: 0, count: size),
            count: parameters.ldpcSymbolCount + parameters.hdpcSymbolCount)
        var rows = matrix(known.map(\.internalID))
        let symbols = zeros + known.map(\.symbol)
        for index in rows.indices { rows[index] += symbols[index] }
        for column in 0..<l {
            guard let pivot = (column..<rows.count).first(where: { rows[$0][column] != 0 }) else { return nil }
            rows.swapAt(pivot, column)
            let scale = Octet.inverse(rows[column][column])
            let scaled = rows[column].map { Octet.product(scale, by: $0) }
            rows[column] = scaled
            for row in rows.indices where row != column && rows[row][column] != 0 {
                let factor = rows[row][column]
                for index in column..<scaled.count { rows[row][index] ^= Octet.product(factor, by: scaled[index]) }
            }
        }
        return rows[..<l].map { Array($0[l...]) }
    }

    /// The encoding symbol of an ISI.
    func encode(_ intermediate: [[UInt8]], _ internalID: UInt32) -> [UInt8] {
        Self.columns(parameters, internalID).reduce(into: [UInt8](repeating: 0, count: intermediate[0].count)) {
            sum, column in
            for index in sum.indices { sum[index] ^= intermediate[column][index] }
        }
    }
}
