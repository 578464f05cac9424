import Pictures
import QRCode
import Testing

/// The files were made by libjpeg's compressor: 16 by 8 pixels, the left half 40, the right half 200.
@Suite("JPEG files")
struct JPEGTests {
    private static let table: [UInt8] = [
        0xff, 0xd8, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x03, 0x02, 0x02, 0x03, 0x02, 0x02, 0x03, 0x03, 0x03, 0x03, 0x04,
        0x03, 0x03, 0x04, 0x05, 0x08, 0x05, 0x05, 0x04, 0x04, 0x05, 0x0a, 0x07, 0x07, 0x06, 0x08, 0x0c, 0x0a, 0x0c,
        0x0c, 0x0b, 0x0a, 0x0b, 0x0b, 0x0d, 0x0e, 0x12, 0x10, 0x0d, 0x0e, 0x11, 0x0e, 0x0b, 0x0b, 0x10, 0x16, 0x10,
        0x11, 0x13, 0x14, 0x15, 0x15, 0x15, 0x0c, 0x0f, 0x17, 0x18, 0x16, 0x14, 0x18, 0x12, 0x14, 0x15, 0x14,
    ]
    private static let directHuffman: [UInt8] =
        [0xff, 0xc4, 0x00, 0x15, 0x00, 0x01, 0x01] + [UInt8](repeating: 0, count: 14) + [0x08, 0x09]
    private static let otherHuffman: [UInt8] =
        [0xff, 0xc4, 0x00, 0x14, 0x10, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
    private static let directScan: [UInt8] = [
        0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x5a, 0xbf,
    ]

    static let baseline: [UInt8] =
        table + [0xff, 0xc0, 0x00, 0x0b, 0x08, 0x00, 0x08, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00] + directHuffman
        + otherHuffman
        + [0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x0a, 0x2d, 0x5b, 0xff, 0xd9]

    /// - Parameter directScans: how often the scan of the mean values comes; once is enough.
    static func progressive(directScans: Int = 1) -> [UInt8] {
        table + [0xff, 0xc2, 0x00, 0x0b, 0x08, 0x00, 0x08, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00] + directHuffman
            + Array(repeatElement(directScan, count: directScans).joined())
            + [0xff, 0xc4, 0x00, 0x14, 0x10, 0x01] + [UInt8](repeating: 0, count: 15) + [0x10]
            + [0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x01, 0x3f, 0x00, 0x3f, 0xff, 0xd9]
    }

    @Test("plain and progressive pictures are read")
    func pictures() throws {
        for file in [Self.baseline, Self.progressive()] {
            let image = try PictureDecoder.decode(file)
            #expect(image.width == 16 && image.height == 8)
            for (index, pixel) in image.pixels.enumerated() {
                #expect(abs(Int(pixel) - (index % 16 < 8 ? 40 : 200)) <= 3)
            }
        }
    }

    @Test("a file that repeats its scans without end is given up")
    func scans() throws {
        _ = try PictureDecoder.decode(Self.progressive(directScans: 50))
        let error = #expect(throws: PictureError.self) {
            try PictureDecoder.decode(Self.progressive(directScans: 5000))
        }
        #expect(error.map { "\($0)".contains("scans") } ?? false)
    }

    @Test("a file that ends too early is refused, although libjpeg would only warn")
    func cut() {
        for file in [Self.baseline, Self.progressive()] {
            for count in 0..<file.count - 2 {
                #expect(throws: PictureError.self) { try PictureDecoder.decode(Array(file[..<count])) }
            }
        }
    }

    @Test("printing colours are refused")
    func printingColours() {
        let components: [UInt8] = [0x43, 0x11, 0x00, 0x4d, 0x11, 0x00, 0x59, 0x11, 0x00, 0x4b, 0x11, 0x00]
        let file =
            Self.table + [0xff, 0xc0, 0x00, 0x14, 0x08, 0x00, 0x08, 0x00, 0x10, 0x04] + components
            + Self.directHuffman + Self.otherHuffman
            + [0xff, 0xda, 0x00, 0x0e, 0x04, 0x43, 0x00, 0x4d, 0x00, 0x59, 0x00, 0x4b, 0x00, 0x00, 0x3f, 0x00]
            + [0x0a, 0x02, 0x80, 0xa0, 0x28, 0xb5, 0x6b, 0x56, 0xb5, 0x6b, 0x56, 0xff, 0xd9]
        let error = #expect(throws: PictureError.self) { try PictureDecoder.decode(file) }
        #expect(error.map { "\($0)".contains("CMYK") } ?? false)
    }

    @Test("more pixels than allowed are refused before they are allocated")
    func size() {
        var file = Self.baseline
        let height = Self.table.count + 5
        file.replaceSubrange(height..<height + 4, with: [0xff, 0xdc, 0xff, 0xdc])
        #expect(
            throws: PictureError.tooLarge(width: 65500, height: 65500, limit: PictureDecoder.pixelLimit)
        ) { try PictureDecoder.decode(file) }
    }

    @Test("flipped bits give a picture or a refusal, and never end the process")
    func flippedBits() {
        for file in [Self.baseline, Self.progressive()] {
            for bit in 0..<file.count * 8 {
                // The upper half of the size would only make large pictures, slowly.
                let size = Self.table.count + 5..<Self.table.count + 9
                if size.contains(bit / 8) && (bit / 8 - size.lowerBound) % 2 == 0 { continue }
                var mauled = file
                mauled[bit / 8] ^= 1 << UInt8(bit % 8)
                _ = try? PictureDecoder.decode(mauled)
            }
        }
    }
}
