import ForceFieldWire

/// What the worker does. Host and worker are built with this one declaration, and refuse each other where it differs.
public enum PictureMethods {
    /// The bytes of a PNG file to its pixels.
    public static let decode = Method<Bytes, Picture>("png.decode", maxReplyBytes: 32 << 20)

    public static func interface() throws -> Interface { try Interface([decode.signature]) }

    public struct Picture: Codable, Sendable {
        public var width, height: Int
        /// Red, green, blue and alpha, a byte each, row by row from the top.
        public var pixels: Bytes
        public var caption: String?

        public init(width: Int, height: Int, pixels: Bytes, caption: String?) {
            self.width = width
            self.height = height
            self.pixels = pixels
            self.caption = caption
        }
    }
}
