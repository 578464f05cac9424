import KnownAnswers
import SecretMemory
import Signer
import Substrate

/// `{paths, exposure, increment, suggestion, seedNames}`.
enum KeyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("paths", "exposure", "seedNames") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content["paths"], besides: ["why"]) { row in
            try checkPath(&row)
        }
        report.check(content["exposure"], besides: ["id"]) { row in
            let exposed = AddressDetails(
                seedName: "Alice", path: try row.text("exposedPath"), hasPassword: try row.flag("exposedPassworded"),
                networks: [], scheme: .sr25519, secretExposed: true)
            let reaches = SecretExposure.reaches(
                from: exposed, path: try row.text("path"), hasPassword: try row.flag("passworded"), seed: "Alice")
            row.expect("marked", reaches, equals: try row.flag("marked"))
        }
        report.check(content["increment"], besides: ["id"]) { row in
            let made = try NumberedPaths.next(
                below: row.text("base"), among: row["existing"].strings, count: row.integer("count"),
                isTaken: { _ in false })
            row.expect("created", made, equals: row["created"].strings)
        }
        report.check(content["suggestion"], besides: ["id"]) { row in
            let existing = Set(row["existing"].strings)
            let path = NumberedPaths.suggestion(pathID: try row.text("pathId"), isTaken: existing.contains)
            row.expect("suggestion", path, equals: try row.text("suggestion"))
        }
        // A name that is taken is told by what is there already; of twins in the list the second may be one.
        report.check(content["seedNames"], besides: ["why"]) { row in
            let isTaken = code({ ($0 as? SignerError)?.code }) { try SeedName.checked(row.text("name"), besides: []) }
            row.expect("valid", isTaken == nil, equals: try row.flag("valid"))
        }
    }

    /// A path with a password is valid where a key is made: the two are typed apart, and here they are one text.
    private static func checkPath(_ row: inout Row) throws {
        let text = try row.text("input")
        var found: (path: String, password: String?)?
        do {
            found = (try DerivationPath(parsing: text).description, nil)
        } catch .passwordInPath {
            let whole = try SecretURI(parsing: SecretBytes(copying: Array(text.utf8)))
            // An empty password would be none.
            if whole.phrase == nil, let password = whole.password, password.count > 0 {
                found = (whole.path.description, password.publicText)
            }
        } catch {}
        row.expect("valid", found != nil, equals: try row.flag("valid"))
        row.expect("path", found?.path, equals: row["path"].string)
        row.expect("password", found?.password, equals: row["password"].string)
    }
}
