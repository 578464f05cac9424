import KnownAnswers
import SCALE
import Signer
import TextForms

/// `{events: [{event, index, scale, danger}], logs: [{entries, entryScale, crc32, shown, chainDigest…}]}`.
enum HistoryAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("events", "logs") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content["events"], besides: ["id"]) { row in
            let bytes = try row.bytes("scale")
            let event = try Event(scaleEncoded: bytes)
            row.expect("event", event.known, equals: row["event"])
            row.expect("encoding", hex(event.scaleEncoded), equals: hex(bytes))
            row.expect("number", Int(event.index), equals: try row.integer("index"))
            // Showing a phrase is dangerous here, which the original does not say.
            let isShowing = if case .seedNameWasShown = event { true } else { false }
            let isDangerous = try row.flag("danger")
            row.expect("danger", event.isDangerous, equals: isShowing || isDangerous)
        }
        report.check(content["logs"], besides: ["generator"]) { row in try checkLog(&row) }
    }

    private static func checkLog(_ row: inout Row) throws {
        let encoded = row["entryScale"].hexes
        let entries = row["entries"].array
        row.expect("encoded entries", encoded.count, equals: entries.count)
        row.expect("entries", entries.count, equals: try row.integer("count"))
        var pairs: [(key: [UInt8], value: [UInt8])] = []
        for (place, (bytes, known)) in zip(encoded, entries).enumerated() {
            let entry = try HistoryEntry(scaleEncoded: bytes)
            row.expect("entry \(place) written", hex(entry.scaleEncoded), equals: hex(bytes))
            guard let order = known["order"].int.flatMap({ UInt32(exactly: $0) }) else {
                throw RowError.missing("order")
            }
            let json: JSON = .object([
                "order": .integer(Int64(order)), "timestamp": .string(entry.timestamp),
                "events": .array(entry.events.map(\.known)),
            ])
            row.expect("entry \(place)", json, equals: known)
            pairs.append((HistoryLog.key(order: order), bytes))
        }
        for (place, key) in row["firstKeys"].array.enumerated() {
            row.expect("key \(place)", HistoryLog.key(order: UInt32(place)), equals: key.hex ?? [])
        }
        pairs.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let log = StoredLog(pairs: pairs, digest: try row.bytes("chainDigest"))
        row.expect("shown checksum", log.shownChecksum, equals: try row.text("shown"))
        row.expect("checksum", Int(CRC32.of(pairs.flatMap { [$0.key, $0.value] })), equals: try row.integer("crc32"))
        // Throws if its digest is another one.
        row.expect("verified entries", try log.verified().count, equals: pairs.count)
    }
}
