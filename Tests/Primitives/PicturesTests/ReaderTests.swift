import Pictures
import QRCode
import TestSupport
import Testing
import ZXingReader

@Suite("Both readers on pictures of cameras")
struct ReaderTests {
    private static let list = "raptorq-qr/qr/pictures.json"

    /// Pictures in which the reader finds exactly what is there; that it never finds anything else is expected here.
    private func read(with reader: some QRReader) throws -> [String] {
        var read: [String] = []
        for row in try SharedData.json(Self.list).array {
            let file = try #require(row["file"].string)
            let expected = Set(row["bytes_hex"].hex.map { [$0] } ?? row["bytes_hex"].array.compactMap(\.hex))
            let found = try reader.read(PictureDecoder.decode(SharedData.bytes("raptorq-qr/qr/\(file)")))
            #expect(expected.isSuperset(of: found.map(\.bytes)), "\(file)")
            if Set(found.map(\.bytes)) == expected { read.append(file) }
        }
        return read
    }

    @Test("ours reads all 71", .enabled(if: SharedData.has(list)))
    func swift() throws {
        #expect(try read(with: SwiftQRReader()).count == 71)
    }

    @Test("zxing-cpp reads at least 60 of 71", .enabled(if: SharedData.has(list)))
    func secondOpinion() throws {
        #expect(try read(with: ZXingReader()).count >= 60)
    }

    @Test(
        "what is known of the pictures is told", .enabled(if: SharedData.has(list)), arguments: [142, 586, 1080, 2953])
    func symbol(count: Int) throws {
        let size = count == 2953 ? "1280x720" : "640x480"
        let kinds = count == 586 ? ["clean", "mirror"] : ["clean", "inverted"]
        for kind in kinds {
            let image = try PictureDecoder.decode(
                SharedData.bytes("raptorq-qr/qr/cam-\(count)-\(size)-front-\(kind).jpg"))
            let symbol = try #require(SwiftQRReader().read(image).first?.symbol)
            #expect(symbol.version == (try QRSymbol.encode(bytes: [UInt8](repeating: 0, count: count)).version))
            #expect(symbol.isInverted == (kind == "inverted") && symbol.isMirrored == (kind == "mirror"))
            #expect(symbol.extendedChannels.isEmpty)
        }
    }

    @Test(
        "both readers place a code alike", .enabled(if: SharedData.has(list)),
        arguments: ["front", "rot20", "persp"])
    func corners(geometry: String) throws {
        let count = geometry == "rot20" ? 142 : 586
        let file = "raptorq-qr/qr/cam-\(count)-640x480-\(geometry)-clean.jpg"
        let image = try PictureDecoder.decode(SharedData.bytes(file))
        let ours = try #require(SwiftQRReader().read(image).first)
        let theirs = try #require(try ZXingReader().read(image).first)
        for (one, other) in zip(ours.corners, theirs.corners) {
            #expect(abs(one.x - other.x) <= 6 && abs(one.y - other.y) <= 6)
        }
    }

    @Test("noise holds no code, and an even picture none")
    func noise() throws {
        var random = SplitMix64(state: 1)
        for kind in 0...1 {
            let pixels = (0..<160 * 120).map { _ in kind == 0 ? random.byte() : 77 }
            let image = try #require(LumaImage(width: 160, height: 120, pixels: pixels))
            #expect(SwiftQRReader().read(image).isEmpty)
            #expect(try ZXingReader().read(image).isEmpty)
        }
    }

    @Test(
        "a film before a hand-held camera gives what its pictures give one by one",
        .enabled(if: SharedData.has("raptorq-qr/video/types_info_None-15fps.mjpeg")))
    func film() throws {
        let pictures = try Self.pictures(of: SharedData.bytes("raptorq-qr/video/types_info_None-15fps.mjpeg"))
        #expect(pictures.count == 75)
        var tracker = QRTracker()
        var latest: [UInt8]?
        var frames: Set<[UInt8]> = []
        for (index, bytes) in pictures.enumerated() {
            let image = try PictureDecoder.decode(bytes)
            let alone = SwiftQRReader().read(image).first?.bytes
            switch tracker.observe(image) {
            case .reading(let reading): latest = reading.bytes
            case .same: break
            case .nothing:
                #expect(alone == nil, "picture \(index)")
                continue
            }
            #expect(latest == alone, "picture \(index)")
            if let latest { frames.insert(latest) }
            // The reference reader has enough frames for the payload at picture 32: 25 readable pictures.
            if index == 31 { #expect(frames.count >= 16) }
        }
        let known = try Set(Self.frames)
        #expect(frames.isSubset(of: known) && frames.count >= 28)
    }

    /// The QR payloads of the film's animation.
    private static var frames: [[UInt8]] {
        get throws {
            let index = try SharedData.json("raptorq-qr/vault-frames/index.json").array
            let row = try #require(index.first { $0["name"].string == "types_info_None" })
            let length = try #require(row["frame_len"].int)
            let all = try SharedData.bytes("raptorq-qr/vault-frames/types_info_None.frames")
            return stride(from: 0, to: all.count, by: length).map { Array(all[$0..<min($0 + length, all.count)]) }
        }
    }

    /// Pictures that follow each other in a file: each starts with the marker that no entropy-coded byte pair is.
    private static func pictures(of film: [UInt8]) -> [[UInt8]] {
        let starts = film.indices.dropLast(2).filter { film[$0...].starts(with: [0xff, 0xd8, 0xff]) }
        return zip(starts, starts.dropFirst() + [film.count]).map { Array(film[$0..<$1]) }
    }
}
