import Foundation
import TestSupport
import Testing

@testable import QRCode

@Suite("QR symbols that others made")
struct KnownSymbolTests {
    @Test("every module is theirs", arguments: KnownSymbol.all)
    func modules(known: KnownSymbol) throws {
        let segment: QRSegment? =
            switch known.mode {
            case .numeric: .numeric(known.content)
            case .alphanumeric: .alphanumeric(known.content)
            case .byte: JSON.string(known.content).hex.map { .bytes($0) }
            }
        let symbol = try QRSymbol.encode(
            #require(segment), level: known.raisesLevel ? .low : known.level, boost: known.raisesLevel,
            mask: known.isMaskForced ? known.mask : nil)
        #expect(symbol.version.number == known.version && symbol.level == known.level && symbol.mask == known.mask)
        let expected = Array(try #require(Data(base64Encoded: known.modules)))
        for y in 0..<symbol.size {
            for x in 0..<symbol.size {
                let bit = y * symbol.size + x
                #expect(symbol[x, y] == (expected[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1), "column \(x), row \(y)")
            }
        }
    }

    @Test("the error correction of the standard's example, 01234567 in version 1-M")
    func errorCorrection() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
        ]
        let words = ReedSolomon.remainder(data[...], generator: ReedSolomon.generator(degree: 10))
        #expect(words == [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55])
    }

    @Test("the format bits of the standard's example, level M with mask 5, in both places")
    func format() throws {
        let symbol = try QRSymbol.encode(.bytes([1]), level: .medium, boost: false, mask: 5)
        let bits = Array("100000011001110").map { $0 == "1" }
        let last = symbol.size - 1
        let first = [0, 1, 2, 3, 4, 5, 7, 8].map { ($0, 8) } + [7, 5, 4, 3, 2, 1, 0].map { (8, $0) }
        let second = (0..<7).map { (8, last - $0) } + (0..<8).map { (last - 7 + $0, 8) }
        for (bit, (one, other)) in zip(bits, zip(first, second)) {
            #expect(symbol[one.0, one.1] == bit && symbol[other.0, other.1] == bit)
        }
        #expect(symbol[8, last - 7])
    }

    @Test("the version bits of the standard's example, version 7, in both places")
    func version() throws {
        let symbol = try QRSymbol.encode(.bytes([1]), versions: 7...7)
        let bits = Array("000111110010010100".reversed()).map { $0 == "1" }
        for (index, bit) in bits.enumerated() {
            let (far, near) = (symbol.size - 11 + index % 3, index / 3)
            #expect(symbol[far, near] == bit && symbol[near, far] == bit)
        }
    }

    @Test("places of alignment patterns as the standard lists them")
    func alignment() {
        let listed: [Int: [Int]] = [
            1: [], 2: [6, 18], 7: [6, 22, 38], 14: [6, 26, 46, 66], 21: [6, 28, 50, 72, 94],
            32: [6, 34, 60, 86, 112, 138], 36: [6, 24, 50, 76, 102, 128, 154], 39: [6, 26, 54, 82, 110, 138, 166],
            40: [6, 30, 58, 86, 114, 142, 170],
        ]
        for (number, centres) in listed { #expect(QRVersion(number)?.alignmentCentres == centres) }
    }

    @Test("modules for code words are those that no pattern takes", arguments: 1...40)
    func rawModules(number: Int) throws {
        let version = try #require(QRVersion(number))
        #expect(version.rawModules == FunctionPatterns.free(version).cells.count { $0 })
    }

    @Test(
        "all tables of the standard, for all versions",
        .enabled(if: SharedData.has("raptorq-qr/qr/qr-tables.json")))
    func tables() throws {
        let tables = try SharedData.json("raptorq-qr/qr/qr-tables.json")
        for version in QRVersion.all {
            let index = version.number - 1
            #expect(tables["raw_data_modules"][index].int == version.rawModules)
            #expect(tables["alignment_centres"][index].array.compactMap(\.int) == version.alignmentCentres)
            for (letter, level) in zip(["L", "M", "Q", "H"], QRLevel.allCases) {
                #expect(tables["ecc_codewords_per_block"][letter][index].int == version.eccPerBlock(level))
                #expect(tables["num_blocks"][letter][index].int == version.blocks(level))
                #expect(tables["data_codewords"][letter][index].int == version.dataCodeWords(level))
            }
        }
    }

    @Test("the colour of dark modules stands in the palette, light is white")
    func colour() throws {
        let png = QRPicture.png(try QRSymbol.encode(bytes: [7]), dark: (0xe6, 0x00, 0x7a))
        let palette: [UInt8] = Array("PLTE".utf8) + [0xe6, 0x00, 0x7a, 0xff, 0xff, 0xff]
        #expect(png.indices.contains { png[$0...].starts(with: palette) })
    }
}
