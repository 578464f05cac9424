import BasicFoundation
import Files
import Vigil

/// Files and folders, and who may change them.
enum InstalledFile {
    /// A file that is not as it has to be.
    struct Wrong: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String

        init(_ error: FileError) { description = "\(error)" }

        /// - Parameter path: of what the last call to the system failed with.
        init(_ path: String) {
            description = "\(path): \(String(cString: strerror(errno)))"
        }
    }

    /// Reads a file. Of one that decides whom programs trust ``owner(of:)`` has to be asked as well.
    ///
    /// - Parameter limit: bytes.
    static func content(_ path: String, limit: Int) throws -> [UInt8] {
        do throws(FileError) {
            return try InputFile.content(of: FilePath(path), limit: limit)
        } catch {
            throw error.reason == .tooLarge(limit: limit) ? Malformed("\(error)") : Unreadable(error)
        }
    }

    static func names(in folder: String) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { throw Unreadable(folder) }
        return names.sorted()
    }

    /// Checks that nobody but root and this user may change a file, or make its path lead to another one.
    @discardableResult
    static func owner(of path: String) throws -> String {
        let owner = try status(path).st_uid
        try check(path, owners: [geteuid()])
        return owner == 0 ? "root" : "user \(owner) alone"
    }

    /// Checks that a secret is there, and that nobody but root and one user may read it.
    ///
    /// - Parameter folder: that belongs to this user.
    static func secret(_ path: String, ofOwner folder: String) throws -> String {
        let status = try status(path)
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { throw Wrong("it is no file with a secret") }
        guard status.st_mode & 0o077 == 0 else {
            throw Wrong("others may read it (mode \(mode(status))); run chmod go= \(path), and make a new one")
        }
        try check(path, owners: [try self.status(folder).st_uid])
        return "user \(status.st_uid) alone"
    }

    /// Whether a file is there, or that cannot be known.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    /// - Parameter owners: beside root.
    private static func check(_ path: String, owners: Set<uid_t>) throws {
        do throws(ConfigurationError) { try TrustedPath(owners: owners).check(path) } catch {
            throw Wrong(error.description)
        }
    }

    /// Checks a folder that one user alone, or root, may change.
    ///
    /// - Parameter forbidden: bits that the mode may not have.
    static func folder(_ path: String, forbidding forbidden: mode_t) throws -> String {
        let status = try status(path)
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Wrong("it is no folder") }
        guard status.st_mode & forbidden == 0 else {
            let wanted = String(0o777 & ~forbidden, radix: 8)
            throw Wrong("mode \(mode(status)); no more than \(wanted) is allowed: run chmod \(wanted) \(path)")
        }
        try check(path, owners: [status.st_uid])
        return "user \(status.st_uid), mode \(mode(status))"
    }

    private static func status(_ path: String) throws -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Unreadable(path) }
        return status
    }

    private static func mode(_ status: stat) -> String { String(status.st_mode & 0o777, radix: 8) }
}
