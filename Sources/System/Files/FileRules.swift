import CLibrary

/// What is asked of a file or folder that is open, before anything in it is believed.
///
/// It is asked of the open descriptor, never of the name, which may lead elsewhere a moment later. What breaks a rule
/// is refused and not mended: somebody may have read or written it already.
public struct FileRules: Hashable, Sendable {
    /// What it has to be; nil for anything.
    public var type: FileType?
    /// The users who may own it; nil for anybody.
    public var owners: Set<UserID>?
    /// The permissions that it must not have.
    public var forbidden: FilePermissions
    /// Whether it must have no second name; one that has just been replaced has none at all.
    public var isNamedOnce: Bool

    /// - Parameters:
    ///   - type: what it has to be; nil for anything.
    ///   - owners: the users who may own it; nil for anybody.
    ///   - forbidden: the permissions that it must not have.
    ///   - isNamedOnce: whether it must have no second name.
    public init(
        type: FileType? = nil, owners: Set<UserID>? = nil, forbidden: FilePermissions = [], isNamedOnce: Bool = false
    ) {
        self.type = type
        self.owners = owners
        self.forbidden = forbidden
        self.isNamedOnce = isNamedOnce
    }

    /// Anything that can be opened.
    public static let anything = FileRules()

    /// A regular file, whoever owns it.
    public static let regular = FileRules(type: .regular)

    /// A folder, whoever owns it.
    public static let folder = FileRules(type: .directory)

    /// A regular file of this process's user that no other user may use, and that has one name.
    public static var privateFile: FileRules {
        FileRules(type: .regular, owners: [.effective], forbidden: .ofOthers, isNamedOnce: true)
    }

    /// A folder of this process's user that no other user may enter.
    public static var privateFolder: FileRules {
        FileRules(type: .directory, owners: [.effective], forbidden: .ofOthers)
    }

    /// A folder that root or this process's user owns and in which no other user may change names.
    package static var trustedFolder: FileRules {
        FileRules(type: .directory, owners: [.root, .effective], forbidden: [.groupWrite, .otherWrite])
    }

    /// A regular file that root or this process's user owns and no other user may write.
    public static var trustedFile: FileRules {
        FileRules(type: .regular, owners: [.root, .effective], forbidden: [.groupWrite, .otherWrite])
    }

    /// Why what is open may not be used; nil if it may.
    ///
    /// - Parameter facts: what the system tells of it.
    package func objection(to facts: Stat) -> FileError.Reason? {
        if let type, facts.type != type {
            if facts.type == .directory { return .folder }
            return type == .directory ? .noFolder : .notRegular
        }
        if let owners, !owners.contains(facts.userID) {
            return .foreignOwner(facts.userID, allowed: owners.sorted { $0.rawValue < $1.rawValue })
        }
        if !facts.permissions.isDisjoint(with: forbidden) {
            return .openToOthers(facts.permissions, forbidden: forbidden)
        }
        // A file that was replaced while it is open has no name left, and is read to its end all the same.
        return isNamedOnce && facts.linkCount > 1 ? .severalNames(count: facts.linkCount) : nil
    }
}

extension UserID {
    /// The user 0, whom the kernel refuses almost nothing.
    public static let root = UserID(0)
    /// The user in whose name this process acts.
    public static var effective: UserID { UserID(geteuid()) }
}

extension FilePermissions {
    /// What the group and all other users may do.
    public static let ofOthers: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
}

extension Stat {
    /// What changes when a file is written or another takes its place: when it was changed last, its size, where it is.
    package var version: [Int64] {
        [Int64(st_mtim.tv_sec), Int64(st_mtim.tv_nsec), size, Int64(truncatingIfNeeded: inode.rawValue)]
    }

    /// Whether both tell of one file.
    ///
    /// - Parameter other: what the system tells of the other one.
    public func isSameFile(as other: Stat) -> Bool { deviceID == other.deviceID && inode == other.inode }
}
