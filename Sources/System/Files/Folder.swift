import CLibrary

/// A folder that is held open: every file in it is reached through the descriptor, so that nobody can put another
/// folder in its place meanwhile.
///
/// Names are single parts of a path; a symbolic link that has one of them is refused.
///
///     let folder = try Folder("/var/lib/gate", rules: .privateFolder, makesMissing: true)
///     try folder.replace("keys.json", with: bytes)
public final class Folder: Sendable {
    /// The path as it was given.
    public let path: FilePath
    private let file: OpenFile

    /// The folder's descriptor, open as long as this object lives.
    public var descriptor: FileDescriptor { file.descriptor }

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - rules: what is asked of it.
    ///   - makesMissing: whether it, and what is missing on the way to it, is made.
    ///   - permissions: of folders that are made, less what the process withholds.
    ///   - followsLinks: whether a symbolic link at the end of the path is followed.
    /// - Throws: ``FileError``, with ``FileError/isMissing`` if there is none.
    public convenience init(
        _ path: FilePath, rules: FileRules = .folder, makesMissing: Bool = false,
        permissions: FilePermissions = .ownerReadWriteExecute, followsLinks: Bool = false
    ) throws(FileError) {
        guard !path.isEmpty, !path.string.utf8.contains(0) else { throw FileError(path, .read, because: .badName) }
        if makesMissing { try Self.make(path, permissions) }
        try self.init(path, below: nil, name: path, rules: rules, followsLinks: followsLinks)
    }

    /// Whether there is a folder at a path, or behind a link there, that can be opened.
    package static func exists(at path: FilePath) -> Bool { (try? Folder(path, followsLinks: true)) != nil }

    init(
        _ path: FilePath, below folder: FileDescriptor?, name: FilePath, rules: FileRules, followsLinks: Bool
    ) throws(FileError) {
        self.path = path
        let options: FileDescriptor.OpenOptions = followsLinks ? [.directory] : [.directory, .noFollow]
        do throws(FileError) {
            file = try OpenFile(path, below: folder, name: name, for: .readOnly, options: options, permissions: nil)
        } catch {
            guard error.reason == .symbolicLink || error.errno == .notDirectory else { throw error }
            throw FileError(path, .read, because: .noFolder)
        }
        try file.check(rules)
    }

    /// Opens a folder in this one.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - rules: what is asked of it.
    ///   - makesMissing: whether it is made, for this user alone, if it is missing.
    /// - Returns: nil if there is none.
    public func folder(
        _ name: String, rules: FileRules = .folder, makesMissing: Bool = false
    ) throws(FileError) -> Folder? {
        let place = try self.place(of: name)
        if makesMissing {
            if mkdirat(descriptor.rawValue, name, 0o700) == 0 {
                try synchronise()
            } else if Errno.last != .fileExists {
                throw .last(place, .make)
            }
        }
        do throws(FileError) {
            return try Folder(place, below: descriptor, name: FilePath(name), rules: rules, followsLinks: false)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Makes a folder and those on the way to it that are missing, so that a loss of power leaves them their names.
    private static func make(_ path: FilePath, _ permissions: FilePermissions) throws(FileError) {
        if try makeOne(path, permissions) { return }
        let code = Errno.last
        // Some systems say EROFS or EACCES of a folder that is there.
        if path.withPlatformString({ access($0, F_OK) }) == 0 { return }
        let above = path.removingLastComponent()
        guard code == .noSuchFileOrDirectory, !above.isEmpty, above != path else {
            throw FileError(path, .make, because: .system(code))
        }
        try make(above, permissions)
        guard try makeOne(path, permissions) else { throw .last(path, .make) }
    }

    /// - Returns: false if the system refuses, for the reason that it gave last.
    private static func makeOne(_ path: FilePath, _ permissions: FilePermissions) throws(FileError) -> Bool {
        guard path.withPlatformString({ mkdir($0, permissions.rawValue) }) == 0 else {
            return Errno.last == .fileExists
        }
        let above = path.removingLastComponent()
        // One that may be written and not read cannot be opened for that.
        try (try? Folder(above.isEmpty ? "." : above, followsLinks: true))?.synchronise()
        return true
    }

    /// The path of a name in here, for messages and for libraries that open files themselves.
    public func path(of name: String) -> FilePath { path.appending(name) }

    /// The path of a name, if it is the name of a file in here and leads nowhere else.
    func place(of name: String) throws(FileError) -> FilePath {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/"))
        else { throw FileError(path, .read, because: .badName) }
        return path(of: name)
    }

    /// What the system tells of the folder now.
    public func facts() throws(FileError) -> Stat { try file.facts() }

    /// Refuses the folder unless it keeps rules.
    public func check(_ rules: FileRules) throws(FileError) { try file.check(rules) }

    /// Waits until the disk has the names of the files as they are now.
    public func synchronise() throws(FileError) { try file.synchronise() }

    /// The names in it, sorted. One that is no UTF-8 comes repaired, and names nothing then.
    public func names() throws(FileError) -> [String] { try components().map(\.string).sorted() }

    /// The names in it as the system has them, in its order.
    func components() throws(FileError) -> [FilePath.Component] {
        let copy = openat(descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let failure = FileError.last(path, .list)
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last(path, .list) }
                return names
            }
            // `d_name` is an array of fixed size, always ended by a zero.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
    }
}
