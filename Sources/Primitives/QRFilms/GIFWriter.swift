import QRCode

/// An animated GIF of two colours that repeats for ever.
public struct GIFWriter: QRFilmWriter {
    private let shape: QRFilmShape

    /// Makes a writer of one film.
    public init(_ shape: QRFilmShape) {
        self.shape = shape
    }

    /// The bytes before the first frame.
    public mutating func head() -> [UInt8] {
        let dark = shape.dark
        return Array("GIF89a".utf8) + Self.word(shape.side) + Self.word(shape.side) + [0x80, 0, 0]
            + [dark.red, dark.green, dark.blue, 0xff, 0xff, 0xff]
            + [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    }

    /// The bytes of the next frame.
    public mutating func frame(_ symbol: QRSymbol) -> [UInt8] {
        // Hundredths of a second; viewers take less than two for ten.
        let delay = max(2, (100 + shape.framesPerSecond / 2) / shape.framesPerSecond)
        let control: [UInt8] = [0x21, 0xf9, 4, 0x04] + Self.word(delay) + [0, 0]
        let area: [UInt8] = [0x2c, 0, 0, 0, 0] + Self.word(shape.side) + Self.word(shape.side) + [0]
        var codes = LZWWriter()
        for y in 0..<shape.side {
            for x in 0..<shape.modules {
                let pixel = shape.isDark(symbol, x: x, y: y / shape.scale) ? 0 : 1
                for _ in 0..<shape.scale { codes.append(pixel) }
            }
        }
        return control + area + [UInt8(LZWWriter.codeSize)] + Self.subBlocks(codes.finish()) + [0]
    }

    /// The bytes behind the last frame.
    public mutating func tail() -> [UInt8] { [0x3b] }

    private static func subBlocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let block = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(block.count)] + block
        }
    }

    private static func word(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}

/// The compression of GIF for two colours (GIF89a specification, appendix F).
private struct LZWWriter {
    /// Bits of a colour that the format asks for at the least.
    static let codeSize = 2
    private static let clear = 1 << codeSize
    private static let last = 4095

    private var bytes: [UInt8] = []
    private var bits = 0
    private var bitCount = 0
    private var width = codeSize + 1
    /// The codes for what a code stands for with one colour more; 0 where there is none yet.
    private var longer = [UInt16](repeating: 0, count: 2 * (last + 1))
    private var next = clear + 2
    private var current: Int?

    init() { write(Self.clear) }

    mutating func append(_ pixel: Int) {
        guard let known = current else {
            current = pixel
            return
        }
        let code = Int(longer[2 * known + pixel])
        if code != 0 {
            current = code
            return
        }
        write(known)
        current = pixel
        guard next <= Self.last else {
            write(Self.clear)
            longer = [UInt16](repeating: 0, count: longer.count)
            (next, width) = (Self.clear + 2, Self.codeSize + 1)
            return
        }
        longer[2 * known + pixel] = UInt16(next)
        // The reader learns a code one step later than the writer.
        if next == 1 << width { width += 1 }
        next += 1
    }

    mutating func finish() -> [UInt8] {
        if let current { write(current) }
        // The reader has learnt one more code by now, whose number may need one bit more.
        if next == 1 << width, width < 12 { width += 1 }
        write(Self.clear + 1)
        if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
        return bytes
    }

    private mutating func write(_ code: Int) {
        bits |= code << bitCount
        bitCount += width
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}
