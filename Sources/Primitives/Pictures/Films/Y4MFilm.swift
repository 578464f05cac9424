import QRCode

/// YUV4MPEG2: a line of facts, then pictures of a fixed size behind lines `FRAME`. Only brightness is looked at.
struct Y4MFilm: Sendable {
    static let signature = Array("YUV4MPEG2 ".utf8)
    private static let frame = Array("FRAME".utf8)
    /// Bytes of a line at the most.
    private static let lineLimit = 1024

    private var shape: Shape?
    private var isInFrame = false

    private struct Shape {
        let width: Int
        let height: Int
        /// Bytes of colour behind the brightness.
        let colour: Int

        var pixels: Int { width * height }
    }

    mutating func next(from waiting: inout ByteQueue, isFinished: Bool) throws(PictureError) -> LumaImage? {
        if shape == nil {
            guard let line = try line(&waiting, isFinished) else { return nil }
            shape = try Self.shape(line)
        }
        guard let shape else { return nil }
        if !isInFrame {
            if waiting.count == 0, isFinished { return nil }
            guard let line = try line(&waiting, isFinished) else { return nil }
            guard line.starts(with: Self.frame) else {
                throw Self.malformed("a picture does not start with FRAME", at: waiting.offset - line.count - 1)
            }
            isInFrame = true
        }
        guard waiting.count >= shape.pixels + shape.colour else {
            guard !isFinished else { throw Self.malformed("the last picture is cut off", at: waiting.offset) }
            return nil
        }
        isInFrame = false
        let luma = waiting.takeFirst(shape.pixels)
        waiting.removeFirst(shape.colour)
        return LumaImage(width: shape.width, height: shape.height, pixels: luma)
    }

    /// - Returns: nil where the line is not there as a whole.
    private func line(_ waiting: inout ByteQueue, _ isFinished: Bool) throws(PictureError) -> [UInt8]? {
        guard let end = waiting.firstIndex(of: 0x0a, limit: Self.lineLimit) else {
            guard waiting.count < Self.lineLimit, !isFinished else {
                throw Self.malformed("a line does not end", at: waiting.offset)
            }
            return nil
        }
        let line = waiting.takeFirst(end)
        waiting.removeFirst(1)
        return line
    }

    private static func shape(_ line: [UInt8]) throws(PictureError) -> Shape {
        var width: Int?
        var height: Int?
        var colour = "420"
        for token in String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst() {
            switch token.first {
            case "W": width = Int(token.dropFirst())
            case "H": height = Int(token.dropFirst())
            case "C": colour = String(token.dropFirst())
            default: break
            }
        }
        guard let width, let height, width > 0, height > 0 else {
            throw malformed("the first line names no width and height", at: 0)
        }
        try PictureDecoder.checkSize(width: width, height: height)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let colourBytes: Int
        switch colour {
        case "420", "420jpeg", "420paldv", "420mpeg2": colourBytes = 2 * halfWidth * halfHeight
        case "422": colourBytes = 2 * halfWidth * height
        case "444": colourBytes = 2 * width * height
        case "444alpha": colourBytes = 3 * width * height
        case "411": colourBytes = 2 * ((width + 3) / 4) * height
        case "mono": colourBytes = 0
        default: throw .unsupported(format: "Y4M", what: "the colour space \(colour.prefix(16))")
        }
        return Shape(width: width, height: height, colour: colourBytes)
    }

    private static func malformed(_ reason: String, at offset: Int) -> PictureError {
        .malformed(format: "Y4M", reason: reason, offset: offset)
    }
}
