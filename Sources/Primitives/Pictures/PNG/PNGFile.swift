/// The chunks of a PNG file that matter for its grey pixels, in the order that the format demands.
struct PNGFile {
    let header: PNGHeader
    /// Red, green, blue of each entry; empty where the file has none.
    private(set) var palette: [[UInt8]] = []
    /// The content of tRNS: alpha by palette index, or the samples of the one transparent colour.
    private(set) var transparency: [UInt8]?
    /// Where the compressed pixels lie.
    private(set) var imageData: [Range<Int>] = []

    /// More chunks than any encoder writes, so that a file of millions of empty ones ends early.
    private static let maxChunks = 100_000

    init(_ bytes: [UInt8]) throws(PictureError) {
        var chunk = try PNGChunk(at: PNGReader.signature.count, in: bytes)
        header = try PNGHeader(chunk, of: bytes)
        var previous = chunk.type
        for _ in 0..<Self.maxChunks {
            chunk = try PNGChunk(at: chunk.end, in: bytes)
            if chunk.type == .end {
                try finish(chunk)
                return
            }
            try take(chunk, after: previous, of: bytes)
            previous = chunk.type
        }
        throw .png("it has over \(Self.maxChunks) chunks", at: chunk.end)
    }

    private mutating func take(
        _ chunk: PNGChunk, after previous: PNGChunk.ChunkType, of bytes: [UInt8]
    ) throws(PictureError) {
        switch chunk.type {
        case .palette: try takePalette(chunk, of: bytes)
        case .transparency: try takeTransparency(chunk, of: bytes)
        case .imageData:
            guard imageData.isEmpty || previous == .imageData else {
                throw chunk.malformed("the IDAT chunks do not follow each other")
            }
            imageData.append(chunk.content)
        case .header: throw chunk.malformed("there are two")
        default:
            guard !chunk.type.isCritical else {
                throw .unsupported(format: "PNG", what: "a \(chunk.type.name) chunk")
            }
        }
    }

    private mutating func takePalette(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PictureError) {
        guard palette.isEmpty, imageData.isEmpty, transparency == nil else {
            throw chunk.malformed("it is not the only one, or comes too late")
        }
        guard header.colourType != .grey, header.colourType != .greyAlpha else {
            throw chunk.malformed("a grey picture has none")
        }
        let limit = header.colourType == .palette ? 1 << header.bitDepth : 256
        guard !chunk.content.isEmpty, chunk.content.count % 3 == 0, chunk.content.count / 3 <= limit else {
            throw chunk.malformed("\(chunk.content.count) bytes are not 1 to \(limit) colours")
        }
        palette = Swift.stride(from: chunk.content.lowerBound, to: chunk.content.upperBound, by: 3).map {
            Array(bytes[$0..<$0 + 3])
        }
    }

    private mutating func takeTransparency(_ chunk: PNGChunk, of bytes: [UInt8]) throws(PictureError) {
        guard transparency == nil, imageData.isEmpty else {
            throw chunk.malformed("it is not the only one, or comes too late")
        }
        let isLengthRight =
            switch header.colourType {
            case .grey: chunk.content.count == 2
            case .colour: chunk.content.count == 6
            case .palette: chunk.content.count <= palette.count
            case .greyAlpha, .colourAlpha: false
            }
        guard isLengthRight else {
            throw chunk.malformed("\(chunk.content.count) bytes do not go with this picture's colours")
        }
        transparency = Array(bytes[chunk.content])
    }

    private func finish(_ end: PNGChunk) throws(PictureError) {
        guard end.content.isEmpty else { throw end.malformed("it is not empty") }
        guard !imageData.isEmpty else { throw end.malformed("no IDAT chunk came before it") }
        guard header.colourType != .palette || !palette.isEmpty else {
            throw end.malformed("no PLTE chunk came before it")
        }
    }
}
