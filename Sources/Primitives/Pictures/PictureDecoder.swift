import QRCode

/// Still pictures to grey pixels (``FilmReader`` reads moving ones too). The format is told by the first bytes.
///
/// Bounded: at most ``pixelLimit`` pixels, and never more memory than a few bytes for each of them.
public enum PictureDecoder {
    /// Pixels of a picture at the most: more than any camera of today takes.
    public static let pixelLimit = 64 << 20

    /// Reads a picture, whose kind its first bytes tell.
    public static func decode(_ bytes: [UInt8]) throws(PictureError) -> LumaImage {
        if bytes.starts(with: PNGReader.signature) { return try PNGReader(bytes).decode() }
        if bytes.starts(with: [0xff, 0xd8]) { return try JPEGReader.decode(bytes) }
        if bytes.starts(with: [0x50, 0x32]) || bytes.starts(with: [0x50, 0x35]) { return try PGMReader.decode(bytes) }
        if bytes.starts(with: GIFFilm.signature) {
            var film = try GIFFilm(bytes)
            guard let first = try film.next() else {
                throw .malformed(format: "GIF", reason: "it holds no picture", offset: bytes.count)
            }
            return first
        }
        throw .unknownFormat
    }

    /// Checks the size that a picture claims before anything is allocated for it.
    static func checkSize(width: Int, height: Int) throws(PictureError) {
        guard width <= pixelLimit, height <= pixelLimit, width * height <= pixelLimit else {
            throw .tooLarge(width: width, height: height, limit: pixelLimit)
        }
    }
}
