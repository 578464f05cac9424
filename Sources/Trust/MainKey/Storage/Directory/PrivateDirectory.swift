import BasicFoundation
import Files
import SecretMemory

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

    let folder: Folder

    /// The path as it was given, without slashes at the end; for messages.
    package var path: String { folder.path.string }
    /// The number of the folder's descriptor, for calls that only the system's own interface has.
    var descriptor: Int32 { folder.descriptor.rawValue }

    private init(_ folder: Folder) {
        self.folder = folder
    }

    /// Opens a folder, or makes it and those on the way to it, all with mode 0700.
    ///
    /// - Throws: `notFound` if there is none and none is to be made; `configError` if it is not private; `io`.
    package convenience init(_ path: String, _ opening: Opening) throws(MainKeyError) {
        let path = try Self.named(path)
        do throws(FileError) {
            self.init(try Folder(FilePath(path), rules: .privateFolder, makesMissing: opening == .creating))
        } catch {
            guard opening == .existing, error.isMissing else { throw MainKeyError(ofFolder: error) }
            throw .notFound("folder \(path)")
        }
    }

    /// Opens a folder in this one.
    ///
    /// - Parameter name: of one component.
    /// - Returns: nil if there is none and none is to be made.
    package func subdirectory(_ name: String, _ opening: Opening) throws(MainKeyError) -> PrivateDirectory? {
        do throws(FileError) {
            return try folder.folder(name, rules: .privateFolder, makesMissing: opening == .creating)
                .map(PrivateDirectory.init)
        } catch {
            throw MainKeyError(ofFolder: error)
        }
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

    /// The names in it, sorted.
    package func names() throws(MainKeyError) -> [String] { try onDisk(try folder.names()) }

    // MARK: Reading

    /// The content of a file.
    ///
    /// - Parameter limit: bytes at the most.
    /// - Returns: nil if there is no such file.
    /// - Throws: `limitExceeded` if it is larger; `io` if it cannot be read, or is anything but a file of this user
    ///   that has one name and that nobody else may read: a link, a pipe, a shared file.
    package func read(_ name: String, limit: Int) throws(MainKeyError) -> [UInt8]? {
        guard let file = try openFile(name) else { return nil }
        return try onDisk(try file.content(limit: limit))
    }

    /// The same for a file that is a secret in itself.
    package func readSecret(_ name: String, limit: Int) throws(MainKeyError) -> SecretBytes? {
        guard let file = try openFile(name) else { return nil }
        return try Self.secretContent(of: file, limit: limit)
    }

    static func secretContent(of file: OpenFile, limit: Int) throws(MainKeyError) -> SecretBytes {
        let count = try onDisk(try file.byteCount(limit: limit))
        return try secret {
            do {
                return try SecretBytes(count: count) { try file.readWhole(into: $0) }
            } catch let error as FileError {
                throw MainKeyError(error)
            }
        }
    }

    /// - Returns: nil if there is no such file.
    func openFile(_ name: String) throws(MainKeyError) -> OpenFile? {
        guard let file = try onDisk(try folder.open(name, rules: .ownFile)) else { return nil }
        // None is left when another process has just replaced the file: the content is the one of a moment ago.
        let count = try onDisk(try file.facts()).linkCount
        guard count <= 1 else {
            throw MainKeyError(FileError(file.path, .read, because: .severalNames(count: count)))
        }
        return file
    }

    // MARK: Writing

    /// Replaces a file in one step: after a crash at any instruction it has its old content or the new one.
    package func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(MainKeyError) {
        try onDisk(try folder.replace(name, with: bytes, onStep: Self.reach))
    }

    /// Replaces a file in one step, as for bytes that lie anywhere.
    package func write(_ bytes: [UInt8], to name: String) throws(MainKeyError) {
        try onDisk(try folder.replace(name, with: bytes, onStep: Self.reach))
    }

    /// The first half of replacing a file: writes all of it under a name of its own, through to the disk. A file that
    /// has this name is removed before, and on failure nothing is left.
    package func stage(_ bytes: UnsafeRawBufferPointer, as name: String) throws(MainKeyError) {
        try onDisk(try folder.stage(bytes, as: name, onStep: Self.reach))
    }

    /// The second half: gives what was staged its final name, and sees that the folder remembers it. On failure what
    /// was staged stays: once hardware has counted on, it is the only file that still opens.
    package func promote(_ staged: String, to name: String) throws(MainKeyError) {
        try onDisk(try folder.promote(staged, to: name, onStep: Self.reach))
    }

    /// Removes a file; without one, nothing happens. ``sync()`` makes it last.
    package func remove(_ name: String) throws(MainKeyError) { try onDisk(try folder.remove(name)) }

    /// Overwrites a file with zeros in place and removes it; without one, nothing happens. A file with more names
    /// becomes zeros under all of them; what is no file, or not of this user alone, is removed as it is. On most disks
    /// the old bytes survive somewhere: only losing the key makes them worthless (`mainkey` section 24).
    package func overwriteAndRemove(_ name: String) throws(MainKeyError) {
        var isOverwritten = false
        try onDisk(
            try folder.overwriteAndRemove(name, rules: .ownFile) {
                isOverwritten = true
                CrashPoint.reach("overwrite.synced:\(name)")
            })
        if isOverwritten { CrashPoint.reach("overwrite.removed:\(name)") }
    }

    /// Waits until the disk has the names of the files as they are now.
    package func sync() throws(MainKeyError) { try onDisk(try folder.synchronise()) }

    private static func reach(_ step: ReplacementStep, _ name: String) {
        let title =
            switch step {
            case .removed: "stage.removed"
            case .created: "stage.created"
            case .written: "stage.written"
            case .synchronised: "stage.synced"
            case .renamed: "promote.renamed"
            case .settled: "promote.synced"
            }
        CrashPoint.reach("\(title):\(name)")
    }
}
