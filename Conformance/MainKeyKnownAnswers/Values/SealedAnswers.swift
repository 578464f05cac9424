import KnownAnswers
import MainKey

/// Sealed values: opened, and sealed again with the nonce that they have.
enum SealedAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("vaultID", "epochKeys") && content["cases"].has("sealed", "purpose", "context")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let keys = try KnownKeys(content)
        report.check(content["cases"]) { row in try check(&row, keys) }
    }

    private static func check(_ row: inout Row, _ known: KnownKeys) throws {
        let sealed = try row.bytes("sealed")
        let binding = row["row"].hex ?? []
        guard let purpose = SealedPurpose(try row.text("purpose"), context: row["context"].strings) else {
            throw RowError.missing("purpose")
        }
        let keys = try known.open()
        let opened = try row.outcome {
            try UnlockedVault(keys: keys).withOpened(sealed, purpose, row: RowBinding(binding)) {
                SealedForm(form: $0, payload: Array($1))
            }
        }
        guard let opened, !row["kind"].isNull else { return }
        let value = try KnownValue.sealable(of: row)
        row.expect("value", opened, equals: try KnownValue.form(of: value))
        try checkSealing(value, purpose, row: binding, under: known, in: &row)
    }

    private static func checkSealing(
        _ value: some SealableValue, _ purpose: SealedPurpose, row binding: [UInt8], under known: KnownKeys,
        in row: inout Row
    ) throws {
        let padding: Int = try row.integer("pad")
        let form = try KnownValue.form(of: value)
        let count = try PlaintextForm.byteCount(payload: form.payload.count, padding: padding)
        var plaintext = [UInt8](repeating: 0, count: count)
        plaintext.withUnsafeMutableBytes { output in
            form.payload.withUnsafeBytes { PlaintextForm.write(form.form, $0, padded: padding != 0, into: output) }
        }
        row.expect("plaintext", plaintext, equals: try row.bytes("plaintext"))
        let sealed = try SealedValue.seal(
            purpose, row: binding, count: count, keys: try known.open(active: row.integer("epoch")),
            nonce: try row.bytes("nonce")
        ) { $0.copyBytes(from: plaintext) }
        row.expect("sealed", sealed, equals: try row.bytes("sealed"))
    }
}
