import ExecutableImage
import KnownAnswers

/// Files that were tampered with: which digests still equal those of the file they were made from.
enum TamperAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("file", "base", "note") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, check)
    }

    private static func check(_ row: inout Row) throws {
        let base = try ExecutableFile(parsing: BytesInMemory(row.file("base")))
        let before = try base.digests(Set(DigestKind.allCases))
        guard let (parsed, after) = try row.measured(row.file("file")) else { return }
        for kind in [DigestKind.text1, .text2, .load2, .pageRoot] {
            let isEqual = before.images.map { $0[kind] } == after.images.map { $0[kind] }
            row.expect(kind.rawValue, verdict(isEqual), equals: row[kind.rawValue].string)
        }
        row.expect("fileDigest", verdict(before.file == after.file), equals: row["fileDigest"].string)
        guard !row["codeSignature"].isNull else { return }
        let directories = try parsed.images.flatMap { try parsed.codeSignature(of: $0)?.directories ?? [] }
        let bad = directories.flatMap(\.badPages)
        row.expect("codeSignature", bad.isEmpty ? "ok" : "badPages \(bad)", equals: row["codeSignature"].string)
    }

    private static func verdict(_ isEqual: Bool) -> String { isEqual ? "match" : "MISMATCH" }
}
