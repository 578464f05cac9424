import CLibrary
internal import CLinux

/// A file that is open: the descriptor, which is closed with the last reference, and the path that errors call it by.
///
/// It is opened so that no program started later has it, that a pipe without a writer does not hold anybody up, and
/// that a symbolic link in its place is refused.
///
///     let file = try OpenFile("/etc/gate/key.pem", rules: .trustedFile)
///     let bytes = try file.content(limit: 1 << 20)
public final class OpenFile: Sendable {
    /// The path that errors call it by.
    public let path: FilePath
    /// Open as long as this object lives.
    public let descriptor: FileDescriptor
    private let isOwned: Bool

    /// Takes over a descriptor, which is closed with this object.
    ///
    /// - Parameters:
    ///   - descriptor: open, and closed by nobody else.
    ///   - path: what errors call it by.
    public init(owning descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
        isOwned = true
    }

    /// Uses a descriptor that stays somebody else's.
    ///
    /// - Parameters:
    ///   - descriptor: open for longer than this object lives.
    ///   - path: what errors call it by.
    public init(borrowing descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
        isOwned = false
    }

    /// Opens a file that is there.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - mode: what it is opened for.
    ///   - rules: what is asked of it.
    ///   - followsLinks: whether a symbolic link at the end of the path is followed.
    /// - Throws: ``FileError``, with ``FileError/isMissing`` if there is none.
    public convenience init(
        _ path: FilePath, for mode: FileDescriptor.AccessMode = .readOnly, rules: FileRules = .regular,
        followsLinks: Bool = false
    ) throws(FileError) {
        let options: FileDescriptor.OpenOptions = followsLinks ? [] : [.noFollow]
        try self.init(path, below: nil, name: path, for: mode, options: options, permissions: nil)
        try check(rules, for: mode == .readOnly ? .read : .write)
    }

    /// Opens or makes a file.
    ///
    /// - Parameters:
    ///   - folder: the folder that `name` is below; nil for the process's own.
    ///   - permissions: of a file that is made, less what the process withholds.
    init(
        _ path: FilePath, below folder: FileDescriptor?, name: FilePath, for mode: FileDescriptor.AccessMode,
        options: FileDescriptor.OpenOptions, permissions: FilePermissions?
    ) throws(FileError) {
        let flags = mode.rawValue | options.rawValue | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let number = retrying {
            name.withPlatformString { openat(folder?.rawValue ?? AT_FDCWD, $0, flags, permissions?.rawValue ?? 0) }
        }
        guard number >= 0 else {
            let code = Errno.last
            let action: FileError.Action = permissions != nil ? .make : mode == .readOnly ? .read : .write
            let isLink = options.contains(.noFollow) && (code == .tooManySymbolicLinkLevels)
            throw FileError(path, action, because: isLink ? .symbolicLink : .system(code))
        }
        descriptor = FileDescriptor(rawValue: number)
        self.path = path
        isOwned = true
    }

    deinit {
        if isOwned { try? descriptor.close() }
    }

    /// What the system tells of it now.
    public func facts() throws(FileError) -> Stat {
        do { return try Stat(descriptor, retryOnInterrupt: true) } catch {
            throw FileError(path, .examine, because: .system(error))
        }
    }

    /// Refuses it unless it keeps rules.
    ///
    /// - Parameters:
    ///   - rules: what is asked of it.
    ///   - action: what the error says was tried.
    public func check(_ rules: FileRules, for action: FileError.Action = .read) throws(FileError) {
        guard rules != .anything else { return }
        if let objection = rules.objection(to: try facts()) { throw FileError(path, action, because: objection) }
    }

    /// Says who may do what with it.
    public func setPermissions(_ permissions: FilePermissions) throws(FileError) {
        guard retrying({ fchmod(descriptor.rawValue, permissions.rawValue) }) == 0 else { throw .last(path, .write) }
    }

    /// Gives it to a group, if this process may.
    ///
    /// - Returns: whether it is the group's now.
    func tryGiving(to group: GroupID) -> Bool {
        retrying { fchown(descriptor.rawValue, .max, group.rawValue) } == 0
    }

    /// Whether an access control list says who may do what with it. What cannot be asked counts as one.
    var hasAccessList: Bool { clinux_has_access_list(descriptor.rawValue, nil) != 0 }

    /// Whether an access control list says who may do what with a file. What cannot be asked counts as one.
    static func hasAccessList(_ path: FilePath) -> Bool { clinux_has_access_list(-1, path.string) != 0 }

    /// Waits until the disk has what was written; on Apple's systems, until the drive's own cache has it too.
    public func synchronise() throws(FileError) {
        guard clinux_flush(descriptor.rawValue) == 0 else { throw .last(path, .write) }
    }
}

/// Calls again as long as a signal interrupts the call.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result < 0, Errno.last == .interrupted else { return result }
    }
}

extension Errno {
    /// What the last call of this thread failed with.
    static var last: Errno { Errno(rawValue: errno) }
}

extension FilePath {
    /// The path without links, dots and double slashes, of something that is there.
    func resolved() throws(Errno) -> FilePath {
        guard let resolved = withPlatformString({ realpath($0, nil) }) else { throw .last }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }
}
