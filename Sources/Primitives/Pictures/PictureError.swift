/// Why bytes do not become a picture.
public enum PictureError: Error, Equatable, Sendable {
    /// The format is none of those that are read.
    case unknownFormat
    /// The format's rules are broken; `offset` counts bytes from the start of the file.
    case malformed(format: String, reason: String, offset: Int)
    /// A form of the format that is not read.
    case unsupported(format: String, what: String)
    /// The picture has more pixels or bytes than are read.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// The file has more bytes than are read at once.
    case fileTooLarge(limit: Int)
}

extension PictureError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .unknownFormat: "It is none of PNG, APNG, GIF, JPEG, MJPEG, PGM and Y4M."
        case .malformed(let format, let reason, let offset):
            "The \(format) picture is damaged at byte \(offset): \(reason)."
        case .unsupported(let format, let what): "The \(format) picture has \(what), which is not read."
        case .tooLarge(let width, let height, let limit):
            "The picture has \(width) by \(height) pixels; at most \(limit) are read. Make it smaller."
        case .fileTooLarge(let limit): "The file has over \(limit >> 20) MiB, which are not read at once."
        }
    }
}
