import KnownAnswers
import MainKey

/// What equal values are found by.
enum BlindIndexAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("vaultID", "epochKeys") && content["cases"].has("table", "column", "length")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let keys = try KnownKeys(content).open()
        report.check(content["cases"]) { row in
            let value = try KnownValue.sealable(of: row)
            let (table, column) = (try row.text("table"), try row.text("column"))
            let (epoch, count): (UInt32, Int) = (try row.integer("epoch"), try row.integer("length"))
            let index = try row.outcome {
                try UnlockedVault(keys: keys).blindIndex(
                    value, table: table, column: column, epoch: epoch, count: count)
            }
            if let index { row.expect("index", index, equals: try row.bytes("index")) }
        }
    }
}
