import QRCode

/// What pictures are drawn on, one over the other: grey over white.
///
/// Opacity is not kept, because what is laid over a picture on white looks the same as what is laid over the picture
/// first.
struct Canvas {
    static let white: UInt8 = 255

    let width: Int
    let height: Int
    /// Row by row.
    var luma: [UInt8]

    /// A part of the canvas, inside of it.
    struct Area: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// - Parameters: both positive, checked by ``PictureDecoder/checkSize(_:_:)``.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        luma = [UInt8](repeating: Self.white, count: width * height)
    }

    var whole: Area { Area(x: 0, y: 0, width: width, height: height) }

    func position(x: Int, y: Int) -> Int { y * width + x }

    func holds(_ area: Area) -> Bool {
        area.x >= 0 && area.y >= 0 && area.width > 0 && area.height > 0
            && area.width <= width - area.x && area.height <= height - area.y
    }

    /// What an area shows, row by row.
    func copy(_ area: Area) -> [UInt8] {
        (area.y..<area.y + area.height).flatMap { y in
            luma[position(x: area.x, y: y)..<position(x: area.x + area.width, y: y)]
        }
    }

    mutating func paste(_ pixels: [UInt8], in area: Area) {
        for row in 0..<area.height {
            let start = position(x: area.x, y: area.y + row)
            luma.replaceSubrange(start..<start + area.width, with: pixels[row * area.width..<(row + 1) * area.width])
        }
    }

    mutating func clear(_ area: Area) {
        paste([UInt8](repeating: Self.white, count: area.width * area.height), in: area)
    }

    var image: LumaImage {
        guard let image = LumaImage(width: width, height: height, pixels: luma) else {
            preconditionFailure("a canvas has as many pixels as its sides say")
        }
        return image
    }
}

/// What becomes of a picture's area before the next one is drawn.
enum Disposal {
    case keep
    case clear
    case restore
}

/// Draws the pictures of an animation one over the other.
struct Animation {
    private(set) var canvas: Canvas
    private var pending: (area: Canvas.Area, saved: [UInt8]?)?

    init(width: Int, height: Int) {
        canvas = Canvas(width: width, height: height)
    }

    /// Does what the picture before asked for, and draws the next one.
    mutating func draw(
        in area: Canvas.Area, disposal: Disposal, _ body: (inout Canvas) throws(PictureError) -> Void
    ) throws(PictureError) {
        if let (area, saved) = pending {
            if let saved { canvas.paste(saved, in: area) } else { canvas.clear(area) }
            pending = nil
        }
        switch disposal {
        case .keep: break
        case .clear: pending = (area, nil)
        case .restore: pending = (area, canvas.copy(area))
        }
        try body(&canvas)
    }
}
