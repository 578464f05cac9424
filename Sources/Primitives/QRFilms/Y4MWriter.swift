import QRCode

/// A YUV4MPEG2 film, as players, converters and the false cameras of browsers read it.
public struct Y4MWriter: QRFilmWriter {
    private let shape: QRFilmShape
    private let dark: UInt8
    private let colour: [UInt8]
    private static let light: UInt8 = 255

    /// Makes a writer of one film.
    public init(_ shape: QRFilmShape) {
        self.shape = shape
        dark = UInt8(
            LumaImage.brightness(red: Int(shape.dark.red), green: Int(shape.dark.green), blue: Int(shape.dark.blue)))
        let half = (shape.side + 1) / 2
        // No colour at all.
        colour = [UInt8](repeating: 128, count: 2 * half * half)
    }

    /// The bytes before the first frame.
    public mutating func head() -> [UInt8] {
        let side = shape.side
        return Array("YUV4MPEG2 W\(side) H\(side) F\(shape.framesPerSecond):1 Ip A1:1 C420jpeg\n".utf8)
    }

    /// The bytes of the next frame.
    public mutating func frame(_ symbol: QRSymbol) -> [UInt8] {
        var bytes = Array("FRAME\n".utf8)
        bytes.reserveCapacity(bytes.count + shape.side * shape.side + colour.count)
        for y in 0..<shape.modules {
            let row = (0..<shape.modules).flatMap { x in
                repeatElement(shape.isDark(symbol, x: x, y: y) ? dark : Self.light, count: shape.scale)
            }
            for _ in 0..<shape.scale { bytes += row }
        }
        return bytes + colour
    }

    /// The bytes behind the last frame.
    public mutating func tail() -> [UInt8] { [] }
}
