import KnownAnswers
import MainKey
import SecretMemory

/// A whole vault, in the folder of the list's name: key file, attempts, a database with sealed columns, encrypted
/// files.
enum SampleVaultAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("pin", "recovery", "mainKey", "epochKeys", "rows", "files")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        guard content["noteColumnRowBinding"].string == "8-byte big-endian row id" else {
            throw RowError.missing("the binding of notes that is made here")
        }
        let known = try KnownKeys(content)
        checkKeyFile(content, known, bytes: try file.inside("keyring.mk").bytes(), report: &report)
        try checkAttempts(known, in: file.inside("attempts.mk"), report: &report)
        try SampleDatabase(in: file.inside("app.sqlite")).check(content["rows"], known, report: &report)
        let keys = try FileKeySource(known.open())
        report.check(content["files"]) { row in
            let encrypted = try EncryptedAnswer(row, of: file, keys)
            try encrypted.check(
                try encrypted.decrypted(), KnownPlaintext(count: row.integer("len"), seed: row.integer("patternSeed")),
                sha256: row.bytes("sha256"), in: &row)
        }
    }

    /// Opens a key file with the PIN and with the recovery code as they are typed.
    private static func checkKeyFile(
        _ content: JSON, _ known: KnownKeys, bytes: [UInt8], report: inout Report
    ) {
        for credential in ["pin", "recovery"] {
            report.check(content, as: credential) { row in
                let typed = try row.secretText(credential)
                let opened = try OpenedKeyFile(
                    bytes, with: credential == "pin" ? KnownCredential(pin: typed) : KnownCredential(recovery: typed))
                row.expect("main key", opened.secrets.mainKey.revealed, equals: try row.bytes("mainKey"))
                row.expect("epochs", opened.epochs.revealed, equals: known.byEpoch.revealed)
                row.expect("vaultID", opened.file.vault, equals: known.vault)
                checkHeader(opened.file, &row)
            }
        }
    }

    private static func checkHeader(_ file: KeyFile, _ row: inout Row) {
        let header = row["header"]
        row.expect("generation", Int(file.generation), equals: header["generation"].int)
        row.expect("flags", Int(file.flags.rawValue), equals: header["flags"].int)
        row.expect("autolockMinutes", Int(file.autolockMinutes), equals: header["autolockMinutes"].int)
        row.expect("maxAttempts", Int(file.attemptLimit), equals: header["maxAttempts"].int)
        row.expect("activeEpoch", Int(file.activeEpoch), equals: header["activeEpoch"].int)
        guard let expected = row["argon2"].string else { return }
        for cost in file.slots.compactMap(\.cost) {
            row.expect("argon2", "t=\(cost.passes) m=\(cost.memoryKiB) KiB", equals: expected)
        }
    }

    private static func checkAttempts(
        _ known: KnownKeys, in file: AnswerFile, report: inout Report
    ) throws {
        guard file.exists else { return }
        let bytes = try file.bytes()
        report.expect(
            file.path, try AttemptRecord(parsing: bytes, vaultID: known.vault.bytes).encoded, equals: bytes)
    }
}
