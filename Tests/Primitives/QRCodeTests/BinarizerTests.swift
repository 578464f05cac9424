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
            let split = ofPicture.split(at: threshold, isInverted: true)
            #expect(split.pixels == ofInverted.split(at: threshold, isInverted: false).pixels)
            #expect(Set(split.pixels) == [0, 1])
        }
    }

    @Test("a split that somebody still has is not written over by the next")
    func kept() throws {
        var binarizer = Binarizer(Self.pictures[3])
        let first = binarizer.split(at: .localMean, isInverted: false)
        let pixels = Array(first.pixels)
        #expect(binarizer.split(at: .global, isInverted: true).pixels != pixels)
        #expect(first.pixels == pixels)
    }

    @Test("a pixel is dark where it is more than three levels darker than the mean around it")
    func localMean() throws {
        // One cell: the mean is that of the picture, 100.
        var pixels = [UInt8](repeating: 100, count: 8 * 8)
        (pixels[9], pixels[10], pixels[20], pixels[21]) = (96, 104, 97, 103)
        var binarizer = Binarizer(try #require(LumaImage(width: 8, height: 8, pixels: pixels)))
        let dark = binarizer.split(at: .localMean, isInverted: false).pixels
        #expect(dark.indices.filter { dark[$0] == 1 } == [9])
        let light = binarizer.split(at: .localMean, isInverted: true).pixels
        #expect(light.indices.filter { light[$0] == 1 } == [10])
    }

    @Test("the edges of a row are where one pixel differs from the one before it")
    func edges() throws {
        for picture in Self.pictures {
            var binarizer = Binarizer(picture)
            let binary = binarizer.split(at: .localMean, isInverted: false)
            var edges = [Int32](repeating: -1, count: binary.width + 1)
            for row in 0..<binary.height {
                let count = binary.edges(row: row, into: &edges)
                let expected = (0...binary.width).filter {
                    binary.isDark(x: $0, y: row) != binary.isDark(x: $0 - 1, y: row)
                }
                #expect(edges.prefix(count).map { Int($0) } == expected)
            }
        }
    }
}
