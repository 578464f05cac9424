import KnownAnswers
import Pictures
import QRCode
import ZXingReader

/// QR symbols, module by module, and pictures with what they hold: the format of `data/raptorq-qr/qr`.
enum QRTopic: Topic {
    static let name = "qr"
    static let summary = "QR symbols and pictures"

    static let lists: [any AnswerList.Type] = [QRSymbolAnswers.self, QRPictureAnswers.self, QRTableAnswers.self]
}

/// `[{mode, data_hex | text, version, ecc, mask, modules_b64…}]`: symbols, module by module.
enum QRSymbolAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("modules_b64") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { report.check(content, checkSymbol) }

    private static func checkSymbol(_ row: inout Row) throws {
        let level = try level(row.text("ecc"))
        guard let version = row["version"].int, let mask = row["mask"].int, let forced = row["forced_mask"].int else {
            throw RowError.missing("version, mask or forced_mask")
        }
        let segment: QRSegment? =
            switch try row.text("mode") {
            case "numeric": .numeric(try row.text("text"))
            case "alphanumeric": .alphanumeric(try row.text("text"))
            case "byte": .bytes(try row.bytes("data_hex"))
            case let other: throw RowError.missing("mode, which is \(other),")
            }
        guard let segment else { throw RowError.missing("text") }
        // Vectors that raise the level say so; their level is the one that came out.
        let boosts = row["boost_ecc"].bool ?? false
        let symbol = try QRSymbol.encode(
            segment, level: boosts ? .low : level, boost: boosts, mask: forced < 0 ? nil : forced,
            versions: version...version)
        row.expect("level", symbol.level, equals: level)
        row.expect("size", symbol.size, equals: row["size"].int)
        row.expect("mask", symbol.mask, equals: mask)
        let modules = try row.base64("modules_b64")
        row.expect("modules", packed(symbol), equals: modules)
        guard modules.count * 8 >= symbol.size * symbol.size else { return }
        let bits = (0..<symbol.size * symbol.size).map { index -> Bool in
            let byte = modules[index / 8]
            return byte >> UInt8(7 - index % 8) & 1 == 1
        }
        let reading = try SwiftQRReader().read(modules: bits)
        let content = try row["data_hex"].hex ?? Array(row.text("text").utf8)
        row.expect("read back", reading.bytes, equals: content)
        row.expect("mask read back", reading.symbol?.mask, equals: mask)
        if boosts { row.expect("smallest version", try QRSymbol.encode(segment).version.number, equals: version) }
    }

    private static func level(_ text: String) throws -> QRLevel {
        guard let index = ["L", "M", "Q", "H"].firstIndex(of: text) else { throw RowError.missing("ecc") }
        return QRLevel.allCases[index]
    }

    /// The modules row by row, most significant bit first.
    private static func packed(_ symbol: QRSymbol) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (symbol.size * symbol.size + 7) / 8)
        for y in 0..<symbol.size {
            for x in 0..<symbol.size where symbol[x, y] {
                let bit = y * symbol.size + x
                bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
            }
        }
        return bytes
    }
}

/// `{ecc_codewords_per_block, num_blocks, data_codewords, raw_data_modules, byte_capacity, alignment_centres}`: the
/// tables of all versions.
enum QRTableAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("ecc_codewords_per_block", "byte_capacity") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (level, letter) in zip(QRLevel.allCases, ["L", "M", "Q", "H"]) {
            for (version, capacity) in zip(QRVersion.all, content["byte_capacity"][letter].ints) {
                let found = [capacity, capacity + 1].map { fits($0, in: version, at: level) }
                report.expect(file.name("\(letter) version \(version.number)"), found, equals: [true, false])
            }
            let tables: [(String, (QRVersion) -> Int)] = [
                ("ecc_codewords_per_block", { $0.eccPerBlock(level) }), ("num_blocks", { $0.blocks(level) }),
                ("data_codewords", { $0.dataCodeWords(level) }), ("byte_capacity", { $0.byteCapacity(level) }),
            ]
            for (name, value) in tables {
                report.expect(
                    file.name("\(name) \(letter)"), QRVersion.all.map(value), equals: content[name][letter].ints)
            }
        }
        report.expect(
            file.name("raw_data_modules"), QRVersion.all.map(\.rawModules), equals: content["raw_data_modules"].ints)
        report.expect(
            file.name("alignment_centres"), QRVersion.all.map(\.alignmentCentres),
            equals: content["alignment_centres"].array.map(\.ints))
    }

    private static func fits(_ count: Int, in version: QRVersion, at level: QRLevel) -> Bool {
        let bytes = [UInt8](repeating: 0, count: count)
        let symbol = try? QRSymbol.encode(
            .bytes(bytes), level: level, boost: false, mask: 0, versions: version.number...version.number)
        return symbol != nil
    }
}

/// `[{file, bytes_hex}]`: pictures and what they hold. A picture passes by our reader alone; what zxing-cpp reads of
/// them is noted.
enum QRPictureAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("file", "bytes_hex") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        var checked = 0
        var unread: [String] = []
        // How a picture was made, and what another version of zxing-cpp read.
        report.check(content, besides: ["kind", "geometry", "decoded_by_zxing_cpp_3_1_1"]) { row in
            let name = try row.text("file")
            let image = try PictureDecoder.decode(row.file(named: name))
            let codes = row["bytes_hex"]
            let expected = Set(codes.isList ? codes.hexes : codes.isNull ? [] : [try row.bytes("bytes_hex")])
            row.expect(name, Set(SwiftQRReader().read(image).map(\.bytes)), equals: expected)
            checked += 1
            if Set(try ZXingReader().read(image).map(\.bytes)) != expected { unread.append(name) }
        }
        report.note("zxing-cpp reads \(checked - unread.count) of \(checked) pictures")
        if !unread.isEmpty { report.note("zxing-cpp does not read \(unread.joined(separator: ", "))") }
    }
}
