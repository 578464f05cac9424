import Files

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
    /// The program that reads pictures is not there, or may not be used.
    case noPictureReader(reason: String)
    /// What has to stand around the picture reader does not.
    case noSandbox(MissingLayers)
    /// The picture readers of a camera ended too often.
    case lost(path: String, PictureLoss)
}

extension LinkError: CustomStringConvertible {
    /// What cannot be had, why, and what helps.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .camera(let path, let reason): "The camera \(path) gives no pictures: \(reason)."
        case .emptyFolder(let path): "The folder \(path) holds no files."
        case .notHex(let path, let line): "Line \(line) of \(path) is not hex: give the content of one QR code a line."
        case .lineTooLong(let path, let line): "Line \(line) of \(path) is longer than any QR code's content."
        case .noPictureReader(let reason):
            "Pictures are not read, because the program for it cannot be used. \(reason) It is casemate-worker, which has to lie beside this "
                + "program: build it (make run, make build) or install it (make install-signed)."
        case .noSandbox(let missing): "Pictures are not read: the sandbox of their reader is incomplete. \(missing)"
        case .lost(let path, let loss): "\(path): \(loss)"
        }
    }
}

extension LinkError {
    init(_ error: FileError) { self = .unreadable(path: error.path.string, reason: "\(error.reason)") }
}
