/// A picture as a camera gives it.
package struct CameraFrame: Codable, Hashable, Sendable {
    /// The form of a camera's bytes.
    package enum Format: String, Codable, Sendable {
        /// A byte a pixel.
        case grey
        /// Two bytes a pixel, of which the first is its brightness.
        case yuyv
        /// A file: JPEG from most cameras.
        case file
    }

    /// The form of the bytes.
    package var format: Format
    /// Pixels; a file says its own.
    package var width, height: Int
    /// Bytes from the beginning of one row to that of the next.
    package var stride: Int
    /// The frame's bytes, at most ``PictureService/frameLimit``.
    package var bytes: [UInt8]

    package init(format: Format, width: Int, height: Int, stride: Int, bytes: [UInt8]) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.bytes = bytes
    }
}
