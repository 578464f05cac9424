import QRCode

/// PGM, plain (P2) and raw (P5), with up to 16 bits a pixel.
enum PGMReader {
    static func decode(_ bytes: [UInt8]) throws(PictureError) -> LumaImage { try decode(bytes, from: 0).image }

    /// - Parameter start: where the picture begins.
    /// - Returns: also where it ends.
    static func decode(_ bytes: [UInt8], from start: Int) throws(PictureError) -> (image: LumaImage, end: Int) {
        guard start + 2 <= bytes.count, bytes[start] == 0x50, bytes[start + 1] == 0x32 || bytes[start + 1] == 0x35
        else {
            throw .malformed(format: "PGM", reason: "a picture starts neither with P2 nor with P5", offset: start)
        }
        var reader = Tokens(bytes: bytes, position: start + 2)
        let width = try reader.number("width")
        let height = try reader.number("height")
        let maximum = try reader.number("maximum")
        guard width > 0, height > 0 else { throw reader.malformed("the picture is empty") }
        guard (1...65535).contains(maximum) else { throw reader.malformed("the largest value is not 1 to 65535") }
        try PictureDecoder.checkSize(width: width, height: height)
        let pixels =
            bytes[start + 1] == 0x35
            ? try raw(&reader, count: width * height, maximum: maximum)
            : try plain(&reader, count: width * height, maximum: maximum)
        guard let image = LumaImage(width: width, height: height, pixels: pixels) else {
            throw reader.malformed("the pixels do not fill the picture")
        }
        return (image, reader.position)
    }

    private static func raw(_ reader: inout Tokens, count: Int, maximum: Int) throws(PictureError) -> [UInt8] {
        // One white space stands between the head and the pixels.
        let start = reader.position + 1
        let size = maximum > 255 ? 2 : 1
        guard start + count * size <= reader.bytes.count else { throw reader.malformed("the file ends too early") }
        reader.position = start + count * size
        return (0..<count).map { index in
            let at = start + index * size
            let value = size == 1 ? Int(reader.bytes[at]) : Int(reader.bytes[at]) << 8 | Int(reader.bytes[at + 1])
            return UInt8(min(value, maximum) * 255 / maximum)
        }
    }

    private static func plain(_ reader: inout Tokens, count: Int, maximum: Int) throws(PictureError) -> [UInt8] {
        // A pixel takes two bytes at the least, but for the last.
        guard count * 2 - 1 <= reader.bytes.count else { throw reader.malformed("the file ends too early") }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count)
        for _ in 0..<count { pixels.append(UInt8(min(try reader.number("a pixel"), maximum) * 255 / maximum)) }
        return pixels
    }

    /// Numbers between white space and comments.
    private struct Tokens {
        let bytes: [UInt8]
        var position: Int

        func malformed(_ reason: String) -> PictureError {
            .malformed(format: "PGM", reason: reason, offset: position)
        }

        mutating func number(_ what: String) throws(PictureError) -> Int {
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: "#") {
                    while position < bytes.count && bytes[position] != 0x0a { position += 1 }
                } else if bytes[position] == 0x20 || (0x09...0x0d).contains(bytes[position]) {
                    position += 1
                } else {
                    break
                }
            }
            let start = position
            var value = 0
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                value = value * 10 + Int(bytes[position]) - 0x30
                guard value < 1 << 32 else { throw malformed("\(what) is too large") }
                position += 1
            }
            guard position > start else { throw malformed("\(what) is missing") }
            return value
        }
    }
}
