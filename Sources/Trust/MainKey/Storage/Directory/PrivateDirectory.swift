import Foundation

/// A folder that belongs to this user alone, held open: every file in it is reached through the descriptor, so that
/// nobody can put another folder in its place meanwhile.
///
/// A folder is refused unless it is owned by the effective user, has no permission for anybody else, and is itself no
/// symbolic link. Links on the way to it are followed.
///
/// Source: `mainkey` section 14.
package final class PrivateDirectory: Sendable {
    /// Whether a missing folder is made.
    package enum Opening: Sendable { case existing, creating }

    /// The path as it was given, without slashes at the end; for messages.
    package let path: String
    package let descriptor: Descriptor

    private init(path: String, descriptor: consuming Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a folder, or makes it and those on the way to it, all with mode 0700.
    ///
    /// - Throws: `notFound` if there is none and none is to be made; `configError` if it is not private; `io`.
    package convenience init(_ path: String, _ opening: Opening) throws(MainKeyError) {
        let path = try Self.named(path)
        if opening == .creating { try Self.make(path) }
        guard let descriptor = try Self.open(AT_FDCWD, path, path: path) else {
            throw .notFound("folder \(path)")
        }
        self.init(path: path, descriptor: descriptor)
    }

    /// Opens a folder in this one.
    ///
    /// - Parameter name: of one component.
    /// - Returns: nil if there is none and none is to be made.
    package func subdirectory(_ name: String, _ opening: Opening) throws(MainKeyError) -> PrivateDirectory? {
        let path = pathOf(name)
        if opening == .creating {
            if mkdirat(descriptor.number, name, 0o700) == 0 {
                try sync()
            } else if errno != EEXIST {
                throw .system(path, "the folder cannot be made")
            }
        }
        guard let opened = try Self.open(descriptor.number, name, path: path) else { return nil }
        return PrivateDirectory(path: path, descriptor: opened)
    }

    /// The path of a name in here, for messages and for programs that open files themselves.
    package func pathOf(_ name: String) -> String { path + "/" + name }

    /// A slash or a dot at the end would make the system follow a symbolic link before it.
    private static func named(_ path: String) throws(MainKeyError) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .configError(reason: "the path of the folder is empty or has a zero byte")
        }
        return String(path)
    }

    private static func make(_ path: String) throws(MainKeyError) {
        var ends = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
        ends.append(path.endIndex)
        for end in ends {
            let part = String(path[..<end])
            if mkdir(part, 0o700) == 0 { continue }
            let code = errno
            // Some systems say EROFS or EACCES of a folder that is there.
            guard code == EEXIST || access(part, F_OK) == 0 else {
                throw .system(part, "the folder cannot be made", code: code)
            }
        }
    }

    private static func open(_ base: Int32, _ name: String, path: String) throws(MainKeyError) -> Descriptor? {
        let number = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, ENOTDIR:
                throw .configError(reason: "\(path) is a symbolic link or no folder; name the folder itself")
            default: throw .system(path, "the folder cannot be opened")
            }
        }
        let descriptor = Descriptor(owning: number)
        let status = try FileStatus(of: descriptor, path: path)
        guard status.owner == geteuid() else {
            throw .configError(
                reason:
                    "\(path) belongs to user \(status.owner), not to \(geteuid()); run as its owner, or choose another")
        }
        guard !status.isOpenToOthers else {
            throw .configError(
                reason:
                    "other users may enter \(path) (mode \(String(status.mode, radix: 8))); run: chmod 700 '\(path)'")
        }
        return descriptor
    }

    /// The names in it, sorted.
    package func names() throws(MainKeyError) -> [String] {
        let copy = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let failure = MainKeyError.system(path, "the folder cannot be read")
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .system(path, "the folder cannot be read") }
                return names.sorted()
            }
            let name = directoryEntryName(entry)
            if name != "." && name != ".." { names.append(name) }
        }
    }
}

/// The name in what `readdir` returned, which is valid until its next call.
func directoryEntryName(_ entry: UnsafeMutablePointer<dirent>) -> String {
    // `d_name` is an array of fixed size, always ended by a zero.
    withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
    }
}
