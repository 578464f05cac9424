import ExecutableImage
import KnownAnswers

/// The fs-verity digests of made-up content of several lengths.
enum VerityAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("length", "salt", "fsverity") }

    /// The content that the file describes in words; another description would need other code.
    private static let content = "byte i = (i*131 + 17 + (i>>8)) & 0xff"

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        guard content["content"].string == Self.content else { throw RowError.missing("content") }
        guard content["blockSize"].int == 4096, content["hash"].string == "sha256" else {
            throw RowError.missing("the one size of blocks and the one hash that are made here")
        }
        report.check(content["cases"], check)
    }

    private static func check(_ row: inout Row) throws {
        guard let length = row["length"].int, length >= 0 else { throw RowError.missing("length") }
        let bytes = BytesInMemory((0..<length).map { UInt8(truncatingIfNeeded: $0 * 131 + 17 + ($0 >> 8)) })
        let digest = try FSVerity.digest(of: bytes, salt: row.bytes("salt"))
        row.expect("fsverity", digest.description, equals: try row.text("fsverity"))
        row.expect("sha256", try ImageDigest(ofAll: bytes).description, equals: try row.text("sha256"))
    }
}
