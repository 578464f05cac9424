import Pictures
import QRCode

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
