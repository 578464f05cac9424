/// What the IHDR chunk says (PNG specification, third edition, 11.2.1).
struct PNGHeader: Equatable {
    let width: Int
    let height: Int
    /// Bits of one sample, or of one palette index.
    let bitDepth: Int
    let colourType: ColourType
    let isInterlaced: Bool

    /// Pixels; that of JPEG.
    private static let sideLimit = 65_535

    enum ColourType: UInt8 {
        case grey = 0
        case colour = 2
        case palette = 3
        case greyAlpha = 4
        case colourAlpha = 6

        var samplesPerPixel: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .colour: 3
            case .colourAlpha: 4
            }
        }

        var bitDepths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .colour, .greyAlpha, .colourAlpha: [8, 16]
            }
        }
    }

    /// - Parameter chunk: the first chunk of the file.
    init(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PictureError) {
        guard chunk.type == .header else {
            throw .png("the IHDR chunk: it is not the first chunk", at: chunk.content.lowerBound)
        }
        let content = Array(bytes[chunk.content])
        guard content.count == 13 else { throw chunk.malformed("it has \(content.count) bytes instead of 13") }
        width = content[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = content[4..<8].reduce(0) { $0 << 8 | Int($1) }
        guard let colourType = ColourType(rawValue: content[9]) else {
            throw chunk.malformed("colour type \(content[9]) does not exist")
        }
        self.colourType = colourType
        bitDepth = Int(content[8])
        guard colourType.bitDepths.contains(bitDepth) else {
            throw chunk.malformed("bit depth \(bitDepth) does not go with colour type \(colourType.rawValue)")
        }
        guard content[10] == 0, content[11] == 0 else { throw chunk.malformed("unknown compression or filter method") }
        guard content[12] <= 1 else { throw chunk.malformed("interlace method \(content[12]) does not exist") }
        isInterlaced = content[12] == 1
        guard width > 0, height > 0 else { throw chunk.malformed("the picture is empty") }
        // A row is held in memory: this bounds it to half a megabyte.
        guard max(width, height) <= Self.sideLimit else {
            throw .unsupported(format: "PNG", what: "a side of more than \(Self.sideLimit) pixels")
        }
        try PictureDecoder.checkSize(width: width, height: height)
    }

    var bitsPerPixel: Int { bitDepth * colourType.samplesPerPixel }

    /// The pictures that stand one after the other for one of this size: itself, or the seven of Adam7 but for empty
    /// ones.
    func passes(width: Int, height: Int) -> [Pass] {
        guard isInterlaced else { return [Pass(x: 0, y: 0, stepX: 1, stepY: 1, width: width, height: height)] }
        let origins = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return origins.map { x, y, stepX, stepY in
            Pass(
                x: x, y: y, stepX: stepX, stepY: stepY,
                width: (width - x + stepX - 1) / stepX, height: (height - y + stepY - 1) / stepY)
        }
        .filter { $0.width > 0 && $0.height > 0 }
    }

    /// A part of the pixels: every `stepX`-th of every `stepY`-th row.
    struct Pass: Equatable {
        let x: Int
        let y: Int
        let stepX: Int
        let stepY: Int
        let width: Int
        let height: Int
    }
}
