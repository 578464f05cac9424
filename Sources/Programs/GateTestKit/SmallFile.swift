internal import Files

/// Files that fit in memory: certificates, keys, attestations.
package enum SmallFile {
    package static let maximumBytes = 16 << 20

    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        /// What is wrong with it, in plain words.
        package let reason: String

        package var description: String { "\(path): \(reason)" }

        fileprivate init(_ error: FileError) {
            path = error.path.string
            reason = "\(error.reason)"
        }
    }

    /// Reads a file, or standard input where the path is `-`.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        do {
            guard path == "-" else { return try InputFile.content(of: FilePath(path), limit: maximumBytes) }
            return try InputFile(standardInput: ()).content(limit: maximumBytes)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether there is anything of that name, whatever it is and whoever may read it.
    package static func isThere(_ path: String) throws(Failure) -> Bool {
        do throws(FileError) {
            let (folder, name) = try place(FilePath(path))
            return try folder.facts(of: name) != nil
        } catch {
            guard error.isMissing else { throw Failure(error) }
            return false
        }
    }

    /// Whether two paths lead to one file that is there.
    package static func isSame(_ path: String, as other: String) -> Bool {
        guard let one = facts(of: path), let two = facts(of: other) else { return false }
        return one.isSameFile(as: two)
    }

    /// What the system tells of a file, which is not opened: it may be a pipe that somebody waits at.
    private static func facts(of path: String) -> Stat? {
        guard let (folder, name) = try? place(FilePath(path)) else { return nil }
        return (try? folder.facts(of: name)) ?? nil
    }

    /// The number of the user who owns the folder of a path; nil where there is no folder to look into.
    package static func ownerOfFolder(of path: String) -> UInt32? {
        (try? place(FilePath(path)).0.facts())?.userID.rawValue
    }

    /// Makes a file anew, for its owner alone where it holds a secret.
    ///
    /// - Parameter replaces: whether a file of that name may be there; it keeps its old content until the new is whole.
    package static func write(
        _ bytes: [UInt8], to path: String, isSecret: Bool, replaces: Bool = false
    ) throws(Failure) {
        let permissions: FilePermissions = isSecret ? .ownerReadWrite : [.ownerReadWrite, .groupRead, .otherRead]
        do {
            guard !replaces else {
                return try PreparedFile.replace(FilePath(path), with: bytes, permissions: permissions)
            }
            try create(FilePath(path), bytes, permissions: permissions)
        } catch {
            throw Failure(error)
        }
    }

    private static func create(
        _ path: FilePath, _ bytes: [UInt8], permissions: FilePermissions
    ) throws(FileError) {
        let (folder, name) = try place(path)
        let file = try folder.create(name, permissions: permissions)
        do { try file.write(bytes) } catch {
            try? folder.remove(name)
            throw error
        }
    }

    /// The folder of a path, and the name in it.
    private static func place(_ path: FilePath) throws(FileError) -> (Folder, String) {
        guard let name = path.lastComponent?.string else { throw FileError(path, .make, because: .badName) }
        let above = path.removingLastComponent()
        return (try Folder(above.isEmpty ? "." : above, followsLinks: true), name)
    }

    package static func text(_ path: String) throws(Failure) -> String {
        String(decoding: try read(path), as: UTF8.self)
    }
}
