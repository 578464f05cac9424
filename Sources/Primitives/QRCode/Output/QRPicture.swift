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
        return PNGChunks.signature + PNGChunks.header(side: side, dark: dark)
            + PNGChunks.chunk(
                "IDAT",
                ZlibStream.runLengths(rows(symbol, side: symbol.size + 2 * border, scale: scale, border: border)))
            + PNGChunks.chunk("IEND", [])
    }

    /// The rows of the picture, a bit a pixel, each behind the byte that says that it is not filtered.
    ///
    /// - Parameter modules: of the picture's side.
    package static func rows(_ symbol: QRSymbol, side modules: Int, scale: Int, border: Int) -> [UInt8] {
        let rowBytes = (modules * scale + 7) / 8
        var rows: [UInt8] = []
        rows.reserveCapacity((rowBytes + 1) * modules * scale)
        for y in 0..<modules {
            var row = [UInt8](repeating: 0, count: rowBytes + 1)
            for x in 0..<modules where !symbol[x - border, y - border] {
                for pixel in x * scale..<(x + 1) * scale { row[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8) }
            }
            for _ in 0..<scale { rows += row }
        }
        return rows
    }
}

/// What a PNG with one bit a pixel and two colours is put together from.
package enum PNGChunks {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// Size and colours; white is the second one.
    package static func header(side: Int, dark: QRPicture.Colour) -> [UInt8] {
        chunk("IHDR", word(side) + word(side) + [1, 3, 0, 0, 0])
            + chunk("PLTE", [dark.red, dark.green, dark.blue, 0xff, 0xff, 0xff])
    }

    /// Four bytes, most significant first.
    package static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    package static func chunk(_ type: StaticString, _ data: [UInt8]) -> [UInt8] {
        let typed = type.withUTF8Buffer { Array($0) } + data
        return word(data.count) + typed + word(Int(checksum(typed)))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xffff_ffff) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
