import QRCode

/// The pictures of a GIF (GIF89a specification), drawn one over the other.
struct GIFFilm: PictureList {
    static let signature = Array("GIF8".utf8)

    private let bytes: [UInt8]
    private var position: Int
    private var animation: Animation
    private let globalPalette: [UInt8]
    private var control = Control()

    /// What a graphic control extension says of the picture behind it.
    private struct Control {
        var disposal = Disposal.keep
        /// The colour index that lets what is below shine through.
        var transparent: Int?
    }

    /// - Parameter bytes: a file that starts with the signature.
    init(_ bytes: [UInt8]) throws(PictureError) {
        guard bytes.count >= 13, bytes[4] == UInt8(ascii: "7") || bytes[4] == UInt8(ascii: "9"),
            bytes[5] == UInt8(ascii: "a")
        else { throw Self.malformed("it starts neither with GIF87a nor with GIF89a, or ends there", at: 0) }
        self.bytes = bytes
        let (width, height) = (Self.word(bytes, 6), Self.word(bytes, 8))
        guard width > 0, height > 0 else { throw Self.malformed("the picture is empty", at: 6) }
        try PictureDecoder.checkSize(width: width, height: height)
        animation = Animation(width: width, height: height)
        position = 13
        globalPalette = try Self.palette(bytes, flags: bytes[10], at: &position)
    }

    var isAtEnd: Bool { position >= bytes.count || bytes[position] == 0x3b }

    mutating func next() throws(PictureError) -> LumaImage? {
        while !isAtEnd {
            switch bytes[position] {
            case 0x21: try readExtension()
            case 0x2c:
                try readPicture()
                return animation.canvas.image
            default:
                let offset = position
                position = bytes.count
                throw Self.malformed("there is no block that starts with \(bytes[offset])", at: offset)
            }
        }
        return nil
    }

    private mutating func readExtension() throws(PictureError) {
        let start = position
        guard start + 2 <= bytes.count else { throw cutOff() }
        position += 2
        let content = try subBlocks()
        guard bytes[start + 1] == 0xf9, let first = content.first, first.count == 4 else { return }
        let flags = bytes[first.lowerBound]
        control.disposal =
            switch flags >> 2 & 7 {
            case 2: .clear
            case 3: .restore
            default: .keep
            }
        control.transparent = flags & 1 == 1 ? Int(bytes[first.lowerBound + 3]) : nil
    }

    private mutating func readPicture() throws(PictureError) {
        let start = position
        guard start + 11 <= bytes.count else { throw cutOff() }
        let area = Canvas.Area(
            x: Self.word(bytes, start + 1), y: Self.word(bytes, start + 3), width: Self.word(bytes, start + 5),
            height: Self.word(bytes, start + 7))
        let flags = bytes[start + 9]
        position = start + 10
        let local = try Self.palette(bytes, flags: flags, at: &position)
        guard position < bytes.count else { throw cutOff() }
        let codeSize = Int(bytes[position])
        position += 1
        let data = try subBlocks()
        // From here on the next picture can be read, whatever is wrong with this one.
        let control = self.control
        self.control = Control()
        guard animation.canvas.holds(area) else {
            throw Self.malformed("a picture does not lie inside the file's", at: start)
        }
        guard (2...8).contains(codeSize) else {
            throw Self.malformed("\(codeSize) bits of a colour are not 2 to 8", at: start)
        }
        let palette = local.isEmpty ? globalPalette : local
        guard !palette.isEmpty else { throw Self.malformed("a picture has no colours", at: start) }
        let indices = LZWReader.decode(bytes, data, codeSize: codeSize, count: area.width * area.height)
        guard indices.count == area.width * area.height else {
            throw Self.malformed("the pixels of a picture end before its last row", at: start)
        }
        try animation.draw(in: area, disposal: control.disposal) { canvas throws(PictureError) in
            let rows = flags & 0x40 == 0 ? Array(0..<area.height) : Self.interlaced(area.height)
            for (number, row) in rows.enumerated() {
                for column in 0..<area.width {
                    let index = Int(indices[number * area.width + column])
                    if index == control.transparent { continue }
                    guard index < palette.count else {
                        throw Self.malformed("a pixel names a colour that the palette lacks", at: start)
                    }
                    canvas.luma[canvas.position(x: area.x + column, y: area.y + row)] = palette[index]
                }
            }
        }
    }

    /// Where the pieces of a block lie, each behind its length, up to the empty one.
    private mutating func subBlocks() throws(PictureError) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        while position < bytes.count {
            let length = Int(bytes[position])
            guard position + 1 + length <= bytes.count else { throw cutOff() }
            if length > 0 { blocks.append(position + 1..<position + 1 + length) }
            position += 1 + length
            if length == 0 { return blocks }
        }
        throw cutOff()
    }

    private mutating func cutOff() -> PictureError {
        position = bytes.count
        return Self.malformed("the file ends too early", at: bytes.count)
    }

    /// The brightness of each colour; empty where the flags say that there is no palette.
    private static func palette(
        _ bytes: [UInt8], flags: UInt8, at position: inout Int
    ) throws(PictureError) -> [UInt8] {
        guard flags & 0x80 != 0 else { return [] }
        let count = 2 << Int(flags & 7)
        guard position + 3 * count <= bytes.count else {
            throw malformed("the file ends among its colours", at: position)
        }
        defer { position += 3 * count }
        return (0..<count).map { index in
            let at = position + 3 * index
            return UInt8(LumaImage.brightness(red: Int(bytes[at]), green: Int(bytes[at + 1]), blue: Int(bytes[at + 2])))
        }
    }

    private static func interlaced(_ height: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }

    private static func malformed(_ reason: String, at offset: Int) -> PictureError {
        .malformed(format: "GIF", reason: reason, offset: offset)
    }
}
