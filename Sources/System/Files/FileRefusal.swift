/// Why a file was not read or written, in the system's plain words.
public enum FileRefusal: Error, Equatable, Sendable {
    case folder(path: String)
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)
}

extension FileRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folder(let path): "\(path) is a folder; a file is needed."
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)."
        }
    }
}
