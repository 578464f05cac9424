import KnownAnswers
import MainKey
import SecretMemory

/// The published vectors of C2SP/wycheproof for what the format is built of.
enum WycheproofAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("algorithm", "testGroups") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // Words about the tests, whose flags say of each what it is about.
        content.leave("schema", "header")
        for note in content["notes"].object.values { note.leave("bugType", "effect", "cves") }
        let algorithm = content["algorithm"].string ?? ""
        var count = 0
        for group in content["testGroups"].rows {
            group.leave("source.version", "type")
            let tests = group["tests"]
            count += tests.array.count
            switch algorithm {
            case "AES-GCM": checkAESGCM(tests, of: group, report: &report)
            case "HKDF-SHA-256":
                report.check(tests, besides: ["flags"]) { row in
                    row.expect("size of the key", try row.bytes("ikm").count * 8, equals: group["keySize"].int)
                    try checkHKDF(&row)
                }
            case "HMACSHA256":
                let count = (group["tagSize"].int ?? 0) / 8
                report.check(tests, besides: ["flags"]) { row in
                    row.expect("size of the key", try row.bytes("key").count * 8, equals: group["keySize"].int)
                    try checkHMAC(&row, byteCount: count)
                }
            default:
                report.fail(file.path, because: "no check for the algorithm \(algorithm)")
            }
        }
        report.expect(file.name("numberOfTests"), count, equals: content["numberOfTests"].int)
    }

    private static let results: KeyValuePairs = ["valid": true, "invalid": false]

    // MARK: AES-GCM

    private static func checkAESGCM(_ tests: JSON, of group: JSON, report: inout Report) {
        guard group["keySize"].int == 256, group["ivSize"].int == 96, group["tagSize"].int == 128 else {
            return report.check(tests, besides: ["flags"]) { row in
                row.skip("MainKey uses keys of 256, nonces of 96 and tags of 128 bits only")
            }
        }
        for backend in AEAD.Backend.allCases {
            report.check(tests, as: "by \(backend)", besides: ["flags"]) { row in
                guard backend.isAvailable else {
                    row.skip("this machine has no AES instructions for \(backend)")
                    return
                }
                try checkAESGCM(&row, backend)
            }
        }
    }

    private static func checkAESGCM(_ row: inout Row, _ backend: AEAD.Backend) throws {
        let aead = try backend.cipher(key: try row.secret("key"))
        let nonce = try row.bytes("iv")
        let data = try row.bytes("aad")
        let message = try row.bytes("msg")
        let sealed = try row.bytes("ct") + row.bytes("tag")
        let opened = try aead.open(sealed, nonce: nonce, data: data)
        if try row.choice("result", results) {
            row.expect("opened", opened?.revealed, equals: message)
            row.expect("sealed", aead.seal(try row.secret("msg"), nonce: nonce, data: data), equals: sealed)
        } else {
            row.expect("opened", opened?.revealed, equals: nil)
        }
    }

    // MARK: HMAC and HKDF

    private static func checkHKDF(_ row: inout Row) throws {
        let key = try HMACSHA256.extract(salt: try row.bytes("salt"), try row.secret("ikm"))
        let info = try row.bytes("info")
        let size: Int = try row.integer("size")
        let isValid = try row.choice("result", results)
        do {
            let output = try HMACSHA256.expand(key, info: info, count: size)
            row.expect("result", "valid", equals: isValid ? "valid" : "invalid")
            if isValid { row.expect("okm", output.revealed, equals: try row.bytes("okm")) }
        } catch MainKeyError.limitExceeded {
            row.expect("result", "invalid", equals: isValid ? "valid" : "invalid")
        }
    }

    private static func checkHMAC(_ row: inout Row, byteCount: Int) throws {
        let code = HMACSHA256.code(key: try row.secret("key"), [try row.bytes("msg")])
        let isEqual = Array(code.prefix(byteCount)) == (try row.bytes("tag"))
        row.expect("result", isEqual ? "valid" : "invalid", equals: try row.text("result"))
    }
}
