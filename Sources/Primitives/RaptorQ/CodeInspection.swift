/// What goes on inside the code, for those who check it against known answers or want to see what a plan costs.
package enum CodeInspection {
    /// Rand[y, i, m].
    package static func random(y: UInt32, i: UInt32, m: UInt32) -> UInt32 { RandomNumbers.value(y: y, i: i, m: m) }

    /// Deg[v] for W LT symbols.
    package static func degree(_ value: UInt32, ltSymbols: UInt32) -> UInt32 {
        LTTuple.degree(value, ltSymbols: ltSymbols)
    }

    /// d, a, b, d1, a1 and b1 of an encoding symbol.
    package static func tuple(_ parameters: BlockParameters, internalID: UInt32) -> [UInt32] {
        let tuple = LTTuple(LTCode(parameters), internalID: internalID)
        return [tuple.degree, tuple.step, tuple.start, tuple.piDegree, tuple.piStep, tuple.piStart]
    }

    /// The intermediate symbols that an encoding symbol is made of.
    package static func columns(_ parameters: BlockParameters, internalID: UInt32) -> [Int] {
        let rows = BinaryRows(parameters, internalIDs: [internalID])
        return rows.row(parameters.ldpcSymbolCount).map(Int.init)
    }

    /// The columns of a row of the constraint matrix but for the dense ones: first the LDPC rows, then those of the
    /// symbols 0 to K' − 1.
    package static func sparseRows(_ parameters: BlockParameters) -> [[Int]] {
        let rows = BinaryRows(parameters, internalIDs: Array(0..<UInt32(parameters.extendedSymbolCount)))
        return (0..<rows.count).map { rows.row($0).map(Int.init) }
    }

    /// exp and log of the field's elements: 2^i for 0 to 254, and the logarithm of 1 to 255.
    package static var field: (powers: [UInt8], logarithms: [UInt8]) {
        var powers: [UInt8] = [1]
        while powers.count < 255 { powers.append(Octet.product(powers[powers.count - 1], by: 2)) }
        var logarithms = [UInt8](repeating: 0, count: 255)
        for (index, power) in powers.enumerated() { logarithms[Int(power) - 1] = UInt8(index) }
        return (powers, logarithms)
    }

    package static func product(_ a: UInt8, by b: UInt8) -> UInt8 { Octet.product(a, by: b) }

    /// All intermediate symbols of a block that is the whole object.
    package static func intermediateSymbols(
        _ source: [UInt8], _ parameters: ObjectParameters
    ) throws(RaptorQError) -> [[UInt8]] {
        let block = try SourceBlock(parameters, block: 0, StripLayout(symbolSize: parameters.symbolSize))
        let symbols = source.withUnsafeBytes { block.intermediateSymbols(of: $0, .selected) }
        return symbols.all
    }

    /// What a plan for encoding looks like.
    package struct PlanFigures: Sendable {
        package let intermediateSymbols: Int
        package let inactiveSymbols: Int
        package let sparseEntries: Int
    }

    package static func plan(_ parameters: BlockParameters) -> PlanFigures {
        let rows = BinaryRows(parameters, internalIDs: Array(0..<UInt32(parameters.extendedSymbolCount)))
        let entries = (0..<rows.count).reduce(0) { $0 + rows.row($1).count }
        var inactive = 0
        if let peeling = Peeling(rows, parameters, inactiveLimit: .max) { inactive = peeling.inactiveCount }
        return PlanFigures(
            intermediateSymbols: parameters.intermediateSymbolCount, inactiveSymbols: inactive, sparseEntries: entries)
    }
}
