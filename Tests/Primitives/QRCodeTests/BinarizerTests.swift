import TestSupport
import Testing

@testable import QRCode

@Suite("Splitting pictures into dark and light")
struct BinarizerTests {
    /// Blots and noise; sizes that no cell and no word of pixels divides are among them.
    private static let pictures: [LumaImage] = {
        var random = SplitMix64(state: 14)
        return [(21, 21), (63, 40), (64, 64), (65, 33), (129, 71), (200, 96)].compactMap { width, height in
            let blots = (0..<width * height).map { _ in random.byte() }
            return LumaImage(
                width: width, height: height,
                pixels: (0..<width * height).map { place in
                    let (x, y) = (place % width, place / width)
                    return UInt8((Int(blots[y / 7 * width + x / 7]) * 3 + Int(blots[place])) / 4)
                })
        }
    }()

    @Test("inverted, it is the split of the inverted picture", arguments: Binarizer.Threshold.allCases)
    func inverted(threshold: Binarizer.Threshold) throws {
        for picture in Self.pictures {
            var ofPicture = Binarizer(picture)
            var ofInverted = Binarizer(picture.inverted)
            let split = ofPicture.split(at: threshold, isInverted: true).dark
            let isSame = split == ofInverted.split(at: threshold, isInverted: false).dark
            #expect(isSame && Set(split) == [true, false])
        }
    }

    @Test("a pixel is dark where it is more than three levels darker than the mean around it")
    func localMean() throws {
        // One cell: the mean is that of the picture, 100.
        var pixels = [UInt8](repeating: 100, count: 8 * 8)
        (pixels[9], pixels[10], pixels[20], pixels[21]) = (96, 104, 97, 103)
        var binarizer = Binarizer(try #require(LumaImage(width: 8, height: 8, pixels: pixels)))
        let dark = binarizer.split(at: .localMean, isInverted: false).dark
        #expect(dark.indices.filter { dark[$0] } == [9])
        let light = binarizer.split(at: .localMean, isInverted: true).dark
        #expect(light.indices.filter { light[$0] } == [10])
    }

    @Test("the mean around a pixel is that of its cell and the cells at most a tenth of the shorter side away")
    func neighbourhood() throws {
        for picture in Self.pictures {
            var binarizer = Binarizer(picture)
            let binary = binarizer.split(at: .localMean, isInverted: false)
            let radius = max(1, min(picture.width, picture.height) / 10 / 8)
            func near(_ place: Int, _ size: Int) -> Range<Int> {
                max(place / 8 - radius, 0) * 8..<min((place / 8 + radius + 1) * 8, size)
            }
            for y in stride(from: 0, to: picture.height, by: 3) {
                for x in stride(from: 0, to: picture.width, by: 3) {
                    let (rows, columns) = (near(y, picture.height), near(x, picture.width))
                    let sum = rows.reduce(0) { sum, row in
                        columns.reduce(sum) { $0 + Int(picture.pixels[row * picture.width + $1]) }
                    }
                    let isDark = Int(picture.pixels[y * picture.width + x]) < sum / (rows.count * columns.count) - 3
                    #expect(binary.isDark(x: x, y: y) == isDark)
                }
            }
        }
    }

    @Test("nothing is dark outside of the picture")
    func outside() throws {
        let picture = try #require(LumaImage(width: 9, height: 5, pixels: [UInt8](repeating: 0, count: 45)))
        let binary = BinaryImage(picture, limits: [128, 128], isInverted: false)
        #expect(binary.dark.allSatisfy { $0 })
        for (x, y) in [(-1, 2), (9, 2), (4, -1), (4, 5), (-1, -1), (9, 5)] { #expect(!binary.isDark(x: x, y: y)) }
    }

    @Test(
        "the edges of a row are where one pixel differs from the one before it",
        arguments: Binarizer.Threshold.allCases, [false, true])
    func edges(threshold: Binarizer.Threshold, isInverted: Bool) throws {
        for picture in Self.pictures + (try Self.evenPictures()) {
            var binarizer = Binarizer(picture)
            let binary = binarizer.split(at: threshold, isInverted: isInverted)
            let found = binary.withPixels { pixels in
                var edges = RowEdges(pixels)
                return (0..<binary.height).map { row in
                    let count = edges.find(row: row)
                    return edges.places.prefix(count).map { Int($0) }
                }
            }
            let expected = (0..<binary.height).map { row in
                (0...binary.width).filter { binary.isDark(x: $0, y: row) != binary.isDark(x: $0 - 1, y: row) }
            }
            #expect(found == expected)
        }
    }

    /// All of one brightness, and stripes of one pixel, which change at every pixel.
    private static func evenPictures() throws -> [LumaImage] {
        try [64, 128, 150].flatMap { width in
            try [UInt8(0), 255].map { stripe in
                let pixels = (0..<width * 24).map { $0 % width % 2 == 0 ? 0 : stripe }
                return try #require(LumaImage(width: width, height: 24, pixels: pixels))
            }
        }
    }
}

extension BinaryImage {
    /// Row by row, whether each pixel is dark.
    var dark: [Bool] {
        (0..<height).flatMap { y in (0..<width).map { isDark(x: $0, y: y) } }
    }
}
