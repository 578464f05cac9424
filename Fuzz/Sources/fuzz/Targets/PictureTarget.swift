import Pictures
import QRCode
import QRFilms

extension FuzzTarget {
    /// PNG, JPEG and PGM, told apart by their first bytes.
    static let picture = FuzzTarget(
        name: "picture",
        seeds: [
            (try? QRSymbol.encode(bytes: [1, 2, 3])).map { QRPicture.png($0, scale: 1) } ?? [],
            Array("P5 2 2 255\n0123".utf8), Array("P2 2 2 255\n0 1 2 3".utf8),
            [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
        ]
    ) { bytes in
        _ = try? PictureDecoder.decode(bytes)
    }

    /// Every format that moves, in two pieces.
    static let film = FuzzTarget(
        name: "film",
        seeds: films + [
            Array("YUV4MPEG2 W2 H2 Cmono\nFRAME\n0123FRAME\n0123".utf8), Array("P5 1 1 255\n0P5 1 1 255\n0".utf8),
            [0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0, 1, 0xff, 0, 0xff, 0xd9],
        ]
    ) { bytes in
        var film = FilmReader()
        film.append(bytes[..<(bytes.count / 2)])
        var pictures = (try? film.next()) == nil ? 0 : 1
        film.append(bytes[(bytes.count / 2)...])
        film.finish()
        // A film of a few bytes has few pictures; each round takes at least one of them or an error out of it.
        while pictures < 100, (try? film.next()) ?? nil != nil { pictures += 1 }
    }

    private static var films: [[UInt8]] {
        guard let symbol = try? QRSymbol.encode(bytes: [1, 2, 3]) else { return [] }
        let shape = QRFilmShape(symbolSize: symbol.size, frameCount: 2, scale: 1)
        var (apng, gif) = (APNGWriter(shape), GIFWriter(shape))
        return [
            apng.head() + apng.frame(symbol) + apng.frame(symbol) + apng.tail(),
            gif.head() + gif.frame(symbol) + gif.frame(symbol) + gif.tail(),
        ]
    }

    /// A picture for the reader of QR codes: its width, then pixels.
    static let qrReader = FuzzTarget(
        name: "qr-reader",
        seeds: [(try? QRSymbol.encode(bytes: [1, 2, 3])).map(pixels) ?? []]
    ) { bytes in
        guard let width = bytes.first.map(Int.init), width > 0 else { return }
        let height = (bytes.count - 1) / width
        guard let image = LumaImage(width: width, height: height, pixels: Array(bytes[1..<1 + width * height])) else {
            return
        }
        _ = SwiftQRReader().read(image)
    }

    /// Three pixels for a module and four modules around.
    private static func pixels(_ symbol: QRSymbol) -> [UInt8] {
        let side = 3 * (symbol.size + 8)
        return [UInt8(side)] + (0..<side * side).map { symbol[$0 % side / 3 - 4, $0 / side / 3 - 4] ? 0 : 255 }
    }
}
