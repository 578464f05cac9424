/// The encrypted files of a folder, in a rotation. Other files in it are left alone.
///
/// Folders in it are searched too, also those of other file systems. The folder may be a symbolic link; links in it are
/// not followed. What cannot be read ends the rotation before a key is forgotten.
public struct FileRotation: RotationPlace {
    private let root: String
    private let contexts: @Sendable (String) -> [[UInt8]]

    /// The name of the place, by the path of the folder.
    public var title: String { "files in \(root)" }

    /// - Parameters:
    ///   - root: the folder.
    ///   - contexts: what a file may be bound to, by its path below the folder; the first that opens it is kept.
    public init(
        root: String, contexts: @escaping @Sendable (String) -> [[UInt8]] = { [[], Array($0.utf8)] }
    ) {
        self.root = root
        self.contexts = contexts
    }

    /// - Throws: ``SealedFileError``, or `io` for a folder.
    public func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        let walk = try FolderWalk(root)
        let epochs = try walk.files().compactMap { try Self.epoch(of: walk.full($0)) }
        return (epochs.count, epochs.count { $0 != epoch })
    }

    /// Files that the vault lists stay listed, 64 at a time. What another process writes or removes meanwhile is
    /// neither undone nor brought back.
    ///
    /// - Throws: ``SealedFileError``, or `io` for a folder.
    public func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let active = try vault.activeEpoch
        let batchCount = try vault.fileBatchCount
        let walk = try FolderWalk(root)
        var waiting: [WaitingFile] = []
        for path in try walk.files() {
            guard let epoch = try Self.epoch(of: walk.full(path)), epoch != active else { continue }
            waiting.append(try resealed(path, of: walk, in: vault))
            if waiting.count >= batchCount { try Self.place(&waiting, in: vault, done) }
        }
        try Self.place(&waiting, in: vault, done)
    }

    private static func place(
        _ waiting: inout [WaitingFile], in vault: borrowing UnlockedVault, _ done: (Int) throws -> Void
    ) throws {
        guard !waiting.isEmpty else { return }
        let count = try vault.place(waiting)
        waiting = []
        if count > 0 { try done(count) }
    }

    private func resealed(
        _ path: String, of walk: FolderWalk, in vault: borrowing UnlockedVault
    ) throws(SealedFileError) -> WaitingFile {
        var refusal = MainKeyError.fileKeyMismatch
        for context in contexts(path) {
            do throws(MainKeyError) {
                return try vault.resealedFile(at: walk.full(path), context: context)
            } catch {
                refusal = error
                if error != .fileKeyMismatch { break }
            }
        }
        throw SealedFileError(path: walk.full(path), error: refusal)
    }

    /// - Returns: nil for what is no encrypted file.
    private static func epoch(of path: String) throws(SealedFileError) -> UInt32? {
        do throws(MainKeyError) { return try UnlockedVault.epoch(ofFileAt: path) } catch {
            switch error {
            case .badMagic, .truncated: return nil
            default: throw SealedFileError(path: path, error: error)
            }
        }
    }
}

/// Why an encrypted file of a folder could not be sealed anew.
public struct SealedFileError: Error, Equatable, Sendable {
    /// The path of the file.
    public let path: String
    /// Why it could not be sealed anew.
    public let error: MainKeyError
}

extension SealedFileError: CustomStringConvertible {
    public var description: String {
        // These name it themselves.
        if case .io = error { return error.description }
        return "\(path): \(error)"
    }
}
