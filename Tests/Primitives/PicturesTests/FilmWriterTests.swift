import QRCode
import Testing
import TextForms
import ZXingReader

@testable import Pictures
@testable import QRFilms

@Suite("Films of QR codes, written")
struct FilmWriterTests {
    private static let contents: [[UInt8]] = (0..<5).map { number in
        (0..<200).map { UInt8(truncatingIfNeeded: $0 * 31 + number * 7) }
    }

    private static func film<Writer: QRFilmWriter>(_ writer: Writer.Type, scale: Int = 4) throws -> [UInt8] {
        let symbols = try contents.map { try QRSymbol.encode(bytes: $0) }
        var writer = Writer(
            QRFilmShape(
                symbolSize: symbols[0].size, frameCount: symbols.count, framesPerSecond: 15, scale: scale,
                dark: (0xe6, 0, 0x7a)))
        return writer.head() + symbols.flatMap { writer.frame($0) } + writer.tail()
    }

    private static func readBack(_ film: [UInt8]) throws -> [[UInt8]] {
        try FilmTests.pictures(film).flatMap { try ZXingReader().read($0).map(\.bytes) }
    }

    @Test("what is written is read back frame by frame", arguments: [1, 3, 4])
    func roundTrip(scale: Int) throws {
        // One pixel a module is too little for the reader; the pictures must be right all the same.
        let films = try [
            Self.film(APNGWriter.self, scale: scale), Self.film(GIFWriter.self, scale: scale),
            Self.film(Y4MWriter.self, scale: scale),
        ]
        let stills = try Self.contents.map {
            try PictureDecoder.decode(QRPicture.png(QRSymbol.encode(bytes: $0), scale: scale, dark: (0xe6, 0, 0x7a)))
        }
        for film in films {
            #expect(try FilmTests.pictures(film) == stills)
            if scale > 1 { #expect(try Self.readBack(film) == Self.contents) }
        }
    }

    @Test("a smaller symbol among larger ones is read too")
    func smaller() throws {
        let large = try QRSymbol.encode(bytes: Self.contents[0])
        let small = try QRSymbol.encode(bytes: [1, 2, 3])
        let shape = QRFilmShape(symbolSize: large.size, frameCount: 2)
        var (apng, gif, y4m) = (APNGWriter(shape), GIFWriter(shape), Y4MWriter(shape))
        let films = [
            apng.head() + apng.frame(large) + apng.frame(small) + apng.tail(),
            gif.head() + gif.frame(large) + gif.frame(small) + gif.tail(),
            y4m.head() + y4m.frame(large) + y4m.frame(small) + y4m.tail(),
        ]
        for film in films { #expect(try Self.readBack(film) == [Self.contents[0], [1, 2, 3]]) }
    }

    @Test("the largest symbol survives the compression of GIF, whose codes start anew several times")
    func largest() throws {
        let content = (0..<2953).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 167 >> 3) }
        let symbol = try QRSymbol.encode(bytes: content)
        var gif = GIFWriter(QRFilmShape(symbolSize: symbol.size, frameCount: 1, scale: 5))
        let film = gif.head() + gif.frame(symbol) + gif.tail()
        #expect(try FilmTests.pictures(film) == [PictureDecoder.decode(QRPicture.png(symbol, scale: 5))])
    }

    @Test(
        "an APNG says how many frames it has and how long each stands, as the picture shown by this code's ancestors does"
    )
    func apngHead() throws {
        let film = try Self.film(APNGWriter.self)
        let control: [UInt8] = Array("acTL".utf8) + [0, 0, 0, 5, 0, 0, 0, 0]
        #expect(film.firstRange(of: control)?.lowerBound == 8 + 25 + 18 + 4)
        #expect(film.ranges(of: Array("fcTL".utf8)).count == 5 && film.ranges(of: Array("fdAT".utf8)).count == 4)
        let delay = try #require(film.firstRange(of: Array("fcTL".utf8))).upperBound + 20
        #expect(Array(film[delay..<delay + 6]) == [0, 1, 0, 15, 0, 0])
    }

    @Test("a page holds every module of every frame, and nothing from elsewhere")
    func page() throws {
        let page = String(decoding: try Self.film(HTMLFilmWriter.self), as: UTF8.self)
        let symbol = try QRSymbol.encode(bytes: Self.contents[0])
        let side = symbol.size + 8
        #expect(page.contains("const modules = \(side), dark = '#e6007a';") && page.contains("let speed = 15;"))
        let frames = page.split(separator: "\n").filter { $0.hasPrefix("'") }
        #expect(frames.count == 5)
        #expect(!page.contains("http") && !page.contains("src="))
        #expect(Base64.encode([]) == "" && Base64.encode(Array("f".utf8)) == "Zg==")
        #expect(Base64.encode(Array("fo".utf8)) == "Zm8=" && Base64.encode(Array("foobar".utf8)) == "Zm9vYmFy")
    }
}
