/// Why pictures or frames cannot be had.
public enum LinkError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case camera(path: String, reason: String)
    /// A folder without a file.
    case emptyFolder(path: String)
    /// A line that is not hex, counted from 1.
    case notHex(path: String, line: Int)
    /// A line of more digits than any QR symbol holds.
    case lineTooLong(path: String, line: Int)
}

extension LinkError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .camera(let path, let reason): "The camera \(path) gives no pictures: \(reason)."
        case .emptyFolder(let path): "The folder \(path) holds no files."
        case .notHex(let path, let line): "Line \(line) of \(path) is not hex: give the content of one QR code a line."
        case .lineTooLong(let path, let line): "Line \(line) of \(path) is longer than any QR code's content."
        }
    }
}
