import CZlib
import QRCode

/// PNG of every colour type and bit depth, interlaced or not (PNG specification, third edition). Transparent pixels are laid
/// over white. Checks the check sum of every chunk, and inflates no more bytes than the head promises.
struct PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func decode() throws(PictureError) -> LumaImage {
        let chunks = try PNGChunks(bytes)
        let header = try PNGHeader(chunks.header)
        try PictureDecoder.checkSize(header.width, header.height)
        let passes = header.passes
        let expected = passes.reduce(0) { $0 + ($1.width == 0 ? 0 : ($1.rowBytes + 1) * $1.height) }
        let scanlines = try Self.inflate(chunks.data, count: expected)
        let palette = try PNGPalette(chunks.palette, chunks.transparency, header)
        var output = [UInt8](repeating: 0, count: header.width * header.height)
        var start = 0
        for pass in passes where pass.width > 0 && pass.height > 0 {
            try PNGScanlines(header: header, pass: pass, palette: palette).write(scanlines, from: &start, to: &output)
        }
        guard let image = LumaImage(width: header.width, height: header.height, pixels: output) else {
            throw Self.malformed("the picture is empty", 16)
        }
        return image
    }

    static func malformed(_ reason: String, _ offset: Int) -> PictureError {
        .malformed(format: "PNG", reason: reason, offset: offset)
    }

    /// Inflates to exactly `count` bytes.
    private static func inflate(_ data: [UInt8], count: Int) throws(PictureError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        var length = uLongf(count)
        let outcome = uncompress(&output, &length, data, uLong(data.count))
        guard outcome == Z_OK, Int(length) == count else {
            throw malformed("its compressed data are not what its head says", 8)
        }
        return output
    }
}

/// The chunks that matter, put together.
private struct PNGChunks {
    private(set) var header: ArraySlice<UInt8> = []
    private(set) var palette: ArraySlice<UInt8> = []
    private(set) var transparency: ArraySlice<UInt8> = []
    private(set) var data: [UInt8] = []

    init(_ bytes: [UInt8]) throws(PictureError) {
        var position = PNGReader.signature.count
        var sawEnd = false
        while !sawEnd {
            guard bytes.count - position >= 12 else { throw PNGReader.malformed("the file ends too early", position) }
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - position - 12 else {
                throw PNGReader.malformed("a chunk is longer than the file", position)
            }
            let content = bytes[position + 8..<position + 8 + length]
            try Self.checkSum(bytes, position, length)
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            if header.isEmpty, type != "IHDR" { throw PNGReader.malformed("it does not begin with IHDR", position) }
            switch type {
            case "IHDR": header = content
            case "PLTE": palette = content
            case "tRNS": transparency = content
            case "IDAT": data += content
            case "IEND": sawEnd = true
            // A capital first letter says that the picture cannot be shown without understanding the chunk.
            default:
                if bytes[position + 4] & 0x20 == 0 {
                    throw .unsupported(format: "PNG", what: "an unknown chunk that it cannot be shown without")
                }
            }
            position += 12 + length
        }
    }

    private static func checkSum(_ bytes: [UInt8], _ position: Int, _ length: Int) throws(PictureError) {
        let found = bytes[position + 8 + length..<position + 12 + length].reduce(UInt(0)) { $0 << 8 | UInt($1) }
        let expected = bytes.withUnsafeBufferPointer { buffer in
            crc32(0, buffer.baseAddress! + position + 4, uInt(length + 4))
        }
        guard UInt(expected) == found else { throw PNGReader.malformed("the check sum of a chunk is wrong", position) }
    }
}

/// IHDR.
struct PNGHeader {
    let width: Int
    let height: Int
    let depth: Int
    let colour: Colour
    private let interlaced: Bool

    enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .greyAlpha, .rgb, .rgbAlpha: [8, 16]
            }
        }
    }

    /// One of the seven pictures that an interlaced picture is made of, or the whole.
    struct Pass {
        var startX: Int
        var startY: Int
        var stepX: Int
        var stepY: Int
        var width: Int
        var height: Int
        var rowBytes: Int
    }

    init(_ chunk: ArraySlice<UInt8>) throws(PictureError) {
        let bytes = Array(chunk)
        guard bytes.count == 13 else { throw PNGReader.malformed("its head has not 13 bytes", 8) }
        width = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
        depth = Int(bytes[8])
        guard width > 0, height > 0 else { throw PNGReader.malformed("the picture is empty", 16) }
        guard let colour = Colour(rawValue: bytes[9]), colour.depths.contains(depth) else {
            throw PNGReader.malformed("its colour type and depth do not go together", 24)
        }
        guard bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else {
            throw .unsupported(format: "PNG", what: "an unknown compression, filter or interlace method")
        }
        self.colour = colour
        interlaced = bytes[12] == 1
    }

    var bitsPerPixel: Int { depth * colour.channels }

    var passes: [Pass] {
        // Adam7: where each pass starts and how far its pixels are apart.
        let places =
            interlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        return places.map { startX, startY, stepX, stepY in
            let passWidth = max(0, (width - startX + stepX - 1) / stepX)
            let passHeight = max(0, (height - startY + stepY - 1) / stepY)
            return Pass(
                startX: startX, startY: startY, stepX: stepX, stepY: stepY, width: passWidth,
                height: passHeight, rowBytes: (passWidth * bitsPerPixel + 7) / 8)
        }
    }
}

/// The brightness of each colour of a palette, laid over white.
struct PNGPalette {
    let luma: [UInt8]

    init(
        _ palette: ArraySlice<UInt8>, _ transparency: ArraySlice<UInt8>, _ header: PNGHeader
    ) throws(PictureError) {
        guard header.colour == .palette else {
            luma = []
            return
        }
        guard !palette.isEmpty, palette.count % 3 == 0, palette.count <= 768 else {
            throw PNGReader.malformed("its palette is missing or malformed", 8)
        }
        let colours = Array(palette)
        let alphas = Array(transparency)
        luma = (0..<colours.count / 3).map { index in
            let grey = PictureDecoder.luma(
                Int(colours[3 * index]), Int(colours[3 * index + 1]), Int(colours[3 * index + 2]))
            return PNGScanlines.overWhite(grey, alpha: index < alphas.count ? Int(alphas[index]) : 255)
        }
    }
}
