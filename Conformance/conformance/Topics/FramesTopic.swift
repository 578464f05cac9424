import Airgap
import AirgapLink
import KnownAnswers
import RaptorQ
import Substrate

/// Moving codes: frames made and read, readers' rules, films. The formats of `data/raptorq-qr/vault-frames`, of
/// `data/raptorq-qr/video` and of `data/signer-wire/frames`.
enum FramesTopic: Topic {
    static let name = "frames"
    static let summary = "moving codes: frames, readers' rules, films"

    static let lists: [any AnswerList.Type] = [
        FrameAnswers.self, LegacyFrameAnswers.self, FilmAnswers.self, ReaderAnswers.self,
    ]
}

/// `[{frames_file, payload, chunk…}]`: the frames of payloads, each list of frames in a file of its own.
enum FrameAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("frames_file") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkFrames) }

    /// Checks that frames are made exactly, and read from random halves, from repair symbols alone and in either
    /// numbering.
    private static func checkFrames(_ row: inout Row) throws {
        let bytes = try row.file("frames_file")
        guard let size = row["payload_len"].int, let chunk = row["chunk"].int, let frameSize = row["frame_len"].int,
            let count = row["frames"].int, frameSize > 0
        else { throw RowError.missing("payload_len, chunk, frame_len or frames") }
        row.expect("dialect", "vault-1.8.1 (repair id = Kprime + j)", equals: try row.text("dialect"))
        row.expect("digest of the frames", RaptorQTopic.sha256(bytes), equals: try row.text("frames_sha256"))
        let known = stride(from: 0, to: bytes.count, by: frameSize).map {
            Array(bytes[$0..<min($0 + frameSize, bytes.count)])
        }
        row.expect("frames", known.count, equals: count)
        let payload = try payload(row, size: size)
        row.expect("payload", RaptorQTopic.sha256(payload), equals: try row.text("payload_sha256"))

        let sender = try TransferSender(
            payload, framing: .fountain, dialect: .vault, symbolSize: chunk, isSizeFixed: true)
        row.expect("usual frames", sender.usualCount, equals: count)
        row.expect("source frames", sender.sourceCount, equals: row["source_frames"].int)
        row.expect("made", (0..<count).map { sender.content($0) } == known, equals: true)
        if let z = row["Z"].int, let code = sender.code {
            row.expect("Z", code.parameters.sourceBlockCount, equals: z)
            row.expect("T", code.parameters.symbolSize, equals: row["T"].int ?? 0)
            row.expect("N", code.parameters.subBlockCount, equals: row["N"].int ?? 0)
            row.expect("Al", code.parameters.alignment, equals: row["Al"].int ?? 0)
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

    /// From its seed, or from the file that the row names.
    private static func payload(_ row: Row, size: Int) throws -> [UInt8] {
        let text = try row.text("payload")
        if text.hasPrefix("splitmix64 stream"), let seed = text.split(separator: " ").last.flatMap({ UInt64($0) }) {
            return RaptorQTopic.stream(seed: seed, count: size)
        }
        return try row.file(named: String(text.prefix { $0 != " " }))
    }

    fileprivate static func read(_ contents: [[UInt8]], numbering: SymbolNumbering?) throws -> [UInt8] {
        let reader = TransferReader(numbering: numbering)
        for content in contents { if case .payload(let payload) = try reader.read(content) { return payload } }
        return try reader.finish()
    }
}

/// `[{payload_hex, frames_hex}]`: frames of the older kind.
enum LegacyFrameAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("frames_hex") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkLegacy) }

    private static func checkLegacy(_ row: inout Row) throws {
        let payload = try row.bytes("payload_hex")
        let frames = row["frames_hex"].hexes
        row.expect("made", try LegacyFrames.frames(of: payload), equals: frames)
        row.expect("read", try FrameAnswers.read(frames.reversed(), numbering: nil), equals: payload)
    }
}

/// `{sequences, envelopes, raw_codewords_hex, fountain_heads}`: what a reader makes of frames, one after the other, and
/// of single ones.
enum ReaderAnswers: AnswerList {
    private static let checks: [String: RowCheck] = [
        "sequences": RowCheck(check: checkSequence),
        "envelopes": RowCheck { row in
            row.expect("content", RawCodewords.content(hex: try row.text("raw")), equals: row["payload"].hex)
        },
        "raw_codewords_hex": RowCheck { row in
            let (found, error) = (RawCodewords.content(hex: try row.text("in")), row["error"].string)
            row.expect("content", found, equals: error == nil ? try row.bytes("out") : nil)
            row.expect("kind of error", error ?? "UnexpectedData", equals: "UnexpectedData")
        },
        "fountain_heads": RowCheck(check: checkHead),
    ]

    static func recognises(_ content: JSON) -> Bool { content.has("sequences") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, by: checks) }

    @Sendable private static func checkHead(_ row: inout Row) throws {
        let head = try row.bytes("hex_head")
        let size = row["payload_size"].int ?? 0
        let sender = try TransferSender(
            [UInt8](repeating: 0, count: size), framing: .fountain, dialect: .vault,
            symbolSize: row["symbol_bytes"].int ?? 0, isSizeFixed: true)
        let content = sender.content(row["encoding_symbol_id"].int ?? 0)
        row.expect(
            "head", Array(content.prefix(FountainFrame.headSize)), equals: Array(head.prefix(FountainFrame.headSize)))
        row.expect("frame", content.count, equals: row["frame_bytes"].int ?? 0)
        row.expect("estimated frames", sender.sourceCount, equals: row["estimated_frames"].int)
        guard case .fountainFrame(let frame) = try QRContent(head) else { throw RowError.missing("hex_head") }
        row.expect("block", frame.id.block, equals: try row.integer("source_block_number"))
    }

    @Sendable private static func checkSequence(_ row: inout Row) throws {
        let expected = row["expect"].isNull ? row.json : row["expect"]
        // The cases are those of a reader that knows one numbering.
        let reader = TransferReader(numbering: .vault)
        var outcome = "payload"
        do {
            for content in row["frames"].hexes { _ = try reader.read(content) }
            let payload = try reader.finish()
            if let known = (expected["payload"].isNull ? expected["result"] : expected["payload"]).hex {
                row.expect("payload", payload, equals: known)
            }
            if let count = expected["result_bytes"].int { row.expect("bytes", payload.count, equals: count) }
            if let known = expected["result_blake2_256"].hex {
                row.expect("digest", Blake2b.hash256(payload).bytes, equals: known)
            }
        } catch {
            if case .unableToDecode = error { outcome = "incomplete" } else { outcome = error.code }
        }
        let wanted =
            expected["error"].string ?? (expected["incomplete"].bool ?? false ? "incomplete" : "payload")
        row.expect("outcome", outcome, equals: wanted)
    }
}

/// `[{file, payload, camera_frames…}]`: films of moving codes, and beside each the animation that was filmed.
enum FilmAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("file", "camera_frames") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // What another reader could read.
        report.check(content, besides: ["reference_readable_frames_until_then"], checkFilm)
    }

    private static func checkFilm(_ row: inout Row) throws {
        let (file, name) = (try row.ownFile, try row.text("payload"))
        let (found, pictures) = try read(file.beside(row.text("file")))
        row.expect("read", found != nil, equals: true)
        let limit = try row.integer("reference_reader_completes_at_camera_frame", as: Int.self) + 8
        row.expect("read by picture \(limit)", pictures <= limit, equals: true)
        row.expect("limit is in the film", limit <= (try row.integer("camera_frames")), equals: true)
        row.expect("read from the animation", try read(file.beside("\(name).apng")).payload, equals: found)
        // It lies with the frames, where those are at hand.
        let payload = file.beside("../vault-frames/\(name).payload")
        if payload.exists { row.expect("payload", found, equals: try payload.bytes()) }
    }

    private static func read(_ film: AnswerFile) throws -> (payload: [UInt8]?, pictures: Int) {
        guard film.exists else { throw RowError.missing("\(film.name), the film,") }
        var terms = PictureReader.Terms()
        // The films are known.
        terms.allowsMissingLayers = true
        var input = LinkInput([film.location().path], reader: PictureReader(terms))
        var receiver = LinkReceiver(limit: 1 << 20)
        var found: [UInt8]?
        while found == nil, let item = try input.next() { found = receiver.take(item).first }
        return (found, receiver.counts.pictures)
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
