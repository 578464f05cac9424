import Foundation
import KnownAnswers
import Pictures
import QRCode
import ZXingReader

/// QR symbols, module by module, and pictures with what they hold: the format of `data/raptorq-qr/qr`.
enum QRTopic: Topic {
    static let name = "qr"
    static let summary = "QR symbols and pictures"

    static func run(folder: URL, report: inout Report) throws {
        try report.checkFiles(in: folder) { report, file, json in
            if !json[0]["modules_b64"].isNull {
                report.checkRows(json.array, file: file, checkSymbol)
            } else if !json[0]["file"].isNull {
                checkPictures(json.array, file: file, in: folder, report: &report)
            } else if !json["ecc_codewords_per_block"].isNull {
                checkTables(json, file: file, &report)
            } else {
                report.fail(file, because: "no check takes a file of this shape")
            }
        }
    }

    // MARK: Symbols

    private static func checkSymbol(_ row: inout Row) throws {
        let level = try level(row.text("ecc"))
        guard let version = row["version"].int, let mask = row["mask"].int, let forced = row["forced_mask"].int else {
            throw RowError.missing("version, mask or forced_mask")
        }
        let segment: QRSegment? =
            switch row["mode"].string {
            case "numeric": QRSegment.numeric(try row.text("text"))
            case "alphanumeric": QRSegment.alphanumeric(try row.text("text"))
            default: .bytes(try row.bytes("data_hex"))
            }
        guard let segment else { throw RowError.missing("text") }
        // Vectors that raise the level say so; their level is the one that came out.
        let boosts = row["boost_ecc"].bool ?? false
        let symbol = try QRSymbol.encode(
            segment, level: boosts ? .low : level, boost: boosts, mask: forced < 0 ? nil : forced,
            versions: version...version)
        row.expect("level", symbol.level, equals: level)
        row.expect("mask", symbol.mask, equals: mask)
        let modules = Data(base64Encoded: try row.text("modules_b64")).map { Array($0) } ?? []
        row.expect("modules", packed(symbol), equals: modules)
        guard modules.count * 8 >= symbol.size * symbol.size else { return }
        let bits = (0..<symbol.size * symbol.size).map { modules[$0 / 8] >> UInt8(7 - $0 % 8) & 1 == 1 }
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

    private static func checkTables(_ json: JSON, file: String, _ report: inout Report) {
        for (index, letter) in ["L", "M", "Q", "H"].enumerated() {
            let capacities = json["byte_capacity"][letter].array.compactMap(\.int)
            for (place, capacity) in capacities.enumerated() {
                let version = place + 1
                let name = "\(file) \(letter) version \(version)"
                func fits(_ count: Int) -> Bool {
                    let bytes = [UInt8](repeating: 0, count: count)
                    let symbol = try? QRSymbol.encode(
                        .bytes(bytes), level: QRLevel.allCases[index], boost: false, mask: 0,
                        versions: version...version)
                    return symbol != nil
                }
                report.expect(name, [fits(capacity), fits(capacity + 1)], equals: [true, false])
            }
        }
    }

    // MARK: Pictures

    /// A picture passes by our reader alone; what zxing-cpp reads of them is noted.
    private static func checkPictures(_ rows: [JSON], file: String, in folder: URL, report: inout Report) {
        var checked = 0
        var unread: [String] = []
        report.checkRows(rows, file: file) { row in
            let name = try row.text("file")
            guard let bytes = try? Data(contentsOf: folder.appending(path: name)) else {
                throw RowError.missing("file, or the picture that it names,")
            }
            let image = try PictureDecoder.decode(Array(bytes))
            let expected = Set(row["bytes_hex"].hex.map { [$0] } ?? row["bytes_hex"].array.compactMap(\.hex))
            row.expect(name, Set(SwiftQRReader().read(image).map(\.bytes)), equals: expected)
            checked += 1
            if Set(try ZXingReader().read(image).map(\.bytes)) != expected { unread.append(name) }
        }
        report.note("zxing-cpp reads \(checked - unread.count) of \(checked) pictures")
        if !unread.isEmpty { report.note("zxing-cpp does not read \(unread.joined(separator: ", "))") }
    }
}

extension Report {
    /// Checks the rows of a file that is one list.
    mutating func checkRows(_ rows: [JSON], file: String, _ check: (inout Row) throws -> Void) {
        for (index, json) in rows.enumerated() {
            var row = Row(json, index: index)
            do {
                try check(&row)
                close(row, "\(file)[\(index)]")
            } catch {
                fail("\(file)[\(index)]", because: "\(error)")
            }
        }
    }
}
