import QRCode
import TestSupport
import Testing
import TextForms

@testable import Pictures

@Suite("Films, read")
struct FilmTests {
    /// All pictures of a film that comes in pieces.
    static func pictures(_ bytes: [UInt8], piece: Int = 1000) throws -> [LumaImage] {
        var film = FilmReader()
        var pictures: [LumaImage] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            film.append(bytes[start..<min(start + piece, bytes.count)])
            while let picture = try film.next() { pictures.append(picture) }
        }
        film.finish()
        while let picture = try film.next() { pictures.append(picture) }
        #expect(try film.next() == nil)
        return pictures
    }

    static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    @Test("frames are drawn as another program draws them", arguments: FilmSample.all)
    func sample(sample: FilmSample) throws {
        let pictures = try Self.pictures(Self.bytes(sample.file))
        #expect(pictures.count == sample.frames.count)
        for (picture, expected) in zip(pictures, sample.frames) {
            #expect(picture.width == FilmSample.width && picture.height == FilmSample.height)
            // The other program rounds every layer on its own.
            let difference = zip(picture.pixels, Self.bytes(expected)).map { abs(Int($0) - Int($1)) }
            #expect(difference.count == FilmSample.width * FilmSample.height && difference.allSatisfy { $0 <= 3 })
        }
    }

    @Test("Y4M of each colour space, in pieces of any size", arguments: [1, 3, 64, 4096])
    func y4m(piece: Int) throws {
        let luma: [[UInt8]] = [Array(0..<15), Array(100..<115)]
        // 5 by 3 pixels: the two planes of colour have 3 by 2, 3 by 3, 5 by 3 or 2 by 3.
        for (name, colour) in [
            (" C420jpeg", 12), (" C420mpeg2", 12), ("", 12), (" C422", 18), (" C444", 30), (" Cmono", 0), (" C411", 12),
        ] {
            let film =
                Array("YUV4MPEG2 W5 H3 F15:1 Ip\(name) XANY=1\n".utf8)
                + luma.flatMap { Array("FRAME Ip\n".utf8) + $0 + [UInt8](repeating: 9, count: colour) }
            #expect(try Self.pictures(film, piece: piece).map(\.pixels) == luma, "\(name)")
        }
    }

    @Test("JPEG pictures behind each other, with what is no picture between them", arguments: [1, 7, 100_000])
    func mjpeg(piece: Int) throws {
        let one = JPEGTests.baseline
        let film = Array("--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + one + [0, 0xff, 1] + one + one + [0x0a]
        // What stands before the first picture is skipped in a film that began as one.
        let start = one + film
        #expect(try Self.pictures(start, piece: piece) == Array(repeating: PictureDecoder.decode(one), count: 4))
    }

    @Test("a damaged picture of a stream is told of, and those behind it are read")
    func damagedJPEG() throws {
        let one = JPEGTests.baseline
        var broken = one
        broken[2] = 0
        var film = FilmReader()
        film.append(one + broken + one)
        film.finish()
        #expect(try film.next() != nil)
        #expect(throws: PictureError.self) { try film.next() }
        #expect(try film.next() != nil)
        #expect(try film.next() == nil)
    }

    @Test("skipping passes over the pictures that reading gives, and over damaged ones without looking into them")
    func skipping() throws {
        let one = JPEGTests.baseline
        var broken = one
        // In a table of Huffman codes: not of the file's form, which is looked at.
        let table = try #require(one.indices.dropLast().first { one[$0] == 0xff && one[$0 + 1] == 0xc4 })
        broken[table + 5] = 0xff
        let (first, second) = (Array("P5 1 1 255\n".utf8) + [7], Array("P5 1 1 255\n".utf8) + [9])
        for film in [first + second, one + one, one + broken] {
            var reader = FilmReader()
            reader.append(film)
            reader.finish()
            #expect(try reader.skip() && reader.skip() && !reader.skip())
            #expect(reader.consumed == film.count)
        }
        var reader = FilmReader()
        reader.append(first + second)
        reader.finish()
        #expect(try reader.skip())
        #expect(try reader.next()?.pixels == [9])
    }

    @Test("raw PGM pictures behind each other, and still pictures")
    func stills() throws {
        let one = Array("P5 2 2 255\n".utf8) + [0, 128, 255, 7]
        #expect(try Self.pictures(one + one).map(\.pixels) == [[0, 128, 255, 7], [0, 128, 255, 7]])
        #expect(try Self.pictures(Array("P2 1 1 255 7\n".utf8)).map(\.pixels) == [[7]])
        let symbol = try QRSymbol.encode(bytes: [1, 2, 3])
        #expect(try Self.pictures(QRPicture.png(symbol)) == [PictureDecoder.decode(QRPicture.png(symbol))])
        #expect(try Self.pictures(JPEGTests.baseline).count == 1)
    }

    @Test("what is no film is refused, and what is cut off says so")
    func refusals() throws {
        for text in [
            "", "no film", "YUV4MPEG2 W0 H3\n", "YUV4MPEG2 W99999999 H99999999\n", "YUV4MPEG2 H3\n",
            "YUV4MPEG2 W1 H1 C420p10\nFRAME\n", "YUV4MPEG2 W2 H2 Cmono\nFRAMF\n1234",
            "YUV4MPEG2 W2 H2 Cmono\nFRAME\n123",
            "YUV4MPEG2 W2 H2 Cmono\nFRA", "GIF89a", "GIF90a-------", "P5 2 2 255\n123",
        ] {
            #expect(throws: PictureError.self, "\(text)") { try Self.pictures(Array(text.utf8)) }
        }
        let endless = Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 0x41, count: 2000)
        #expect(throws: PictureError.self) { try Self.pictures(endless) }
    }

    @Test("damage anywhere in a film gives pictures or an error, never more", arguments: FilmSample.all)
    func damage(sample: FilmSample) throws {
        let file = Self.bytes(sample.file)
        for cut in 0..<file.count { _ = try? Self.pictures(Array(file[..<cut])) }
        var randomness = SplitMix64(state: 77)
        for _ in 0..<3000 {
            var broken = file
            for _ in 0...2 { broken[Int(randomness.next() % UInt64(file.count))] = randomness.byte() }
            _ = try? Self.pictures(broken)
        }
        // A PNG's checksums tell every change.
        var broken = file
        broken[file.count / 2] ^= 1
        if sample.description.hasPrefix("APNG") { #expect(throws: PictureError.self) { try Self.pictures(broken) } }
    }
}
