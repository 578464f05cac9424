import Files

/// Encrypted files (`mainkey` section 10): chunks that can be neither cut off, moved nor exchanged, bound to a context
/// that the caller chooses, for example the file's name. Nothing is written in place; a destination appears when it is
/// whole.
///
/// A file can be *listed*: the vault then knows which one was written last, and an older one in its place is refused
/// (`rolledBack`). It is listed under a name that its application chooses, or else under its path, made absolute. What
/// is listed under its path is compared whenever it is read, and stays listed whenever it is written; what is listed
/// under another name is compared where the name is given. Writing a listed file takes two commits of the vault, each
/// of which is two operations of the TPM with a strict anchor; reading takes none.
extension UnlockedVault {
    /// Encrypts a file into another, which is replaced at the end, or is the same.
    ///
    /// - Parameters:
    ///   - context: what the file is bound to: it opens with the same bytes only; at most 65535.
    ///   - chunkLog2: 12 to 20: chunks of so many bytes as a power of two.
    ///   - name: lists the file under this name; nil leaves the list as it is, and keeps a listed file listed. See
    ///     ``listedName(ofFileAt:)``.
    ///   - progress: called with the bytes done so far.
    /// - Returns: bytes of plaintext.
    /// - Throws: `locked`, also when the vault is locked meanwhile; `unknownEpoch` if a rotation begins or ends
    ///   meanwhile, in any process, and then nothing is replaced: encrypt again; `busy`, `configError`, `io`; for a
    ///   listed file what a commit throws.
    @discardableResult
    public func encryptFile(
        at source: String, to destination: String, context: [UInt8] = [], chunkLog2: Int = 16,
        listedAs name: String? = nil, progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        let encryption = FileEncryption(
            keys: try currentFileKeys, context: context, chunkLog2: chunkLog2, progress: progress)
        var (waiting, byteCount) = try encryption.prepare(source, for: destination)
        waiting.name = name
        try place([waiting])
        return byteCount
    }

    /// Decrypts a file into another, which appears when the last chunk has been verified.
    ///
    /// - Parameter name: what the file has to be listed under; nil where it need not be.
    /// - Throws: `truncated`, `badMagic`, `unsupportedVersion`, `malformed`, `unknownEpoch`, `fileKeyMismatch`,
    ///   `authFailed`, `trailingData`, `locked`, `io`; `rolledBack` for a listed file that is not the one that was
    ///   written last, `notFound` if nothing is listed under the name, `tampered` where the vault's list is missing.
    @discardableResult
    public func decryptFile(
        at source: String, to destination: String, context: [UInt8] = [], listedAs name: String? = nil,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: try fileKeys, context: context, progress: progress)
            .run(try fresh(source, as: name), to: destination)
    }

    /// Verifies a whole file and writes nothing.
    ///
    /// - Returns: bytes of plaintext.
    @discardableResult
    public func checkFile(
        at source: String, context: [UInt8] = [], listedAs name: String? = nil,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: try fileKeys, context: context, progress: progress).check(fresh(source, as: name))
    }

    /// Reads any part of a file.
    ///
    /// - Throws: as ``decryptFile(at:to:context:listedAs:progress:)``.
    public func fileReader(
        at path: String, context: [UInt8] = [], listedAs name: String? = nil
    ) throws(MainKeyError) -> EncryptedFileReader {
        try EncryptedFileReader(try fresh(path, as: name), context: context, keys: try fileKeys)
    }

    /// The name of a file that has none of its application's: its path, made absolute.
    public static func listedName(ofFileAt path: String) -> String { ListedFileName.absolute(path) }

    // MARK: Writing anew

    /// Writes a file anew in the active epoch, to take its place as long as nobody else changes it. Its cleartext is in
    /// memory only, a chunk at a time.
    func resealedFile(at path: String, context: [UInt8]) throws(MainKeyError) -> WaitingFile {
        try FileReencryption(keys: try fileKeys, context: context).prepare(try fresh(path), at: path)
    }

    /// How many files that are written anew are to take their places at once.
    var fileBatchCount: Int {
        get throws(MainKeyError) { try files?.batchCount() ?? 1 }
    }

    /// Has files take their places, and keeps listed ones listed.
    ///
    /// - Returns: how many did; those that were made from what was changed or removed meanwhile do not.
    @discardableResult
    func place(_ waiting: [WaitingFile]) throws(MainKeyError) -> Int {
        if let files { return try files.place(waiting) }
        let current = waiting.filter(\.isCurrent)
        for file in current { try file.takePlace() }
        return current.count
    }

    /// Opens a file that is to be read, if it is the one that was written last.
    func fresh(_ path: String, as name: String? = nil) throws(MainKeyError) -> FreshFile {
        guard let files else { return FreshFile(source: try OpenFile(reading: path)) }
        return try files.open(path, as: name)
    }

    var fileKeys: FileKeySource {
        get throws(MainKeyError) { try FileKeySource(keys) }
    }

    /// The keys for what is written from now on, in the epoch that the vault on the disk writes in.
    var currentFileKeys: FileKeySource {
        get throws(MainKeyError) {
            files?.diskChanges.refresh()
            return try fileKeys
        }
    }

    /// The epoch that a file was written in, from its header.
    static func epoch(ofFileAt path: String) throws(MainKeyError) -> UInt32 {
        try EncryptedFileHeader(reading: try OpenFile(reading: path)).epoch
    }
}
