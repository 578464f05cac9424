import ExecutableImage
import KnownAnswers

/// Files under the paths that they have in a bundle, and the digests of the bundle.
enum BundleAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("entries", "bundle2") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, check)
    }

    private static func check(_ row: inout Row) throws {
        var entries: [BundleDigest.Entry] = []
        var hashes: [String: ImageDigest] = [:]
        for json in row["entries"].array {
            guard let path = json["path"].string, let name = json["file"].string else {
                throw RowError.missing("entries")
            }
            let parsed = try ExecutableFile(parsing: BytesInMemory(row.file(named: name)))
            let digests = try parsed.digests([.text1, .text2]).images
            guard digests.count == 1, let text1 = digests[0].text1, let text2 = digests[0].text2 else {
                throw RowError.missing(name)
            }
            entries.append(try BundleDigest.Entry(path: path, text2: text2))
            hashes[path] = text1
        }
        row.expect("bundle2", try BundleDigest.bundle2(entries).description, equals: try row.text("bundle2"))
        let order = entries.map(\.path).sorted(by: BundleDigest.isPath(_:before:))
        row.expect("order", order, equals: row["order"].strings)
        let combined = try BundleDigest.combineHashes(order.compactMap { hashes[$0] })
        row.expect("combineHashes", combined?.description, equals: try row.text("combineHashes"))
    }
}
