import KnownAnswers
import MainKey
import SecretMemory

/// The published vectors of C2SP/wycheproof for what the format is built of.
enum WycheproofAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("algorithm", "testGroups") }

    static var members: Set<String>? { ["algorithm", "schema", "numberOfTests", "header", "testGroups"] }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let algorithm = content["algorithm"].string ?? ""
        for group in content["testGroups"].array {
            let tests = group["tests"].array
            switch algorithm {
            case "AES-GCM": checkAESGCM(tests, of: group, named: "\(file.path) AES-GCM", report: &report)
            case "HKDF-SHA-256": report.check(tests, of: "\(file.path) HKDF", besides: ["flags"], checkHKDF)
            case "HMACSHA256":
                let count = (group["tagSize"].int ?? 0) / 8
                report.check(tests, of: "\(file.path) HMAC", besides: ["flags"]) { row in
                    try checkHMAC(&row, byteCount: count)
                }
            default:
                report.fail(file.path, because: "no check for the algorithm \(algorithm)")
            }
        }
    }

    // MARK: AES-GCM

    private static func checkAESGCM(_ tests: [JSON], of group: JSON, named list: String, report: inout Report) {
        guard group["keySize"].int == 256, group["ivSize"].int == 96, group["tagSize"].int == 128 else {
            for _ in tests {
                report.skip(list, because: "MainKey uses keys of 256, nonces of 96 and tags of 128 bits only")
            }
            return
        }
        for backend in AEAD.Backend.allCases {
            report.check(tests, of: "\(list) by \(backend)", besides: ["flags"]) { row in
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
        if row["result"].string == "valid" {
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
        let isValid = row["result"].string == "valid"
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
