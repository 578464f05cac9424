import Synchronization
import TestSupport
import Testing

@testable import QRCode

@Suite("Reading pictures in Swift")
struct SwiftQRReaderTests {
    private let reader = SwiftQRReader()

    private static func version(_ number: Int) -> QRVersion { QRVersion.all[number - 1] }

    private func symbol(_ version: QRVersion, level: QRLevel = .low, seed: UInt64 = 7) throws -> QRSymbol {
        var random = SplitMix64(state: seed)
        let bytes = (0..<version.dataCodeWords(level) - 3).map { _ in random.byte() }
        return try QRSymbol.encode(
            .bytes(bytes), level: level, boost: false, versions: version.number...version.number)
    }

    private func content(_ symbol: QRSymbol) throws -> [UInt8] {
        try SymbolDecoder(symbol.version).decode(ModuleGrid(symbol)).content.bytes
    }

    @Test("every version is read, small, blurred and noisy", arguments: 1...40)
    func versions(number: Int) throws {
        let version = Self.version(number)
        let symbol = try symbol(version)
        let scene = Scene.front(version, module: min(3.1, 460 / Double(version.size + 6)), degrees: 2)
            .with { ($0.blur, $0.noise) = (version.number < 35 ? 1 : 0, 8) }
        let readings = reader.read(try scene.picture(symbol))
        #expect(readings.map(\.bytes) == [try content(symbol)])
        #expect(readings.first?.symbol?.version == version && readings.first?.symbol?.level == .low)
        #expect(readings.first?.symbol?.mask == symbol.mask)
    }

    @Test("symbols that fill the picture are read, down to the smallest version", arguments: [1, 2, 6, 7, 20, 40])
    func large(number: Int) throws {
        let version = Self.version(number)
        let symbol = try symbol(version, level: .medium)
        let scene = Scene.front(version, module: 470 / Double(version.size + 4)).with { $0.shadow = 60 }
        #expect(reader.read(try scene.picture(symbol)).map(\.bytes) == [try content(symbol)])
    }

    @Test("turned symbols are read", arguments: Array(stride(from: 5, to: 360, by: 25)))
    func turned(degrees: Int) throws {
        for number in [1, 4, 14, 23] {
            let version = Self.version(number)
            let symbol = try symbol(version)
            let module = min(9, 320 / Double(version.size))
            let scene = Scene.front(version, module: module, degrees: Double(degrees)).with { $0.noise = 10 }
            #expect(reader.read(try scene.picture(symbol)).map(\.bytes) == [try content(symbol)], "version \(number)")
        }
    }

    static let hardScenes: [Scene] = {
        let base = Scene.front(version(18), module: 4.4, degrees: 4)
        let slanted = [Place(120, 60), Place(500, 20), Place(560, 440), Place(90, 400)]
        let steep = [Place(170, 50), Place(470, 90), Place(520, 400), Place(110, 450)]
        return [
            base.with { ($0.name, $0.corners) = ("slanted", slanted) },
            base.with { ($0.name, $0.corners, $0.blur, $0.noise) = ("steep, blurred, noisy", steep, 1, 12) },
            base.with { ($0.name, $0.blur) = ("blurred", 4) },
            base.with { ($0.name, $0.noise) = ("noisy", 60) },
            base.with { ($0.name, $0.shadow) = ("shadowed", 150) },
            base.with { ($0.name, $0.dark, $0.light, $0.noise) = ("faint", 100, 130, 3) },
            base.with { ($0.name, $0.distortion) = ("through a wide lens", 0.12) },
            base.with { ($0.name, $0.distortion) = ("through a long lens", -0.08) },
            base.with { ($0.name, $0.isInverted, $0.noise) = ("inverted", true, 10) },
        ]
    }()

    @Test("poor pictures are read", arguments: hardScenes)
    func hard(scene: Scene) throws {
        let symbol = try symbol(Self.version(18))
        let readings = reader.read(try scene.picture(symbol))
        #expect(readings.map(\.bytes) == [try content(symbol)])
        #expect(readings.first?.symbol?.isInverted == scene.isInverted)
        #expect(readings.first?.symbol?.isMirrored == false)
        for (found, corner) in zip(try #require(readings.first).corners, scene.corners) where scene.distortion == 0 {
            #expect(abs(Double(found.x) - corner.x) < 4 && abs(Double(found.y) - corner.y) < 4)
        }
    }

    @Test("small symbols, which have few patterns, are read at a slant", arguments: 1...7)
    func slanted(number: Int) throws {
        let symbol = try symbol(Self.version(number))
        for corners in [
            [Place(150, 90), Place(420, 60), Place(470, 420), Place(120, 360)],
            [Place(200, 60), Place(470, 120), Place(430, 400), Place(160, 430)],
            [Place(330, 40), Place(560, 230), Place(350, 440), Place(170, 210)],
        ] {
            let scene = Scene(corners: corners, blur: 1, noise: 10)
            #expect(reader.read(try scene.picture(symbol)).map(\.bytes) == [try content(symbol)])
        }
    }

    @Test("symbols seen from behind are read, their corners named as they are", arguments: [1, 5, 7, 25])
    func mirrored(number: Int) throws {
        let version = Self.version(number)
        let symbol = try symbol(version, level: .high)
        var scene = Scene.front(version, module: 330 / Double(version.size), degrees: 30)
        scene.corners.swapAt(0, 1)
        scene.corners.swapAt(2, 3)
        let readings = reader.read(try scene.picture(symbol))
        #expect(readings.map(\.bytes) == [try content(symbol)])
        #expect(readings.first?.symbol?.isMirrored == true)
        for (found, corner) in zip(try #require(readings.first).corners, scene.corners) {
            #expect(abs(Double(found.x) - corner.x) < 4 && abs(Double(found.y) - corner.y) < 4)
        }
    }

    @Test("all codes of a picture are read")
    func several() throws {
        var picture: LumaImage?
        var contents: Set<[UInt8]> = []
        for (index, number) in [2, 3, 5, 8, 10, 12].enumerated() {
            let version = Self.version(number)
            let symbol = try symbol(version, seed: UInt64(number))
            contents.insert(try content(symbol))
            var scene = Scene.front(version, module: 150 / Double(version.size), degrees: Double(7 * index))
            let shift = Place(Double(index % 3 - 1) * 210, index < 3 ? -115 : 115)
            scene.corners = scene.corners.map { $0 + shift }
            picture = try scene.picture(symbol, on: picture)
        }
        let readings = reader.read(try #require(picture))
        #expect(Set(readings.map(\.bytes)) == contents && readings.count == contents.count)
    }

    @Test("noise holds no code", arguments: 0..<50)
    func noise(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        for kind in 0..<10 {
            let (width, height) = (160 + Int(random.next() % 80), 120 + Int(random.next() % 60))
            // Single pixels, and squares of several sizes as modules have.
            let cell = [1, 1, 2, 3, 3, 4, 4, 5, 6, 8][kind]
            let columns = width / cell + 1
            let cells = (0..<columns * (height / cell + 1)).map { _ in
                kind % 2 == 0 ? random.byte() : (random.next() & 1 == 0 ? 0 : 255)
            }
            let pixels = (0..<width * height).map { cells[$0 / width / cell * columns + $0 % width / cell] }
            let image = try #require(LumaImage(width: width, height: height, pixels: pixels))
            #expect(reader.read(image).isEmpty)
        }
    }

    @Test("pictures of any shape are searched", arguments: [(1, 1), (1, 500), (500, 1), (20, 20), (21, 21), (22, 300)])
    func shapes(width: Int, height: Int) throws {
        var random = SplitMix64(state: 3)
        for kind in 0..<4 {
            let pixels = (0..<width * height).map { [0, 255, UInt8($0 % 2 * 255), random.byte()][kind] }
            #expect(reader.read(try #require(LumaImage(width: width, height: height, pixels: pixels))).isEmpty)
        }
    }

    @Test("a picture full of finders ends in nothing")
    func finders() throws {
        let (width, height) = (900, 700)
        let pixels = (0..<width * height).map { index -> UInt8 in
            let (x, y) = (index % width / 3 % 9, index / width / 3 % 9)
            let distance = max(abs(x - 4), abs(y - 4))
            return distance == 2 || distance == 4 ? 255 : 0
        }
        #expect(reader.read(try #require(LumaImage(width: width, height: height, pixels: pixels))).isEmpty)
    }

    @Test("of a symbol that is cut or covered nothing is made up")
    func covered() throws {
        let version = Self.version(6)
        let symbol = try symbol(version)
        let content = try content(symbol)
        let image = try Scene.front(version, module: 6).picture(symbol)
        for part in 1..<16 {
            var pixels = image.pixels
            for y in 0..<image.height { for x in 0..<part * 40 { pixels[y * image.width + x] = 128 } }
            let readings = reader.read(try #require(LumaImage(width: 640, height: 480, pixels: pixels)))
            #expect(readings.isEmpty || readings.map(\.bytes) == [content])
        }
    }

    @Test("a second reader is asked only where the first finds nothing")
    func fallback() throws {
        struct Fixed: QRReader {
            let found: [QRReading]
            func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] { found }
        }
        struct Failing: QRReader {
            func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] { throw .backend("always") }
        }
        let image = try #require(LumaImage(width: 1, height: 1, pixels: [0]))
        let (one, two) = (QRReading(bytes: [1], corners: []), QRReading(bytes: [2], corners: []))
        #expect(try FallbackReader(Fixed(found: [one]), Failing()).read(image) == [one])
        #expect(try FallbackReader(Fixed(found: []), Fixed(found: [two])).read(image) == [two])
        #expect(try FallbackReader(Failing(), Fixed(found: [two])).read(image) == [two])
        #expect(throws: QRReaderError.backend("always")) { try FallbackReader(Fixed(found: []), Failing()).read(image) }
    }

    @Test("a first reader may keep a picture from the second, whatever kind it is of", arguments: [true, false])
    func decisive(isForOthers: Bool) throws {
        struct Deciding: DecisiveQRReader {
            let isForOthers: Bool
            func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] { [] }
            func attempt(_ image: LumaImage) throws(QRReaderError) -> QRAttempt {
                QRAttempt(readings: [], isForOthers: isForOthers)
            }
        }
        struct Second: QRReader {
            func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] { [QRReading(bytes: [2], corners: [])] }
        }
        let image = try #require(LumaImage(width: 1, height: 1, pixels: [0]))
        let read = try FallbackReader(Deciding(isForOthers: isForOthers), Second()).read(image)
        #expect(read.map(\.bytes) == (isForOthers ? [[2]] : []))
    }

    @Test("a picture full of finder patterns is no second reader's, nor one without any")
    func crowd() throws {
        struct Counted: QRReader {
            let isAsked: @Sendable () -> Void
            func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
                isAsked()
                return []
            }
        }
        let asked = Mutex(0)
        let reader = FallbackReader(SwiftQRReader(), Counted { asked.withLock { $0 += 1 } })
        let side = 9 * 2 * 30
        let pixels = (0..<side * side).map { place -> UInt8 in
            let (x, y) = (place % side / 2 % 9, place / side / 2 % 9)
            let ring = max(abs(x - 3), abs(y - 3))
            return x < 7 && y < 7 && ring != 2 ? 0 : 255
        }
        #expect(try reader.read(try #require(LumaImage(width: side, height: side, pixels: pixels))).isEmpty)
        #expect(asked.withLock { $0 } == 0)
        let plain = [UInt8](repeating: 200, count: side * side)
        #expect(try reader.read(try #require(LumaImage(width: side, height: side, pixels: plain))).isEmpty)
        #expect(asked.withLock { $0 } == 1)
    }
}
