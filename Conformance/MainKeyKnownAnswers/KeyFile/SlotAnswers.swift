import KnownAnswers
import MainKey

/// Single slots, with what their keys are made of.
enum SlotAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("slot", "mainKeyID", "credential") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content["cases"], check)
    }

    private static func check(_ row: inout Row) throws {
        let bytes = try row.bytes("slot")
        let vault = try row.vault()
        let mainKeyID = try row.bytes("mainKeyID")
        let credential = try KnownCredential(row["credential"])
        let opened = try row.outcome {
            let slot = try Slot(parsing: bytes[...])
            guard let parts = try credential.parts(for: slot) else { throw MainKeyError.noSuchSlot("this credential") }
            return (slot, parts, try slot.open(parts, vault: vault, mainKeyID: mainKeyID))
        }
        guard let (slot, parts, mainKey) = opened else { return }
        row.expect("main key", mainKey.revealed, equals: try row.bytes("mainKey"))
        row.expect("written", slot.bytes, equals: bytes)
        if !row["trace"].isNull {
            try check(row["trace"], of: slot, parts, vault: vault, mainKeyID: mainKeyID, in: &row)
        }
    }

    /// The values in between.
    private static func check(
        _ trace: JSON, of slot: Slot, _ parts: [Slot.Part], vault: VaultID, mainKeyID: [UInt8], in row: inout Row
    ) throws {
        let keys = try Slot.keys(parts, salt: slot.salt, vault: vault, id: slot.id, kind: slot.kind)
        row.expect("ikm", try Slot.input(parts).revealed, equals: trace["ikm"].hex)
        row.expect("prk", keys.pseudorandom.revealed, equals: trace["prk"].hex)
        row.expect("encKey", keys.encryption.revealed, equals: trace["encKey"].hex)
        row.expect("commitment", keys.commitment, equals: trace["commitment"].hex)
        row.expect("aad", slot.data(vault: vault, mainKeyID: mainKeyID), equals: trace["aad"].hex)
        guard let expected = trace["hwAuth"].hex, case .pin(let pin)? = parts.first else { return }
        let authorisation = try Slot.hardwareAuthorisation(
            pin: pin, salt: slot.salt, vault: vault, id: slot.id, kind: slot.kind)
        row.expect("hwAuth", authorisation.revealed, equals: expected)
    }
}
