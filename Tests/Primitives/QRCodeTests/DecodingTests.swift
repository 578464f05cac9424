import Foundation
import TestSupport
import Testing

@testable import QRCode

@Suite("QR modules to bytes")
struct DecodingTests {
    @Test("symbols that others made read back", arguments: KnownSymbol.all)
    func known(symbol: KnownSymbol) throws {
        let version = try #require(QRVersion(symbol.version))
        let modules = Array(try #require(Data(base64Encoded: symbol.modules)))
        let decoded = try SymbolDecoder(version).decode(ModuleGrid(packed: modules, size: version.size))
        let content = symbol.mode == .byte ? JSON.string(symbol.content).hex : Array(symbol.content.utf8)
        #expect(decoded.content.bytes == content)
        #expect(decoded.format == FormatInformation(level: symbol.level, mask: symbol.mask))
    }

    @Test(
        "all vectors read back from their modules",
        .enabled(if: SharedData.has("raptorq-qr/qr/encode-vectors.json")))
    func vectors() throws {
        for row in try SharedData.json("raptorq-qr/qr/encode-vectors.json").array {
            let version = try #require(row["version"].int.flatMap(QRVersion.init))
            let modules = Array(try #require(Data(base64Encoded: row["modules_b64"].string ?? "")))
            let cells = ModuleGrid(packed: modules, size: version.size).cells
            let reading = try SwiftQRReader().read(modules: cells)
            #expect(reading.bytes == row["data_hex"].hex ?? Array((row["text"].string ?? "?").utf8))
            #expect(reading.symbol?.mask == row["mask"].int && reading.symbol?.version == version)
            let level = ["L", "M", "Q", "H"].firstIndex(of: row["ecc"].string ?? "")
            #expect(reading.symbol?.level.rawValue == level && reading.corners.isEmpty)
        }
    }

    @Test("what is encoded decodes, at all levels and masks", arguments: 1...40)
    func roundTrip(number: Int) throws {
        var random = SplitMix64(state: UInt64(number))
        let version = try #require(QRVersion(number))
        let decoder = SymbolDecoder(version)
        for level in QRLevel.allCases {
            let bytes = (0..<version.dataCodeWords(level) - 3).map { _ in random.byte() }
            for mask in 0...7 {
                let symbol = try QRSymbol.encode(
                    .bytes(bytes), level: level, boost: false, mask: mask, versions: number...number)
                let decoded = try decoder.decode(ModuleGrid(symbol))
                #expect(decoded.content.bytes == bytes)
                #expect(decoded.format == FormatInformation(level: level, mask: mask))
            }
        }
    }

    @Test("up to three wrong bits in each copy of level and mask are repaired, and one copy is enough")
    func format() throws {
        let symbol = try QRSymbol.encode(.bytes([1, 2, 3]), level: .quartile, boost: false, mask: 6)
        let decoder = SymbolDecoder(symbol.version)
        for start in 0..<13 {
            var grid = ModuleGrid(symbol)
            for bit in start..<start + 3 {
                for place in FunctionPatterns.formatPlaces(bit % 15, size: grid.size) {
                    grid[place.x, place.y].toggle()
                }
            }
            #expect(try decoder.decode(grid).content.bytes == [1, 2, 3])
        }
        for copy in 0...1 {
            var grid = ModuleGrid(symbol)
            for bit in 0..<15 {
                let place = FunctionPatterns.formatPlaces(bit, size: grid.size)[copy]
                grid[place.x, place.y] = false
            }
            #expect(try decoder.decode(grid).content.bytes == [1, 2, 3])
        }
    }

    @Test("a version with up to three wrong bits is known, with four it is not taken for another")
    func version() {
        for version in QRVersion.all where version.number >= 7 {
            let bits = FunctionPatterns.versionBits(version)
            #expect(VersionInformation.nearest(bits ^ 0b1000_0000_0100_0001) == version)
            let nearest = VersionInformation.nearest(bits ^ 0b11_0000_0000_0100_0001)
            #expect(nearest == nil)
        }
    }

    @Test("blocks are repaired up to half their error correction, and refused beyond", arguments: 0..<40)
    func limit(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        for eccCount in [7, 10, 13, 16, 18, 22, 26, 30] {
            let correction = BlockCorrection(eccCount: eccCount)
            let data = (0..<120).map { _ in random.byte() }
            let generator = ReedSolomon.generator(degree: eccCount)
            let whole = data + ReedSolomon.remainder(data[...], generator: generator)
            for errors in [0, 1, eccCount / 2] {
                var block = whole.damaged(errors, &random)
                #expect(correction.correct(&block) == errors)
                #expect(block == whole)
            }
            guard eccCount >= 16 else { continue }
            // With so many checks another valid block is near in one of a hundred thousand cases.
            let broken = whole.damaged(eccCount / 2 + 1, &random)
            var block = broken
            #expect(correction.correct(&block) == nil && block == broken)
        }
    }

    @Test("whatever a block is changed to is valid and near", arguments: 0..<20)
    func honesty(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        let correction = BlockCorrection(eccCount: 7)
        for _ in 0..<2000 {
            let noise = (0..<26).map { _ in random.byte() }
            var block = noise
            guard let changed = correction.correct(&block) else { continue }
            #expect(changed <= 3 && zip(noise, block).count { $0 != $1 } == changed)
            let check = ReedSolomon.remainder(block[..<19], generator: ReedSolomon.generator(degree: 7))
            #expect(Array(block.suffix(7)) == check)
        }
    }

    @Test("doubtful code words cost one check each, wrong ones two", arguments: 0..<20)
    func erasures(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        let correction = BlockCorrection(eccCount: 30)
        let data = (0..<100).map { _ in random.byte() }
        let whole = data + ReedSolomon.remainder(data[...], generator: ReedSolomon.generator(degree: 30))
        var block = whole
        for index in 40..<60 { block[index] = random.byte() }
        for index in 0..<5 { block[index] ^= 0x55 }
        let broken = block
        #expect(correction.correct(&block) == nil && block == broken)
        #expect(correction.correct(&block, erasures: Array(40..<60)) != nil && block == whole)
        block = broken
        block[5] ^= 1
        #expect(correction.correct(&block, erasures: Array(40..<60)) == nil)
    }

    @Test("bit flips up to the limit of every block are repaired, one more is refused", arguments: [1, 7, 23, 40])
    func bitFlips(number: Int) throws {
        var random = SplitMix64(state: UInt64(number))
        let version = try #require(QRVersion(number))
        let decoder = SymbolDecoder(version)
        let placement = FunctionPatterns.free(version).placement
        for level in [QRLevel.quartile, .high] {
            let bytes = (0..<version.dataCodeWords(level) - 3).map { _ in random.byte() }
            let symbol = try QRSymbol.encode(.bytes(bytes), level: level, boost: false, versions: number...number)
            let layout = BlockLayout(version, level)
            var grid = ModuleGrid(symbol)
            func flip(block: Int, word: Int, bit: Int) {
                let module = placement[layout.place(block: block, word: word) * 8 + bit]
                grid[module % grid.size, module / grid.size].toggle()
            }
            for block in 0..<layout.count {
                let words = Array(0..<layout.dataLength(block) + layout.eccCount).shuffled(using: &random)
                for word in words.prefix(layout.eccCount / 2) {
                    flip(block: block, word: word, bit: Int(random.next() % 8))
                }
            }
            #expect(try decoder.decode(grid).content.bytes == bytes)
            // All of a block's code words: far from any valid block.
            for word in 0..<layout.dataLength(0) + layout.eccCount {
                flip(block: 0, word: word, bit: Int(random.next() % 8))
            }
            #expect(throws: QRDecodingError.uncorrectable(block: 0)) { try decoder.decode(grid) }
        }
    }

    @Test("a mixture of two symbols is hopeless, and quickly so")
    func mixture() throws {
        var random = SplitMix64(state: 4)
        let symbols = try (0...1).map { _ in
            try QRSymbol.encode(.bytes((0..<1080).map { _ in random.byte() }), boost: false, mask: 2)
        }
        let version = symbols[0].version
        let (upper, lower) = (ModuleGrid(symbols[0]).cells, ModuleGrid(symbols[1]).cells)
        let cells = upper[..<(upper.count / 2)] + lower[(upper.count / 2)...]
        #expect(throws: QRDecodingError.hopeless) {
            try SymbolDecoder(version).decode(ModuleGrid(size: version.size, cells: Array(cells)))
        }
    }

    @Test("low-contrast modules are taken as doubtful")
    func doubtfulModules() throws {
        let bytes = [UInt8](0..<70)
        let symbol = try QRSymbol.encode(.bytes(bytes), boost: false)
        let layout = BlockLayout(symbol.version, .low)
        let placement = FunctionPatterns.free(symbol.version).placement
        var grid = ModuleGrid(symbol)
        var margins = [UInt8](repeating: 200, count: grid.cells.count)
        // One code word more than the error correction repairs.
        for word in 0...layout.eccCount / 2 {
            let module = placement[layout.place(block: 0, word: 3 * word) * 8]
            grid[module % grid.size, module / grid.size].toggle()
            margins[module] = 3
        }
        #expect(throws: QRDecodingError.uncorrectable(block: 0)) { try SymbolDecoder(symbol.version).decode(grid) }
        #expect(try SymbolDecoder(symbol.version).decode(grid, margins: margins).content.bytes == bytes)
    }

    @Test("modules in a number that no symbol has are refused", arguments: [0, 1, 440, 442, 177 * 177 + 1, 181 * 181])
    func size(count: Int) {
        #expect(throws: QRDecodingError.size(modules: count)) {
            try SwiftQRReader().read(modules: [Bool](repeating: true, count: count))
        }
    }

    @Test("noise is never a symbol", arguments: [1, 2, 5, 10, 25, 40])
    func noise(number: Int) throws {
        var random = SplitMix64(state: UInt64(number))
        let version = try #require(QRVersion(number))
        let decoder = SymbolDecoder(version)
        for _ in 0..<20 {
            let cells = (0..<version.size * version.size).map { _ in random.next() & 1 == 1 }
            #expect(throws: QRDecodingError.self) { try decoder.decode(ModuleGrid(size: version.size, cells: cells)) }
        }
    }
}

extension ModuleGrid {
    init(_ symbol: QRSymbol) {
        let places = (0..<symbol.size * symbol.size).map { ($0 % symbol.size, $0 / symbol.size) }
        self.init(size: symbol.size, cells: places.map { symbol[$0.0, $0.1] })
    }

    /// - Parameter packed: row by row, most significant bit first.
    init(packed: [UInt8], size: Int) {
        self.init(size: size, cells: (0..<size * size).map { packed[$0 / 8] >> UInt8(7 - $0 % 8) & 1 == 1 })
    }
}

extension [UInt8] {
    /// With so many bytes changed.
    fileprivate func damaged(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        var copy = self
        for index in indices.shuffled(using: &random).prefix(count) { copy[index] ^= UInt8(1 + random.next() % 255) }
        return copy
    }
}
