/// A file or folder that could not be used: which one, what was tried, and why not.
///
/// The description says it in plain words, with what to do where somebody can do something.
public struct FileError: Error, Hashable, Sendable {
    /// What was tried.
    public enum Action: Hashable, Sendable {
        case read, write, examine, list, lock, make, remove, replace
    }

    /// Why it was refused.
    public enum Reason: Hashable, Sendable {
        /// The system refused it.
        case system(Errno)
        /// A folder is there, where a file is needed.
        case folder
        /// Something else is there, where a folder is needed.
        case noFolder
        /// A device, pipe or socket is there, where a regular file is needed.
        case notRegular
        /// A device is there, which may have no end, where a file or pipe is needed.
        case device
        /// The last part of the path is a symbolic link, which is not followed.
        case symbolicLink
        /// It belongs to a user who must not own it.
        case foreignOwner(UserID, allowed: [UserID])
        /// Users who must not may read, write or enter it.
        case openToOthers(FilePermissions, forbidden: FilePermissions)
        /// It has more names than one, by which others may reach it.
        case severalNames(count: Int)
        /// It has more bytes than are read.
        case tooLarge(limit: Int)
        /// It became shorter while it was read.
        case shortened
        /// It is a pipe that has no writer.
        case noWriter(waited: Duration)
        /// The name is empty, or names another place than a file of the folder.
        case badName
    }

    /// The path as it was given.
    public let path: FilePath
    /// What was tried.
    public let action: Action
    /// Why it was refused.
    public let reason: Reason

    /// - Parameters:
    ///   - path: as it was given.
    ///   - action: what was tried.
    ///   - reason: why it was refused.
    public init(_ path: FilePath, _ action: Action, because reason: Reason) {
        self.path = path
        self.action = action
        self.reason = reason
    }

    /// What the system said, if it was the system that refused.
    public var errno: Errno? {
        if case .system(let code) = reason { code } else { nil }
    }

    /// Whether there is nothing of that name.
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }

    /// What the last call of the system failed with.
    static func last(_ path: FilePath, _ action: Action) -> FileError {
        FileError(path, action, because: .system(.last))
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        let name = path.isEmpty ? "The empty name" : "\(path)"
        return switch reason {
        case .folder: "\(name) is a folder; a file is needed."
        case .noFolder: "\(name) is no folder, or a symbolic link to one; name the folder itself."
        default: "\(name) cannot be \(action): \(reason)."
        }
    }
}

extension FileError.Action: CustomStringConvertible {
    public var description: String {
        switch self {
        case .read: "read"
        case .write: "written"
        case .examine: "examined"
        case .list: "listed"
        case .lock: "locked"
        case .make: "made"
        case .remove: "removed"
        case .replace: "replaced"
        }
    }
}

extension FileError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let code): "\(code)"
        case .folder: "it is a folder"
        case .noFolder: "it is no folder"
        case .notRegular: "it is a device or pipe and no regular file"
        case .device: "it is a device and no file"
        case .symbolicLink: "it is a symbolic link"
        case .foreignOwner(let owner, let allowed):
            "it belongs to user \(owner.rawValue), and has to belong to \(Self.names(of: allowed))"
        case .openToOthers(let permissions, let forbidden):
            "others may use it (mode \(String(permissions.rawValue, radix: 8))). If nobody did, take that away with "
                + "chmod \(Self.remedy(against: forbidden))"
        case .severalNames(let count): "it has \(count) names (hard links)"
        case .tooLarge(let limit): "it has more than \(Self.text(byteCount: limit))"
        case .shortened: "it became shorter while it was read"
        case .noWriter(let waited):
            "it is a pipe, and nobody wrote to it within \(waited.components.seconds) seconds"
        case .badName: "it is no name of a file"
        }
    }

    private static func names(of owners: [UserID]) -> String {
        owners.map { $0.rawValue == 0 ? "root" : "user \($0.rawValue)" }.joined(separator: " or ")
    }

    private static func remedy(against forbidden: FilePermissions) -> String {
        forbidden.isDisjoint(with: [.groupRead, .otherRead, .groupExecute, .otherExecute]) ? "go-w" : "go="
    }

    private static func text(byteCount: Int) -> String {
        byteCount % (1 << 20) == 0 ? "\(byteCount >> 20) MiB" : "\(byteCount) bytes"
    }
}
