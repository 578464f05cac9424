/// A picture as a camera gives it.
public struct CameraFrame: Codable, Hashable, Sendable {
    /// The form of a camera's bytes.
    public enum Format: String, Codable, Sendable {
        /// A byte a pixel.
        case grey
        /// Two bytes a pixel, of which the first is its brightness.
        case yuyv
        /// A file: JPEG from most cameras.
        case file
    }

    /// The form of the bytes.
    public var format: Format
    /// Pixels; a file says its own.
    public var width, height: Int
    /// Bytes from the beginning of one row to that of the next.
    public var stride: Int
    /// The frame's bytes, at most ``PictureService/frameLimit``.
    public var bytes: [UInt8]

    package init(format: Format, width: Int, height: Int, stride: Int, bytes: [UInt8]) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.bytes = bytes
    }
}
