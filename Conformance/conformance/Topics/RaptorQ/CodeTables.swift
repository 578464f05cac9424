import KnownAnswers
import RaptorQ

/// `{oct_exp, oct_log_1_to_255}`: the field of 256 elements.
enum OctetAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("oct_exp") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let field = CodeInspection.field
        report.expect(file.name("generator_polynomial"), "0x11D", equals: content["generator_polynomial"].string)
        let powers = content["oct_exp"].ints
        report.expect("\(file.path) oct_exp", powers, equals: (0..<powers.count).map { Int(field.powers[$0 % 255]) })
        report.expect(
            "\(file.path) oct_log", content["oct_log_1_to_255"].ints, equals: field.logarithms.map(Int.init))
    }
}

/// `{V0…V3, degree_f}`: the tables of random numbers, and the thresholds of degrees.
enum RandomNumberAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("degree_f", "V0") }

    /// The thresholds are found again by asking on both sides of each; the words by functions of single bytes.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let thresholds = content["degree_f"].ints
        for (degree, threshold) in thresholds.enumerated() where degree > 0 && degree < thresholds.count - 1 {
            let found = [threshold - 1, threshold].map {
                CodeInspection.degree(UInt32(truncatingIfNeeded: $0), ltSymbols: 1000)
            }
            report.expect("\(file.path) f[\(degree)]", found, equals: [UInt32(degree), UInt32(degree) + 1])
        }
        let words = (0..<4).map { content["V\($0)"].ints }
        guard words.allSatisfy({ $0.count == 256 }) else {
            return report.fail(file.path, because: "a table of random numbers has not 256 words")
        }
        for index in 0..<256 {
            // All bytes of y but one are 0, so that the other tables give their first word.
            for table in 0..<4 {
                let y = UInt32(index) << UInt32(8 * table)
                let expected = (0..<4).reduce(0) { $0 ^ words[$1][$1 == table ? index : 0] }
                report.expect(
                    "\(file.path) V\(table)[\(index)]", CodeInspection.random(y: y, i: 0, m: .max),
                    equals: UInt32(truncatingIfNeeded: expected) % .max)
            }
        }
    }
}

/// `{rand, deg, tuple}`: functions with what they give.
enum CodeFunctionAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("rand", "deg", "tuple") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, row) in content["rand"].rows.enumerated() {
            guard row["m"].word > 0, row.hasWords("y", "i", "m", "out") else {
                report.fail("\(file.path) rand[\(index)]", because: "y, i, m or out is missing")
                continue
            }
            let found = CodeInspection.random(y: row["y"].word, i: row["i"].word, m: row["m"].word)
            report.expect("\(file.path) rand[\(index)]", found, equals: row["out"].word)
        }
        for (index, row) in content["deg"].rows.enumerated() {
            guard row["v"].word < 1 << 20, row.hasWords("v", "W", "d") else {
                report.fail("\(file.path) deg[\(index)]", because: "v, W or d is missing")
                continue
            }
            let found = CodeInspection.degree(row["v"].word, ltSymbols: row["W"].word)
            report.expect("\(file.path) deg[\(index)]", found, equals: row["d"].word)
        }
        for (index, row) in content["tuple"].rows.enumerated() {
            guard let code = try? BlockParameters(sourceSymbolCount: Int(row["Kprime"].word)) else {
                report.fail("\(file.path) tuple[\(index)]", because: "no such K'")
                continue
            }
            let id = row["X"].word
            report.expect(
                "\(file.path) tuple[\(index)]", CodeInspection.tuple(code, internalID: id),
                equals: row["d_a_b_d1_a1_b1"].array.map(\.word))
            report.expect(
                "\(file.path) tuple[\(index)] columns", CodeInspection.columns(code, internalID: id).sorted(),
                equals: row["columns"].ints.sorted())
        }
    }
}

/// `{K': {rows_hex…}}`: whole matrices of constraints.
enum ConstraintAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["10"].has("rows_hex") }

    /// Sparse rows as they stand; dense rows by what they say of a block: its intermediate symbols sum up to nothing.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (key, matrix) in content.object {
            let rows = matrix["rows_hex"].hexes
            guard let count = Int(key), let code = try? BlockParameters(sourceSymbolCount: count),
                let parameters = try? ObjectParameters(objectSize: count * 8, symbolSize: 8),
                let symbols = try? CodeInspection.intermediateSymbols(
                    RaptorQTopic.stream(seed: 1, count: count * 8), parameters)
            else {
                report.fail("\(file.path) \(key)", because: "no such K'")
                continue
            }
            let sizes = [
                "S": code.ldpcSymbolCount, "H": code.hdpcSymbolCount, "L": code.intermediateSymbolCount,
                "W": code.ltSymbolCount, "P": code.piSymbolCount,
            ]
            for (name, size) in sizes { report.expect("\(file.path) \(key) \(name)", size, equals: matrix[name].int) }
            let sparse = CodeInspection.sparseRows(code)
            guard rows.count == code.intermediateSymbolCount, rows.allSatisfy({ $0.count == rows.count }) else {
                report.fail("\(file.path) \(key)", because: "the matrix is not of L rows and columns")
                continue
            }
            for (index, row) in rows.enumerated() {
                let dense = index - code.ldpcSymbolCount
                if (0..<code.hdpcSymbolCount).contains(dense) {
                    report.expect(
                        "\(file.path) \(key) row \(index)", sum(of: symbols, times: row),
                        equals: [UInt8](repeating: 0, count: 8))
                } else {
                    let columns = sparse[index < code.ldpcSymbolCount ? index : index - code.hdpcSymbolCount]
                    var found = [UInt8](repeating: 0, count: row.count)
                    for column in columns { found[column] ^= 1 }
                    report.expect("\(file.path) \(key) row \(index)", found, equals: row)
                }
            }
        }
    }

    /// Each symbol, of 8 bytes, times the factor in its column, and the sum of all.
    private static func sum(of symbols: [[UInt8]], times row: [UInt8]) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: 8)
        for (column, factor) in row.enumerated() where column < symbols.count {
            for byte in 0..<8 { sum[byte] ^= CodeInspection.product(factor, by: symbols[column][byte]) }
        }
        return sum
    }
}

extension JSON {
    /// Whether all of these members are numbers of 32 bits.
    fileprivate func hasWords(_ keys: String...) -> Bool {
        keys.allSatisfy { self[$0].int.flatMap { UInt32(exactly: $0) } != nil }
    }

    /// A number of 32 bits, all ones if it is none.
    var word: UInt32 { UInt32(truncatingIfNeeded: int ?? -1) }
}
