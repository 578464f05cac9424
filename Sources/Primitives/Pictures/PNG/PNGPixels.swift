import QRCode

/// Turns the bytes of a restored row into grey pixels.
struct PNGPixels {
    private let header: PNGHeader
    /// Grey and opacity by palette index; an index beyond the palette has none.
    private let palette: [(luma: UInt8, alpha: UInt8)]
    /// The samples of the one colour that is transparent.
    private let transparentColour: [Int]?

    init(_ file: PNGFile) {
        header = file.header
        let alpha = file.transparency ?? []
        let isPalette = header.colourType == .palette
        palette =
            isPalette
            ? file.palette.enumerated().map { index, colour in
                (Self.luma(red: colour[0], green: colour[1], blue: colour[2]), index < alpha.count ? alpha[index] : 255)
            } : []
        transparentColour =
            isPalette || file.transparency == nil
            ? nil : Swift.stride(from: 0, to: alpha.count, by: 2).map { Int(alpha[$0]) << 8 | Int(alpha[$0 + 1]) }
    }

    /// The grey of pixel `index` in `row`, laid over what is `below` it, or `nil` where it names a colour that the
    /// palette lacks.
    func luma(at index: Int, in row: [UInt8], over below: UInt8) -> UInt8? {
        let first = index * header.colourType.samplesPerPixel
        switch header.colourType {
        case .palette:
            let entry = sample(first, in: row)
            guard entry < palette.count else { return nil }
            return Self.lay(palette[entry].luma, alpha: palette[entry].alpha, over: below)
        case .grey:
            let value = sample(first, in: row)
            return transparentColour?[0] == value ? below : byte(value)
        case .greyAlpha:
            let grey = byte(sample(first, in: row))
            return Self.lay(grey, alpha: byte(sample(first + 1, in: row)), over: below)
        case .colour, .colourAlpha:
            let (red, green, blue) = (
                sample(first, in: row), sample(first + 1, in: row), sample(first + 2, in: row)
            )
            if let colour = transparentColour, (colour[0], colour[1], colour[2]) == (red, green, blue) { return below }
            let alpha = header.colourType == .colourAlpha ? byte(sample(first + 3, in: row)) : 255
            return Self.lay(Self.luma(red: byte(red), green: byte(green), blue: byte(blue)), alpha: alpha, over: below)
        }
    }

    private func sample(_ index: Int, in row: [UInt8]) -> Int {
        switch header.bitDepth {
        case 8: return Int(row[index])
        case 16: return Int(row[2 * index]) << 8 | Int(row[2 * index + 1])
        default:
            let bit = index * header.bitDepth
            return Int(row[bit / 8]) >> (8 - header.bitDepth - bit % 8) & ((1 << header.bitDepth) - 1)
        }
    }

    /// A sample scaled to 0...255.
    private func byte(_ sample: Int) -> UInt8 {
        header.bitDepth == 16 ? UInt8(sample >> 8) : UInt8(sample * 255 / ((1 << header.bitDepth) - 1))
    }

    private static func luma(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        UInt8(LumaImage.brightness(red: Int(red), green: Int(green), blue: Int(blue)))
    }

    private static func lay(_ luma: UInt8, alpha: UInt8, over below: UInt8) -> UInt8 {
        let (luma, alpha, below) = (Int(luma), Int(alpha), Int(below))
        return UInt8((luma * alpha + below * (255 - alpha) + 127) / 255)
    }
}
