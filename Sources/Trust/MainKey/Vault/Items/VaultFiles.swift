import Files
import SecretMemory

/// The encrypted files that a vault lists: whoever reads one is told if it is not the one that was written last, and
/// whoever writes one keeps the list right (`mainkey` section 19).
struct VaultFiles: Sendable {
    let store: VaultStore
    let memory: VaultMemory
    let commits: VaultCommits
    let diskChanges: DiskChanges

    // MARK: Reading

    /// Opens a file, and compares it with the list.
    ///
    /// - Parameter name: what it has to be listed under; nil where it need not be. What is listed under its path is
    ///   compared in any case.
    /// - Throws: `rolledBack` for another file than the one that was written last; `notFound` if nothing is listed
    ///   under the name; `tampered` and `rolledBack` where the list itself is not the one that the key file names.
    func open(_ path: String, as name: String?) throws(MainKeyError) -> FreshFile {
        let source = try OpenFile(reading: path)
        // The usual case, in which nobody has to wait.
        if let list = try quickList(), let file = try? compared(source, at: path, as: name, with: list) { return file }
        return try locked { (list) throws(MainKeyError) in
            if let file = try? compared(source, at: path, as: name, with: list) { return file }
            // Another process may have written it since.
            return try compared(try OpenFile(listedAt: path), at: path, as: name, with: list)
        }
    }

    /// - Returns: nil where another process has changed the list since this one read the key file.
    private func quickList() throws(MainKeyError) -> FileList? {
        let file = try memory.unlocked().file
        guard file.itemRoot != nil else { return FileList() }
        return try store.items.current(of: file)?.list.files
    }

    /// Runs `body` with the list as it is on the disk, while nobody can change it.
    private func locked<R>(_ body: (FileList) throws(MainKeyError) -> R) throws(MainKeyError) -> R {
        diskChanges.refresh()
        let unlocked = try memory.unlocked().keys
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        let file = try store.load(under: unlocked.secrets).file
        guard file.itemRoot != nil else { return try body(FileList()) }
        guard let list = try store.items.current(of: file)?.list.files else { throw store.items.refusalOfList(file) }
        return try body(list)
    }

    private func compared(
        _ source: OpenFile, at path: String, as name: String?, with list: FileList
    ) throws(MainKeyError) -> FreshFile {
        var entries = list.isEmpty ? [] : ListedFileName.all(ofFileAt: path).compactMap { list[$0] }
        if let name {
            guard let entry = list[Array(name.utf8)] else {
                throw .notFound(
                    "file that the vault lists as '\(name)'. \(MainKeyError.Situation.fileNotListed.rawValue)")
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else { return FreshFile(source: source) }
        let digest = try source.headerDigest()
        guard entries.allSatisfy({ $0.takes(digest) }) else { throw Self.refusal(path) }
        return FreshFile(source: source, digest: digest)
    }

    private static func refusal(_ path: String) -> MainKeyError {
        .rolledBack(
            reason:
                "the file \(path) is not the one that was written last; "
                + MainKeyError.Situation.filePutBack.rawValue)
    }

    // MARK: Writing

    /// How many files are to take their places at once: each waits with an open descriptor, and each time is two
    /// commits if the vault lists any of them.
    func batchCount() throws(MainKeyError) -> Int { try quickList()?.isEmpty == true ? 1 : 64 }

    /// Has files take their places: those that are listed, by path or name, in two commits.
    ///
    /// - Returns: how many did; those that were made from what was changed or removed meanwhile do not.
    /// - Throws: `unknownEpoch` if a rotation has begun since one of them was written, and then none does.
    @discardableResult
    func place(_ files: [WaitingFile]) throws(MainKeyError) -> Int {
        // Before anybody has to wait for the lock.
        for file in files { try file.synchronise() }
        diskChanges.refresh()
        return try commits.place(files)
    }

    /// Refuses what was written into a stream, of which nothing takes a place, where a rotation may not find it.
    ///
    /// - Throws: `unknownEpoch` if a rotation has begun since.
    func checkIsActive(_ epoch: UInt32) throws(MainKeyError) {
        diskChanges.refresh()
        let secrets = try memory.unlocked().keys.secrets
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        guard try store.load(under: secrets).file.activeEpoch == epoch else { throw .unknownEpoch(epoch) }
    }

    // MARK: The list

    /// Takes files as they are now for those that were written last, in one commit.
    ///
    /// - Throws: for the first that does not open.
    func add(_ files: [MainKeyVault.FileToList]) throws(MainKeyError) {
        try commits.changeFiles { (keys, list) throws(MainKeyError) in
            for file in files {
                let source = try OpenFile(listedAt: file.path)
                let digest = try source.headerDigest()
                let fresh = FreshFile(source: source, digest: digest)
                _ = try EncryptedFileReader(fresh, context: file.context, keys: try FileKeySource(keys))
                try list.list(Array(file.name.utf8), FileList.Entry(digest: digest))
            }
        }
    }

    /// Lists files no more, in one commit.
    ///
    /// - Throws: `notFound` for a name that is not listed.
    func forget(_ names: [String]) throws(MainKeyError) {
        try commits.changeFiles { (_, list) throws(MainKeyError) in
            for name in names {
                guard list[Array(name.utf8)] != nil else { throw .notFound("file that the vault lists as '\(name)'") }
                list.remove(Array(name.utf8))
            }
        }
    }

    /// The names that are listed, sorted. Needs no key, so that nothing vouches for them.
    func names() throws(MainKeyError) -> [String] {
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        let file = try store.load().file
        guard file.itemRoot != nil else { return [] }
        guard let list = try store.items.current(of: file)?.list.files else { throw store.items.refusalOfList(file) }
        return list.sorted.map { String(decoding: $0.name, as: UTF8.self) }
    }

    /// Compares all files that are listed by their paths, by their headers.
    ///
    /// - Throws: `rolledBack` for the first that is not the one that was written last; why one cannot be read.
    func check() throws(MainKeyError) -> ListedFilesCheck {
        try locked { (list) throws(MainKeyError) in
            var check = ListedFilesCheck()
            for (name, entry) in list.sorted {
                guard ListedFileName.isPath(name) else {
                    check.elsewhere += 1
                    continue
                }
                let path = String(decoding: name, as: UTF8.self)
                do throws(MainKeyError) {
                    guard entry.takes(try OpenFile(listedAt: path).headerDigest()) else { throw Self.refusal(path) }
                } catch {
                    guard case .notFound = error else { throw error }
                    check.missing += 1
                    continue
                }
                check.compared += 1
                if entry.previous != nil { check.unsettled += 1 }
            }
            return check
        }
    }
}

/// What a comparison of the listed files has found.
package struct ListedFilesCheck: Equatable, Sendable {
    /// Files that are those that were written last.
    package var compared = 0
    /// Files that are not there.
    package var missing = 0
    /// Files that are listed under a name of their application's, which says nothing of where they are.
    package var elsewhere = 0
    /// Those of the compared files whose writing was interrupted: the one before would be taken too.
    package var unsettled = 0
}

extension OpenFile {
    /// Opens a file that is listed. Never waits, as it would for a pipe that somebody puts in its place.
    convenience init(listedAt path: String) throws(MainKeyError) {
        do throws(FileError) {
            try self.init(FilePath(path), rules: .regular, followsLinks: true)
        } catch {
            if error.isMissing { throw .notFound("file \(path)") }
            throw MainKeyError(error)
        }
    }

    /// The digest of the header of an encrypted file, read without moving.
    ///
    /// - Throws: as ``EncryptedFileHeader``; `io` for what is no regular file.
    func headerDigest() throws(MainKeyError) -> [UInt8] {
        guard try remainingByteCount() != nil else {
            throw .io(path: path.string, reason: "it is no regular file, and the vault lists one there")
        }
        return try EncryptedFileHeader(atStartOf: self).digest
    }
}

extension EncryptedFileHeader {
    /// Reads it from the start of a file, whatever its position.
    fileprivate init(atStartOf file: OpenFile) throws(MainKeyError) {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(MainKeyError) in
            try onDisk(try file.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer)))
        }
        try self.init(parsing: Array(bytes[..<count]))
    }
}
