import Airgap
import AirgapLink
import Foundation
import KnownAnswers
import RaptorQ

/// Moving codes: frames made and read, readers' rules, films. The formats of `data/raptorq-qr/vault-frames`, of
/// `data/raptorq-qr/video` and of `data/signer-wire/frames`.
enum FramesTopic: Topic {
    static let name = "frames"
    static let summary = "moving codes: frames, readers' rules, films"

    static func run(folder: URL, report: inout Report) throws {
        try report.checkFiles(in: folder) { report, file, json in
            let place = folder.appending(path: file).deletingLastPathComponent()
            if !json[0]["frames_file"].isNull {
                report.checkRows(json.array, file: file) { row in try checkFrames(&row, place) }
            } else if !json[0]["frames_hex"].isNull {
                report.checkRows(json.array, file: file, checkLegacy)
            } else if !json[0]["camera_frames"].isNull {
                report.checkRows(json.array, file: file) { row in try checkFilm(&row, place) }
            } else if !json["sequences"].isNull {
                report.checkRows(json["sequences"].array, file: file + " sequences", checkSequence)
                report.checkRows(json["envelopes"].array, file: file + " envelopes") { row in
                    row.expect("content", RawCodewords.content(hex: try row.text("raw")), equals: row["payload"].hex)
                }
                report.checkRows(json["raw_codewords_hex"].array, file: file + " raw_codewords_hex") { row in
                    let expected = row["error"].isNull ? row["out"].hex ?? [] : nil
                    row.expect("content", RawCodewords.content(hex: try row.text("in")), equals: expected)
                }
                report.checkRows(json["fountain_heads"].array, file: file + " fountain_heads", checkHead)
            } else {
                report.fail(file, because: "no check takes a file of this shape")
            }
        }
    }

    // MARK: Frames

    /// Checks that frames are made exactly, and read from random halves, from repair symbols alone and in either
    /// numbering.
    private static func checkFrames(_ row: inout Row, _ folder: URL) throws {
        let file = folder.appending(path: try row.text("frames_file"))
        guard let size = row["payload_len"].int, let chunk = row["chunk"].int, let frameSize = row["frame_len"].int,
            let count = row["frames"].int, let bytes = try? Array(Data(contentsOf: file))
        else { throw RowError.missing("frames_file, or the file that it names,") }
        let known = stride(from: 0, to: bytes.count, by: frameSize).map {
            Array(bytes[$0..<min($0 + frameSize, bytes.count)])
        }
        row.expect("frames", known.count, equals: count)
        guard let payload = payload(row, in: folder, size: size) else {
            throw RowError.missing("payload, or the file of the row's name,")
        }
        row.expect("payload", RaptorQTopic.sha256(payload), equals: try row.text("payload_sha256"))

        let sender = try TransferSender(
            payload, framing: .fountain, dialect: .vault, symbolSize: chunk, isSizeFixed: true)
        row.expect("usual frames", sender.usualCount, equals: count)
        row.expect("made", (0..<count).map { sender.content($0) } == known, equals: true)
        if let z = row["Z"].int, let code = sender.code {
            row.expect("Z", code.parameters.sourceBlockCount, equals: z)
            row.expect("T", code.parameters.symbolSize, equals: row["T"].int ?? 0)
            row.expect("N", code.parameters.subBlockCount, equals: row["N"].int ?? 0)
        }
        row.expect("read", try read(known, numbering: .vault), equals: payload)
        row.expect("read without being told the numbering", try read(known, numbering: nil), equals: payload)
        for round in 0..<5 {
            var random = Shuffle(seed: UInt64(round))
            row.expect("read in another order", try read(random.shuffled(known), numbering: .vault), equals: payload)
        }
        // Repair symbols alone, of which there are as many as are wanted.
        let repair = (0..<sender.sourceCount + 3).map { sender.content(sender.sourceCount + $0) }
        row.expect("read from repair symbols", try read(repair, numbering: nil), equals: payload)
        let other = try TransferSender(
            payload, framing: .fountain, dialect: .rfc6330, symbolSize: chunk, isSizeFixed: true)
        let otherRepair = (0..<sender.sourceCount + 3).map { other.content(sender.sourceCount + $0) }
        row.expect("read in the RFC's numbering", try read(otherRepair, numbering: nil), equals: payload)
    }

    private static func payload(_ row: Row, in folder: URL, size: Int) -> [UInt8]? {
        if let seed = row["payload"].string?.split(separator: " ").last.flatMap({ UInt64($0) }) {
            return RaptorQTopic.stream(seed: seed, count: size)
        }
        let name = row["name"].string ?? ""
        return try? Array(Data(contentsOf: folder.appending(path: "\(name).payload")))
    }

    private static func read(_ contents: [[UInt8]], numbering: SymbolNumbering?) throws -> [UInt8] {
        let reader = TransferReader(numbering: numbering)
        for content in contents { if case .payload(let payload) = try reader.read(content) { return payload } }
        return try reader.finish()
    }

    private static func checkLegacy(_ row: inout Row) throws {
        let payload = try row.bytes("payload_hex")
        let frames = row["frames_hex"].array.compactMap(\.hex)
        row.expect("made", try LegacyFrames.frames(of: payload), equals: frames)
        row.expect("read", try read(frames.reversed(), numbering: nil), equals: payload)
    }

    private static func checkHead(_ row: inout Row) throws {
        let head = try row.bytes("hex_head")
        let size = row["payload_size"].int ?? 0
        let sender = try TransferSender(
            [UInt8](repeating: 0, count: size), framing: .fountain, dialect: .vault,
            symbolSize: row["symbol_bytes"].int ?? 0, isSizeFixed: true)
        let content = sender.content(row["encoding_symbol_id"].int ?? 0)
        row.expect(
            "head", Array(content.prefix(FountainFrame.headSize)), equals: Array(head.prefix(FountainFrame.headSize)))
        row.expect("frame", content.count, equals: row["frame_bytes"].int ?? 0)
    }

    // MARK: Readers' rules

    private static func checkSequence(_ row: inout Row) throws {
        let expected = row["expect"].isNull ? row.json : row["expect"]
        // The cases are those of a reader that knows one numbering.
        let reader = TransferReader(numbering: .vault)
        var outcome = "payload"
        do throws(TransferError) {
            for content in row["frames"].array.compactMap(\.hex) { _ = try reader.read(content) }
            let payload = try reader.finish()
            if let known = (expected["payload"].isNull ? expected["result"] : expected["payload"]).hex {
                row.expect("payload", payload, equals: known)
            }
            if let count = expected["result_bytes"].int { row.expect("bytes", payload.count, equals: count) }
        } catch {
            if case .unableToDecode = error { outcome = "incomplete" } else { outcome = error.code }
        }
        let wanted =
            expected["error"].string ?? (expected["incomplete"].bool ?? false ? "incomplete" : "payload")
        row.expect("outcome", outcome, equals: wanted)
    }

    // MARK: Films

    private static func checkFilm(_ row: inout Row, _ folder: URL) throws {
        let film = folder.appending(path: try row.text("file"))
        guard FileManager.default.fileExists(atPath: film.path) else {
            throw RowError.missing("file, or the film that it names,")
        }
        var terms = PictureReader.Terms()
        // The films are known.
        terms.allowsMissingLayers = true
        var input = LinkInput([film.path], reader: PictureReader(terms))
        var receiver = LinkReceiver(limit: 1 << 20)
        var found: [UInt8]?
        while found == nil, let item = try input.next() { found = receiver.take(item).first }
        row.expect("read", found != nil, equals: true)
        let name = row["payload"].string ?? ""
        let beside = folder.deletingLastPathComponent().appending(path: "vault-frames/\(name).payload")
        if let payload = try? Array(Data(contentsOf: beside)) { row.expect("payload", found ?? [], equals: payload) }
        let limit = (row["reference_reader_completes_at_camera_frame"].int ?? 0) + 8
        row.expect("read by picture \(limit)", receiver.counts.pictures <= limit, equals: true)
    }
}

/// An order that is the same in every run.
private struct Shuffle: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &self) }
}
