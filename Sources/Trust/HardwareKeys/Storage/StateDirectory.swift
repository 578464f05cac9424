import SecretMemory

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory for keys, which no other user may look into.
///
/// The directory has mode 0700 and its files 0600; both belong to the process's user. That is checked on every opening,
/// and what breaks a rule is refused, not repaired: someone else may have read or written it. A file is replaced in one
/// step.
///
/// Source: `vigil` section 5.4.
public struct StateDirectory: Hashable, Sendable {
    public let path: String

    /// The most bytes of a key file.
    static let fileLimit = 64 * 1024

    /// Makes the directory if it is missing, and checks it.
    ///
    /// - Throws: ``HardwareKeyError/storageRefused(path:reason:)``
    public init(path: String) throws(HardwareKeyError) {
        self.path = path
        guard Self.makeDirectories(path) else {
            throw .storageRefused(path: path, reason: "the directory cannot be made: \(Self.reason())")
        }
        close(try open())
    }

    /// - Returns: whether it is there; else `errno` tells why.
    private static func makeDirectories(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
        return makeDirectories(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
    }

    /// Where a product keeps its state: `$STATE_DIRECTORY` of a service, else `$XDG_STATE_HOME/<name>/<product>`, else
    /// below `~/.local/state`.
    public static func standardPath(
        name: String, product: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        // A service may be given several, separated by colons; the first is its own.
        if let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(service) }
        let home = environment["HOME"] ?? homeOfUser()
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.local/state"
        return "\(state)/\(name)/\(product)"
    }

    /// The user's home directory, as the list of users has it.
    private static func homeOfUser() -> String {
        getpwuid(geteuid()).flatMap { String(validatingCString: $0.pointee.pw_dir) } ?? "/"
    }
}

extension StateDirectory {
    /// The content of a file, or nil if it is missing.
    package func read(_ name: String) throws(HardwareKeyError) -> SecretBytes? {
        let directory = try open()
        defer { close(directory) }
        let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw refused(name, errno == ELOOP ? "it is a symbolic link" : Self.reason())
        }
        defer { close(file) }
        let status = try status(of: file, name)
        guard status.st_mode & S_IFMT == S_IFREG else { throw refused(name, "it is not a regular file") }
        guard status.st_nlink == 1 else { throw refused(name, "it has a second name (hard link)") }
        try checkOwnerAndMode(status, name)
        guard status.st_size <= Self.fileLimit else { throw refused(name, "it is larger than \(Self.fileLimit) bytes") }
        return try content(of: file, count: Int(status.st_size), name)
    }

    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    package func write(_ name: String, _ content: SecretBytes) throws(HardwareKeyError) {
        let directory = try open()
        defer { close(directory) }
        let temporary = ".\(name).new"
        unlinkat(directory, temporary, 0)
        do throws(HardwareKeyError) {
            try writeNew(temporary, content, in: directory)
            guard renameat(directory, temporary, directory, name) == 0 else { throw refused(name, Self.reason()) }
        } catch {
            unlinkat(directory, temporary, 0)
            throw error
        }
        guard fsync(directory) == 0 else { throw refused(nil, Self.reason()) }
    }

    /// Removes a file; one that is missing is no error.
    package func remove(_ name: String) throws(HardwareKeyError) {
        let directory = try open()
        defer { close(directory) }
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else { throw refused(name, Self.reason()) }
        guard fsync(directory) == 0 else { throw refused(nil, Self.reason()) }
    }

    /// The names of what is in it, sorted.
    func names() throws(HardwareKeyError) -> [String] {
        guard let listing = fdopendir(try open()) else { throw refused(nil, "it cannot be listed: \(Self.reason())") }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Runs `body` while no other process runs such a part on this directory.
    package func exclusively<R>(_ body: () throws(HardwareKeyError) -> R) throws(HardwareKeyError) -> R {
        let directory = try open()
        // Not by closing alone: a process that is being started may hold a copy of the descriptor for a moment.
        defer {
            flock(directory, LOCK_UN)
            close(directory)
        }
        while flock(directory, LOCK_EX) != 0 {
            guard errno == EINTR else { throw refused(nil, "it cannot be locked: \(Self.reason())") }
        }
        return try body()
    }

    private func open() throws(HardwareKeyError) -> CInt {
        let directory = openFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            throw refused(nil, errno == ENOTDIR ? "it is not a directory, or a symbolic link" : Self.reason())
        }
        do throws(HardwareKeyError) {
            try checkOwnerAndMode(try status(of: directory, nil), nil)
        } catch {
            close(directory)
            throw error
        }
        return directory
    }

    private func status(of descriptor: CInt, _ name: String?) throws(HardwareKeyError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw refused(name, Self.reason()) }
        return status
    }

    private func checkOwnerAndMode(_ status: stat, _ name: String?) throws(HardwareKeyError) {
        guard status.st_uid == geteuid() else {
            throw refused(name, "it belongs to user \(status.st_uid), not to this one (\(geteuid()))")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refused(name, "others may use it (mode \(mode)). If nobody did, take that away with chmod go=")
        }
    }

    private func content(of file: CInt, count: Int, _ name: String) throws(HardwareKeyError) -> SecretBytes {
        var done = 0
        let content = try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: count) { buffer in
                while done < count {
                    let got = readBytes(file, buffer.baseAddress.map { $0 + done }, count - done)
                    if got < 0 && errno == EINTR { continue }
                    guard got > 0 else { return }
                    done += got
                }
            }
        }
        guard done == count else { throw refused(name, "it became shorter while it was read") }
        return content
    }

    private func writeNew(_ name: String, _ content: SecretBytes, in directory: CInt) throws(HardwareKeyError) {
        let file = openat(directory, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw refused(name, Self.reason()) }
        defer { close(file) }
        try content.withUnsafeBytes { (bytes) throws(HardwareKeyError) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = writeBytes(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw refused(name, Self.reason()) }
                rest = rest.dropFirst(count)
            }
        }
        guard fsync(file) == 0 else { throw refused(name, Self.reason()) }
    }

    private func refused(_ name: String?, _ reason: String) -> HardwareKeyError {
        .storageRefused(path: name.map { "\(path)/\($0)" } ?? path, reason: reason)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

// The system's calls, whose names the methods above have too.
private func openFile(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }

private func readBytes(_ file: CInt, _ place: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, place, count)
}

private func writeBytes(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
