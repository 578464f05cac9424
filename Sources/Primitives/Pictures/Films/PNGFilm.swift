import QRCode

/// A PNG: its frames where it is animated, else its one picture.
struct PNGFilm: PictureList {
    private let reader: PNGReader
    private let frames: [PNGAnimation.Frame]?
    private var animation: Animation
    private var index = 0

    init(_ bytes: [UInt8]) throws(PictureError) {
        reader = try PNGReader(bytes)
        frames = try PNGAnimation(reader.file, of: bytes)?.frames
        animation = Animation(width: reader.file.header.width, height: reader.file.header.height)
    }

    var isAtEnd: Bool { index >= frames?.count ?? 1 }

    mutating func next() throws(PictureError) -> LumaImage? {
        guard !isAtEnd else { return nil }
        defer { index += 1 }
        guard let frames else { return try reader.decode() }
        let frame = frames[index]
        try animation.draw(in: frame.area, disposal: frame.disposal) { canvas throws(PictureError) in
            try reader.draw(frame.data, on: &canvas, in: frame.area, replacing: frame.replaces)
        }
        return animation.canvas.image
    }
}
