import QRCode

/// Raw PGM pictures behind each other, or one plain one.
struct PGMFilm: PictureList {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func next() throws(PictureError) -> LumaImage? {
        guard !isAtEnd else { return nil }
        let start = position
        // A damaged picture does not say where it ends.
        position = bytes.count
        let (image, end) = try PGMReader.decode(bytes, from: start)
        let isPlain = bytes[start + 1] == UInt8(ascii: "2")
        position = isPlain ? bytes.count : end
        return image
    }
}
