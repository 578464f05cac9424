import AppAttest
import KnownAnswers

/// Receipts that Apple made, with attestations and later.
enum ReceiptAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("receipt_b64", "encoding", "expect") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // Where it was published and how it is encoded, and what else is in it.
        report.check(
            content,
            besides: [
                "encoding", "source.repo", "source.path", "source.from_history",
                "source.licence", "expect.attribute_types",
            ], check)
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
            environment: try Row(expected).choice("environment", ["production": .production, "sandbox": .development]),
            at: try row.time("verify_at"), kind: kind)
        row.expect("result", "ok", equals: expected["result"].string)
        row.expect("\(row.id) key", receipt.publicKey, equals: key)
        row.expect(receipt, expected)
    }
}
