/// Symbols as PNG pictures (`raptorq-qr` section 15).
public enum QRPicture {
    /// Red, green, blue.
    public typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    /// - Parameters:
    ///   - scale: pixels of a module's side.
    ///   - border: light modules around.
    ///   - dark: of the dark modules; light is white.
    /// - Returns: a PNG with one bit a pixel and two colours.
    public static func png(
        _ symbol: QRSymbol, scale: Int = 4, border: Int = 4, dark: Colour = (0, 0, 0)
    ) -> [UInt8] {
        let side = (symbol.size + 2 * border) * scale
        let rowBytes = (side + 7) / 8
        var pixels: [UInt8] = []
        pixels.reserveCapacity((rowBytes + 1) * side)
        for y in 0..<side {
            pixels.append(0)
            var row = [UInt8](repeating: 0, count: rowBytes)
            for x in 0..<side where !symbol[x / scale - border, y / scale - border] {
                row[x / 8] |= 0x80 >> UInt8(x % 8)
            }
            pixels += row
        }
        var png = PNGWriter()
        png.chunk("IHDR", PNGWriter.word(side) + PNGWriter.word(side) + [1, 3, 0, 0, 0])
        png.chunk("PLTE", [dark.red, dark.green, dark.blue, 0xff, 0xff, 0xff])
        png.chunk("IDAT", ZlibStream.runLengths(pixels))
        png.chunk("IEND", [])
        return png.bytes
    }
}

/// Chunks behind the signature of a PNG.
struct PNGWriter {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// Four bytes, most significant first.
    static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    mutating func chunk(_ type: StaticString, _ data: [UInt8]) {
        let typed = type.withUTF8Buffer { Array($0) } + data
        bytes += Self.word(data.count) + typed + Self.word(Int(Self.checksum(typed)))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xffff_ffff) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
