import Foundation
import QRCode
import TestSupport
import Testing

@Suite("QR encoder")
struct EncoderTests {
    @Test("capacities of the standard", arguments: [(1, 17), (10, 271), (23, 1091), (27, 1465), (40, 2953)])
    func capacity(version: Int, bytes: Int) throws {
        let full = try QRSymbol.encode(.bytes([UInt8](repeating: 7, count: bytes)), boost: false)
        #expect(full.version.number == version)
        #expect(throws: QREncodingError.self) {
            try QRSymbol.encode(.bytes([UInt8](repeating: 7, count: bytes + 1)), versions: version...version)
        }
    }

    @Test("too much data is refused with what fits")
    func tooLong() {
        #expect(throws: QREncodingError.tooLong(count: 3000, capacity: 2953)) {
            try QRSymbol.encode(bytes: [UInt8](repeating: 0, count: 3000))
        }
        #expect(throws: QREncodingError.maskOutOfRange(8)) { try QRSymbol.encode(.bytes([]), mask: 8) }
    }

    @Test("the level is raised as far as the version allows")
    func boost() throws {
        #expect(try QRSymbol.encode(bytes: [1]).level == .high)
        #expect(try QRSymbol.encode(bytes: [UInt8](repeating: 1, count: 17)).level == .low)
    }

    @Test("text that a mode cannot write is refused")
    func modes() {
        #expect(QRSegment.numeric("12a") == nil)
        #expect(QRSegment.alphanumeric("abc") == nil)
        #expect(QRSegment.alphanumeric("HELLO 1:2")?.count == 9)
    }

    @Test("every module of the vectors", .enabled(if: SharedData.has("raptorq-qr/qr/encode-vectors.json")))
    func vectors() throws {
        for row in try SharedData.json("raptorq-qr/qr/encode-vectors.json").array where row["mode"].string == "byte" {
            guard row["boost_ecc"].bool != true else { continue }
            let version = try #require(row["version"].int)
            let level = try #require(["L", "M", "Q", "H"].firstIndex(of: row["ecc"].string ?? ""))
            let forced = try #require(row["forced_mask"].int)
            let symbol = try QRSymbol.encode(
                .bytes(#require(row["data_hex"].hex)), level: QRLevel.allCases[level], boost: false,
                mask: forced < 0 ? nil : forced, versions: version...version)
            let expected = Array(try #require(Data(base64Encoded: row["modules_b64"].string ?? "")))
            let same = (0..<symbol.size * symbol.size).allSatisfy { bit in
                symbol[bit % symbol.size, bit / symbol.size] == (expected[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1)
            }
            #expect(same && symbol.mask == row["mask"].int, "version \(version)")
        }
    }

    @Test("terminal text holds every module, in both styles", arguments: [QRText.Style.plain, .coloured])
    func terminal(style: QRText.Style) throws {
        let symbol = try QRSymbol.encode(bytes: Array("terminal".utf8))
        let text = QRText.lines(symbol, border: 2, style: style)
        let lines = text.split(separator: "\n").map { line in line.filter { "█▀▄ ".contains($0) }.map { $0 } }
        #expect(lines.count == QRText.size(of: symbol, border: 2).rows)
        for y in 0..<symbol.size {
            for x in 0..<symbol.size {
                let cell = lines[(y + 2) / 2][x + 2]
                let isDrawn = cell == "█" || cell == (y % 2 == 0 ? "▀" : "▄")
                #expect(isDrawn == (style == .coloured ? symbol[x, y] : !symbol[x, y]))
            }
        }
    }
}
