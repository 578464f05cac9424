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
}
