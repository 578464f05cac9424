import CTexts
import QRCode
import TextForms

/// A page that shows the film by itself: no network, nothing but this one file.
///
/// It fills the window, can be slowed down, sped up, stopped and stepped, slows down by itself after each round that
/// could not be read in full, and mixes the order after the first round, so that a camera that misses every n-th
/// picture does not always miss the same. `#frame=N` shows frame N and stands still.
public struct HTMLFilmWriter: QRFilmWriter {
    private let shape: QRFilmShape
    private var isFirst = true

    /// Makes a writer of one film.
    public init(_ shape: QRFilmShape) {
        self.shape = shape
    }

    /// The bytes before the first frame.
    public mutating func head() -> [UInt8] {
        let constants = "const modules = \(shape.modules), dark = '\(Self.hex(shape.dark))';"
        return Self.page.start + (constants + "\nlet speed = \(shape.framesPerSecond);\nconst frames = [").utf8
    }

    /// A bit a module, row by row, dark is 1; as base64.
    public mutating func frame(_ symbol: QRSymbol) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (shape.modules * shape.modules + 7) / 8)
        for y in 0..<shape.modules {
            for x in 0..<shape.modules where shape.isDark(symbol, x: x, y: y) {
                let bit = y * shape.modules + x
                bits[bit / 8] |= 0x80 >> UInt8(bit % 8)
            }
        }
        defer { isFirst = false }
        return Array(((isFirst ? "\n'" : ",\n'") + Base64.encode(bits) + "'").utf8)
    }

    /// The bytes behind the last frame.
    public mutating func tail() -> [UInt8] { "\n];\n".utf8 + Self.page.rest }

    private static func hex(_ colour: QRPicture.Colour) -> String {
        "#"
            + [colour.red, colour.green, colour.blue].map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
    }

    /// The page in two parts, with numbers and frames of the film between them: its script begins with those.
    private static let page: (start: [UInt8], rest: [UInt8]) = {
        let text = casemate_film_page()
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        let tag = "<script>\n".utf8
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: tag) }) else {
            preconditionFailure("film.html has no script")
        }
        return (Array(bytes[..<(place + tag.count)]), Array(bytes[(place + tag.count)...]))
    }()
}
