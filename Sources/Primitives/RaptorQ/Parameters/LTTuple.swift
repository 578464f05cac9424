/// The intermediate symbols that make up an encoding symbol.
///
/// Source: RFC 6330 5.3.5.2 to 5.3.5.4; `raptorq-qr` section 4. Arithmetic is that of 32-bit words, with wrap-around.
struct LTTuple: Equatable {
    /// Number of LT symbols, first of them and step between them.
    let degree, step, start: UInt32
    /// Number of PI symbols, first of them and step between them.
    let piDegree, piStep, piStart: UInt32

    /// The most symbols that one encoding symbol is made of: 30 LT and 3 PI symbols.
    static let maximumColumns = 33

    @inline(__always)
    init(_ code: LTCode, internalID: UInt32) {
        let y = code.tupleOffset &+ internalID &* code.tupleFactor
        degree = Self.degree(RandomNumbers.value(y: y, i: 0, m: 1 << 20), ltSymbols: code.w)
        step = 1 + RandomNumbers.value(y: y, i: 1, m: code.w - 1)
        start = RandomNumbers.value(y: y, i: 2, m: code.w)
        piDegree = degree < 4 ? 2 + RandomNumbers.value(y: internalID, i: 3, m: 2) : 2
        piStep = 1 + RandomNumbers.value(y: internalID, i: 4, m: code.p1 - 1)
        piStart = RandomNumbers.value(y: internalID, i: 5, m: code.p1)
    }

    /// Deg[v], at most W − 2.
    static func degree(_ value: UInt32, ltSymbols: UInt32) -> UInt32 {
        var degree = 1
        while value >= thresholds[degree] { degree += 1 }
        return min(UInt32(degree), ltSymbols - 2)
    }

    private static let thresholds: [UInt32] = [
        0, 5243, 529531, 704294, 791675, 844104, 879057, 904023, 922747, 937311, 948962, 958494, 966438, 973160,
        978921, 983914, 988283, 992138, 995565, 998631, 1_001_391, 1_003_887, 1_006_157, 1_008_229, 1_010_129,
        1_011_876, 1_013_490,
        1_014_983, 1_016_370, 1_017_662, 1_048_576,
    ]
}
