import KnownAnswers
import MainKey
import SecretMemory

/// Keys that are derived from epoch keys and from the MainKey.
enum SubkeyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content["subkeys"].has("ek", "purpose") || content["keyfile_keys"].has("mainKey", "keyID")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(
            content, by: ["subkeys": RowCheck(check: checkSubkey), "keyfile_keys": RowCheck(check: checkNamedKeys)])
    }

    @Sendable private static func checkSubkey(_ row: inout Row) throws {
        let key = try row.secret("ek")
        let epoch: UInt32 = try row.integer("epoch")
        let vault = try row.vault()
        let keys = EpochKeys([epoch: key], active: epoch, vault: vault)
        let names = row["context"].strings
        let subkey: SecretBytes
        switch (try row.text("purpose"), names.count) {
        case ("db-index", 2): subkey = try keys.indexKey(table: names[0], column: names[1], epoch: epoch)
        case ("file", 0): subkey = try keys.fileKey(epoch: epoch)
        case (let name, _):
            guard let purpose = SealedPurpose(name, context: names) else { throw RowError.missing("purpose") }
            row.expect("context", try purpose.context(), equals: try row.bytes("context_hex"))
            subkey = try keys.subkey(purpose, epoch: epoch)
        }
        row.expect("subkey", subkey.revealed, equals: try row.bytes("subkey"))
    }

    @Sendable private static func checkNamedKeys(_ row: inout Row) throws {
        let secrets = try MainKeySecrets(try row.secret("mainKey"), vault: try row.vault())
        row.expect("keyID", secrets.id, equals: try row.bytes("keyID"))
        row.expect("macKey", secrets.fileCode.revealed, equals: try row.bytes("macKey"))
        row.expect("epochWrapKey", secrets.epochWrapping.revealed, equals: try row.bytes("epochWrapKey"))
    }
}

extension SealedPurpose {
    /// - Returns: nil for what is no purpose of a sealed value, or has other names.
    init?(_ name: String, context: [String]) {
        switch (name, context.count) {
        case ("db-attr", 2): self = .column(table: context[0], column: context[1])
        // No column is without a table. What opens in neither is refused in the same way.
        case ("db-attr", 1): self = .column(table: context[0], column: "")
        case ("token", 1): self = .token(context[0])
        case ("item", 1): self = .item(context[0])
        case ("app", 1): self = .app(context[0])
        default: return nil
        }
    }
}
