import KnownAnswers
import MainKey

/// Whole key files. Beside the list, in the folder of its name, the good ones lie as files `k0.mk` and so on.
enum KeyFileAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("file_b64", "credential") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content["cases"], check)
        try checkFiles(content["cases"].array, of: file, report: &report)
    }

    private static func check(_ row: inout Row) throws {
        let bytes = try row.base64("file_b64")
        let credential = try KnownCredential(row["credential"])
        let anchor: UInt64? = row["anchorNow"].isNull ? nil : try row.integer("anchorNow")
        guard let opened = try row.outcome({ try OpenedKeyFile(bytes, with: credential, anchor: anchor) }) else {
            return
        }
        row.expect("main key", opened.secrets.mainKey.revealed, equals: try row.bytes("mainKey"))
        row.expect("epochs", opened.epochs.revealed, equals: try KnownKeys.keys(row["epochs"]).revealed)
        row.expect("written", opened.file.bytes(under: opened.secrets), equals: bytes)
        let header = row["header"]
        guard !header.isNull else { return }
        row.expect("vaultID", opened.file.vault.bytes, equals: header["vaultID"].hex)
        row.expect("slotCount", opened.file.slots.count, equals: header["slotCount"].int)
        row.expect("size", bytes.count, equals: header["size"].int)
    }

    /// Checks the files. Each is the good case that its number names, in the order of their first appearance.
    private static func checkFiles(_ cases: [JSON], of file: AnswerFile, report: inout Report) throws {
        var good: [[UInt8]] = []
        for json in cases where json["expect"].string == "ok" {
            if let bytes = json["file_b64"].base64, !good.contains(bytes) { good.append(bytes) }
        }
        for (index, expected) in good.enumerated() {
            let beside = file.inside("k\(index).mk")
            guard beside.exists else { continue }
            report.expect(file.name(beside.name), try beside.bytes(), equals: expected)
        }
    }
}
