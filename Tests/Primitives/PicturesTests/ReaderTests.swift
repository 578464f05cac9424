import Pictures
import QRCode
import TestSupport
import Testing

@testable import ZXingReader

@Suite("Searching again in changed pictures")
struct RetryTests {
    private func picture(_ content: [UInt8]) throws -> LumaImage {
        try PictureDecoder.decode(QRPicture.png(QRSymbol.encode(bytes: content)))
    }

    @Test(
        "each attempt alone reads a picture of its kind and puts the corners where they are",
        arguments: Attempt.all.indices)
    func corners(index: Int) throws {
        let content = [UInt8](0..<60)
        let attempt = Attempt.all[index]
        var image = try picture(content)
        if attempt.isInverted { image = image.inverted }
        if attempt.change == .mirrored { image = image.resampled(.mirroring(image)) }
        let readings = try attempt.read(image)
        #expect(readings.map(\.bytes) == [content])
        // The quiet zone is 16 pixels wide. Which corner is named first depends on which side is seen.
        let far = image.width - 16
        for corner in try #require(readings.first).corners {
            #expect([corner.x, corner.y].allSatisfy { abs($0 - 16) <= 4 || abs($0 - far) <= 4 }, "\(corner)")
        }
        #expect(Set(readings[0].corners.map { [$0.x > far / 2, $0.y > far / 2] }).count == 4)
    }

    @Test("a place is mapped back to where it came from")
    func placement() throws {
        let image = try #require(LumaImage(width: 40, height: 30, pixels: [UInt8](repeating: 9, count: 1200)))
        let mirrored = Placement.mirroring(image)
        #expect(mirrored.original(.init(x: 0, y: 5)) == QRReading.Corner(x: 40, y: 5))
        let doubled = Placement.doubling(image)
        #expect(doubled.width == 80 && doubled.original(.init(x: 80, y: 60)) == QRReading.Corner(x: 40, y: 30))
        let turned = Placement.turning(image, sine: 5.0 / 13)
        #expect(
            turned.original(.init(x: turned.width / 2, y: turned.height / 2)) == QRReading.Corner(x: 20, y: 15))
    }

    @Test("an even picture stays even, whatever is done to it", arguments: [(1, 1), (1, 7), (9, 1), (13, 11)])
    func evenPicture(width: Int, height: Int) throws {
        let image = try #require(
            LumaImage(width: width, height: height, pixels: [UInt8](repeating: 77, count: width * height)))
        #expect(image.sharpened == image)
        for placement in [Placement.doubling(image), .mirroring(image), .turning(image, sine: 5.0 / 13)] {
            #expect(image.resampled(placement).pixels.allSatisfy { $0 == 77 })
        }
        #expect(try ZXingReader().read(image).isEmpty)
    }

    @Test("an edge is sharper afterwards")
    func sharpened() throws {
        let ramp = (0..<400).map { UInt8(100 + 10 * min(max($0 % 20 - 8, 0), 4)) }
        let image = try #require(LumaImage(width: 20, height: 20, pixels: ramp))
        let row = image.sharpened.pixels[200..<220]
        #expect(row.contains { $0 < 100 } && row.contains { $0 > 140 })
    }

    @Test("noise holds no code")
    func noise() throws {
        var state: UInt64 = 1
        let pixels = (0..<160 * 120).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        #expect(try ZXingReader().read(#require(LumaImage(width: 160, height: 120, pixels: pixels))).isEmpty)
    }

    @Test(
        "of the camera pictures at least 70 of 71 are read, and none wrongly",
        .enabled(if: SharedData.has("raptorq-qr/qr/pictures.json")))
    func cameraPictures() throws {
        var read = 0
        for row in try SharedData.json("raptorq-qr/qr/pictures.json").array {
            let file = try #require(row["file"].string)
            let expected = Set(row["bytes_hex"].hex.map { [$0] } ?? row["bytes_hex"].array.compactMap(\.hex))
            let found = try ZXingReader().read(PictureDecoder.decode(SharedData.bytes("raptorq-qr/qr/\(file)")))
            #expect(expected.isSuperset(of: found.map(\.bytes)), "\(file)")
            if Set(found.map(\.bytes)) == expected { read += 1 }
        }
        #expect(read >= 70)
    }
}
