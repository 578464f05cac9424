import QRCode

/// An animated PNG with one bit a pixel that repeats for ever (`raptorq-qr` section 15).
public struct APNGWriter: QRFilmWriter {
    private let shape: QRFilmShape
    private var sequence = 0

    /// Makes a writer of one film.
    public init(_ shape: QRFilmShape) {
        self.shape = shape
    }

    /// The bytes before the first frame.
    public mutating func head() -> [UInt8] {
        PNGChunks.signature + PNGChunks.header(side: shape.side, dark: shape.dark)
            + PNGChunks.chunk("acTL", PNGChunks.word(shape.frameCount) + PNGChunks.word(0))
    }

    /// The bytes of the next frame.
    public mutating func frame(_ symbol: QRSymbol) -> [UInt8] {
        let isFirst = sequence == 0
        let side = PNGChunks.word(shape.side)
        let place = side + side + PNGChunks.word(0) + PNGChunks.word(0)
        let delay = [0, 1, 0, UInt8(truncatingIfNeeded: shape.framesPerSecond)]
        let control = PNGChunks.chunk("fcTL", number() + place + delay + [0, 0])
        let pixels = Deflater.zlib(
            QRPicture.rows(symbol, side: shape.modules, scale: shape.scale, border: shape.border))
        return control + (isFirst ? PNGChunks.chunk("IDAT", pixels) : PNGChunks.chunk("fdAT", number() + pixels))
    }

    /// The bytes behind the last frame.
    public mutating func tail() -> [UInt8] { PNGChunks.chunk("IEND", []) }

    private mutating func number() -> [UInt8] {
        defer { sequence += 1 }
        return PNGChunks.word(sequence)
    }
}
