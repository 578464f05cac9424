import BasicFoundation
import Files
import MainKey

/// A file of a vault, which no other user may use and which is replaced in one step.
struct VaultFile {
    let path: FilePath

    init(_ path: String) { self.path = FilePath(path) }

    private var name: String { path.lastComponent?.string ?? "" }

    private func folder() throws(FileError) -> Folder {
        let above = path.removingLastComponent()
        return try Folder(above.isEmpty ? "." : above, followsLinks: true)
    }

    /// The bytes of the file; nil if it is missing.
    ///
    /// - Parameter limit: bytes at the most; a larger file is an error.
    /// - Throws: ``SignerError``, also for a link, and for a file that others may read or own.
    func content(limit: Int) throws -> [UInt8]? {
        do throws(FileError) {
            return try folder().content(of: name, limit: limit, rules: .privateFile)
        } catch {
            if error.isMissing { return nil }
            guard case .tooLarge = error.reason else { throw SignerError(error) }
            throw SignerError.databaseDamaged(.file(path: path.string, reason: "it is larger than \(limit) bytes"))
        }
    }

    /// Writes all of it: after a crash at any instruction the file has its old content or the new one.
    func replace(with bytes: [UInt8]) throws {
        try onDisk {
            try folder().replace(name, with: bytes) { step, _ in
                switch step {
                case .synchronised: CrashPoint.reach("replace.written")
                case .renamed: CrashPoint.reach("replace.renamed")
                case .removed, .created, .written, .settled: break
                }
            }
        }
    }

    /// Makes an empty file that is not there yet.
    func create() throws { try onDisk { _ = try folder().create(name) } }

    /// Removes the file, if it is there.
    func remove() throws {
        try onDisk {
            let folder = try folder()
            try folder.remove(name)
            try folder.synchronise()
        }
    }

    /// Gives a file or folder another place, where nothing but an empty folder may be in the way of a folder.
    func move(to other: VaultFile) throws {
        try onDisk {
            let target = try other.folder()
            try folder().rename(name, to: other.name, in: target)
            try target.synchronise()
        }
    }

    /// Runs `body` while this process alone has the lock of the file's folder, which is waited for.
    func whileFolderIsLocked<R>(_ body: () throws -> R) throws -> R {
        let lock = try onDisk { try folder().lock() }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// Takes the lock of the file, which is made; nil if another program has it.
    func lockIfFree() throws -> FileLock? { try onDisk { try folder().lockIfFree(name) } }
}

extension SignerError {
    init(_ error: FileError) {
        let isFull = error.reason == .system(.noSpace)
        self = .storageUnavailable(path: error.path.string, reason: isFull ? Self.diskIsFull : "\(error.reason)")
    }

    static let diskIsFull = "the disk is full. Free some space, and do it once more"
}

/// Runs what makes and removes folders; what the system refuses becomes the signer's error.
func onDisk(_ folder: URL, _ body: () throws -> Void) throws {
    do { try body() } catch {
        throw SignerError.storageUnavailable(path: folder.path, reason: error.reasonOfSystem)
    }
}

/// Runs what uses files; what is refused becomes the signer's error.
func onDisk<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as FileError { throw SignerError(error) }
}
