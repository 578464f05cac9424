import AppAttest
import KnownAnswers

/// Receipts that Apple made, with attestations and later.
enum ReceiptAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("receipt_b64", "encoding", "expect") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content.array, of: file.path, besides: ["encoding"], check)
    }

    private static func check(_ row: inout Row) throws {
        let expected = row["expect"]
        guard let kind = expected["type"].string.flatMap(Receipt.Kind.init(rawValue:)),
            let appID = expected["app_id"].string.flatMap({ AppID($0) })
        else { throw RowError.missing("expect") }
        let key = try row.bytes("public_key_x963_hex")
        let receipt = try ReceiptVerifier().verify(
            receipt: try row.base64("receipt_b64"), publicKey: key, appID: appID,
            expectedClientHash: expected["client_hash_hex"].hex,
            environment: expected["environment"].string == "production" ? .production : .development,
            at: try row.time("verify_at"), kind: kind)
        row.expect("\(row.id) key", receipt.publicKey, equals: key)
        row.expect(receipt, expected)
    }
}
