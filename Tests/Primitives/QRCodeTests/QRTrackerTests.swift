import TestSupport
import Testing

@testable import QRCode

@Suite("Reading films")
struct QRTrackerTests {
    private let version = QRVersion.all[14]

    private func symbol(_ seed: Int, version: QRVersion? = nil) throws -> QRSymbol {
        var random = SplitMix64(state: UInt64(seed))
        let version = version ?? self.version
        let bytes = (0..<version.dataCodeWords(.low) - 3).map { _ in random.byte() }
        return try QRSymbol.encode(.bytes(bytes), boost: false, versions: version.number...version.number)
    }

    /// The picture of a hand-held camera at a moment.
    private func picture(_ symbol: QRSymbol, moment: Int, isInverted: Bool = false) throws -> LumaImage {
        var random = SplitMix64(state: UInt64(1000 + moment))
        let jitter = Place(Double(random.next() % 70), Double(random.next() % 70)) / 10
        let drift = Place(Double(moment), Double(moment) / 2)
        var scene = Scene.front(
            symbol.version, module: min(4.2, 380 / Double(symbol.size)), degrees: 3 + Double(moment) / 4)
        scene.corners = scene.corners.map { $0 + jitter + drift }
        scene.corners[2] += Place(Double(moment) / 3, 0)
        (scene.noise, scene.blur, scene.isInverted, scene.seed) = (12, 1, isInverted, UInt64(moment))
        return try scene.picture(symbol)
    }

    /// The upper rows of one picture and the lower ones of another.
    private func mixed(upper: LumaImage, lower: LumaImage) throws -> LumaImage {
        let border = upper.pixels.count / 2
        return try #require(
            LumaImage(
                width: upper.width, height: upper.height,
                pixels: Array(upper.pixels[..<border] + lower.pixels[border...])))
    }

    @Test("a film gives what its pictures give one by one", arguments: [false, true])
    func film(isInverted: Bool) throws {
        var tracker = QRTracker()
        var latest: [UInt8]?
        for moment in 0..<16 {
            let image = try picture(symbol(moment / 2), moment: moment, isInverted: isInverted)
            let alone = SwiftQRReader().read(image).map(\.bytes)
            #expect(alone.count == 1)
            switch tracker.observe(image) {
            case .reading(let reading):
                #expect(moment % 2 == 0)
                #expect(reading.symbol?.isInverted == isInverted && reading.symbol?.version == version)
                latest = reading.bytes
            case .same: #expect(moment % 2 == 1)
            case .nothing: Issue.record("picture \(moment) gives nothing")
            }
            #expect(latest == alone.first)
        }
    }

    @Test("the code is followed without another search, in all kinds of versions", arguments: [1, 2, 6, 7, 23])
    func followed(number: Int) throws {
        let version = QRVersion.all[number - 1]
        let located = try #require(
            SwiftQRReader().search(picture(symbol(0, version: version), moment: 0)).located.first)
        var track = Track(located)
        for moment in 1..<10 {
            let symbol = try symbol(moment / 2, version: version)
            switch track.advance(try picture(symbol, moment: moment)) {
            case .read(let located): #expect(moment % 2 == 0 && located.found.symbol.format.mask == symbol.mask)
            case .same: #expect(moment % 2 == 1)
            case .lost: Issue.record("the code is lost at \(moment)")
            case .unread: Issue.record("the code is not read at \(moment)")
            }
        }
    }

    @Test("a mirrored code is followed")
    func mirrored() throws {
        func picture(_ seed: Int) throws -> LumaImage {
            var scene = Scene.front(version, module: 4.5, degrees: Double(seed))
            scene.corners.swapAt(1, 3)
            return try scene.picture(symbol(seed))
        }
        var track = Track(try #require(SwiftQRReader().search(picture(0)).located.first))
        guard case .same = track.advance(try picture(0)) else { return #expect(Bool(false), "not the same") }
        guard case .read(let located) = track.advance(try picture(1)) else { return #expect(Bool(false), "not read") }
        #expect(QRReading(located).symbol?.isMirrored == true)
    }

    @Test("a picture that mixes two codes is nothing, and the next is read")
    func rollingShutter() throws {
        var tracker = QRTracker()
        let pictures = try [1, 2, 3].map { try picture(symbol($0), moment: 0).pixels }
            .map { try #require(LumaImage(width: 640, height: 480, pixels: $0)) }
        guard case .reading = tracker.observe(pictures[0]) else { return #expect(Bool(false), "not read") }
        #expect(tracker.observe(try mixed(upper: pictures[0], lower: pictures[1])) == .nothing)
        #expect(tracker.observe(try mixed(upper: pictures[1], lower: pictures[0])) == .nothing)
        guard case .reading = tracker.observe(pictures[1]) else { return #expect(Bool(false), "not read") }
        #expect(tracker.observe(pictures[1]) == .same)
        // However many are mixed, what follows is read.
        for _ in 0..<9 { #expect(tracker.observe(try mixed(upper: pictures[2], lower: pictures[0])) == .nothing) }
        guard case .reading = tracker.observe(pictures[2]) else { return #expect(Bool(false), "not read") }
    }

    @Test("codes that differ in one byte are told apart", arguments: [0, 1, 40, 200, 400])
    func nearlySame(place: Int) throws {
        var bytes = [UInt8](repeating: 0, count: 450)
        let scene = Scene.front(version, module: 4.4).with { $0.noise = 12 }
        func picture(_ bytes: [UInt8]) throws -> LumaImage {
            try scene.picture(QRSymbol.encode(.bytes(bytes), boost: false, mask: 3, versions: 15...15))
        }
        var tracker = QRTracker()
        guard case .reading = tracker.observe(try picture(bytes)) else { return #expect(Bool(false), "not read") }
        #expect(tracker.observe(try picture(bytes)) == .same)
        bytes[place] ^= 1
        guard case .reading(let reading) = tracker.observe(try picture(bytes)) else {
            return #expect(Bool(false), "taken for the same")
        }
        #expect(reading.bytes == bytes)
    }

    @Test("after a jump, another version, another size or nothing the film goes on")
    func jumps() throws {
        var tracker = QRTracker()
        func reads(_ image: LumaImage) -> Bool {
            if case .reading = tracker.observe(image) { return true }
            return false
        }
        #expect(reads(try picture(symbol(1), moment: 0)))
        #expect(reads(try picture(symbol(2), moment: 60)))
        #expect(reads(try picture(symbol(3, version: QRVersion.all[2]), moment: 0)))
        let empty = try #require(LumaImage(width: 640, height: 480, pixels: [UInt8](repeating: 90, count: 640 * 480)))
        #expect(tracker.observe(empty) == .nothing)
        #expect(reads(try picture(symbol(3), moment: 0)))
        let tiny = try #require(LumaImage(width: 9, height: 7, pixels: [UInt8](repeating: 90, count: 63)))
        #expect(tracker.observe(tiny) == .nothing)
        #expect(reads(try picture(symbol(3), moment: 0)))
    }

    @Test("a film of noise gives nothing and ends nothing")
    func noise() throws {
        var tracker = QRTracker()
        var random = SplitMix64(state: 9)
        guard case .reading = tracker.observe(try picture(symbol(1), moment: 0)) else {
            return #expect(Bool(false), "not read")
        }
        for size in [640, 100, 640] {
            let pixels = (0..<size * 480).map { _ in random.byte() }
            #expect(tracker.observe(try #require(LumaImage(width: size, height: 480, pixels: pixels))) == .nothing)
        }
    }
}
