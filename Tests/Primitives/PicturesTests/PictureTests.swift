import Foundation
import Pictures
import QRCode
import Testing
import ZXingReader

@Suite("Pictures of QR codes")
struct PictureTests {
    private func bytes(_ count: Int, seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 167 &+ seed) ^ ($0 >> 3)) }
    }

    @Test("what is written as PNG is read back byte for byte", arguments: [0, 1, 17, 100, 271, 500, 1091, 2000, 2953])
    func roundTrip(count: Int) throws {
        let content = bytes(count, seed: count)
        let image = try PictureDecoder.decode(QRPicture.png(QRSymbol.encode(bytes: content)))
        #expect(SwiftQRReader().read(image).map(\.bytes) == [content])
        #expect(try ZXingReader().read(image).map(\.bytes) == [content])
    }

    @Test("every version is read back", arguments: 1...40)
    func versions(version: Int) throws {
        let content = bytes(12, seed: version)
        for level in QRLevel.allCases {
            guard
                let symbol = try? QRSymbol.encode(
                    .bytes(content), level: level, boost: false, versions: version...version)
            else { continue }
            let image = try PictureDecoder.decode(QRPicture.png(symbol))
            #expect(SwiftQRReader().read(image).map(\.bytes) == [content])
            #expect(try ZXingReader().read(image).map(\.bytes) == [content])
        }
    }

    @Test("an inverted code is read")
    func inverted() throws {
        let content = bytes(40, seed: 1)
        let image = try PictureDecoder.decode(QRPicture.png(QRSymbol.encode(bytes: content)))
        #expect(try ZXingReader().read(image.inverted).map(\.bytes) == [content])
    }

    @Test("a picture without a code gives none")
    func empty() throws {
        let image = try #require(LumaImage(width: 200, height: 100, pixels: [UInt8](repeating: 128, count: 20000)))
        #expect(try ZXingReader().read(image).isEmpty)
    }

    @Test("PGM in both forms")
    func pgm() throws {
        let plain = try PictureDecoder.decode(Array("P2 # comment\n2 2\n255\n0 128\n255 7\n".utf8))
        let raw = try PictureDecoder.decode(Array("P5 2 2 255\n".utf8) + [0, 128, 255, 7])
        #expect(plain == raw && plain.pixels == [0, 128, 255, 7])
    }

    @Test("what is no picture is refused")
    func refusals() {
        #expect(throws: PictureError.unknownFormat) { try PictureDecoder.decode([1, 2, 3]) }
        #expect(throws: PictureError.unknownFormat) { try PictureDecoder.decode([]) }
        for text in ["P5 0 1 255\n", "P5 2 2 255\n1", "P2 1 1 0\n1", "P2 99999999999 1 255 1", "P5"] {
            #expect(throws: PictureError.self) { try PictureDecoder.decode(Array(text.utf8)) }
        }
        #expect(throws: PictureError.tooLarge(width: 100000, height: 100000, limit: PictureDecoder.pixelLimit)) {
            try PictureDecoder.decode(Array("P5 100000 100000 255\n".utf8))
        }
    }

    @Test("cut and mauled pictures are refused or read, and never trap")
    func mauled() throws {
        let png = QRPicture.png(try QRSymbol.encode(bytes: bytes(50, seed: 3)))
        let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
        for whole in [png, jpeg, Array("P5 4 4 255\n0123456789abcdef".utf8)] {
            for count in 0..<whole.count { _ = try? PictureDecoder.decode(Array(whole[..<count])) }
            for bit in 0..<whole.count * 8 {
                var mauled = whole
                mauled[bit / 8] ^= 1 << UInt8(bit % 8)
                _ = try? PictureDecoder.decode(mauled)
            }
        }
        // Every bit of a PNG is under a check sum or decides what the rest is.
        for bit in 0..<png.count * 8 {
            var mauled = png
            mauled[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PictureError.self) { try PictureDecoder.decode(mauled) }
        }
    }
}
