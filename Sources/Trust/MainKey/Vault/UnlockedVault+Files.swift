import Files

/// Encrypted files (`mainkey` section 10): chunks that can be neither cut off, moved nor exchanged, bound to a context
/// that the caller chooses, for example the file's name. Nothing is written in place; a destination appears when it is
/// whole.
extension UnlockedVault {
    /// Encrypts a file into another, which is replaced at the end, or is the same.
    ///
    /// - Parameters:
    ///   - context: what the file is bound to: it opens with the same bytes only; at most 65535.
    ///   - chunkLog2: 12 to 20: chunks of so many bytes as a power of two.
    ///   - progress: called with the bytes done so far.
    /// - Returns: bytes of plaintext.
    /// - Throws: `locked`, also when the vault is locked meanwhile; `unknownEpoch` if a rotation ends meanwhile:
    ///   encrypt again; `configError`, `io`.
    @discardableResult
    public func encryptFile(
        at source: String, to destination: String, context: [UInt8] = [], chunkLog2: Int = 16,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileEncryption(keys: try fileKeys, context: context, chunkLog2: chunkLog2, progress: progress)
            .run(source, to: destination)
    }

    /// Decrypts a file into another, which appears when the last chunk has been verified.
    ///
    /// - Throws: `truncated`, `badMagic`, `unsupportedVersion`, `malformed`, `unknownEpoch`, `fileKeyMismatch`,
    ///   `authFailed`, `trailingData`, `locked`, `io`.
    @discardableResult
    public func decryptFile(
        at source: String, to destination: String, context: [UInt8] = [],
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: try fileKeys, context: context, progress: progress).run(source, to: destination)
    }

    /// Verifies a whole file and writes nothing.
    ///
    /// - Returns: bytes of plaintext.
    @discardableResult
    public func checkFile(
        at source: String, context: [UInt8] = [], progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: try fileKeys, context: context, progress: progress).check(source)
    }

    /// Reads any part of a file.
    public func fileReader(at path: String, context: [UInt8] = []) throws(MainKeyError) -> EncryptedFileReader {
        try EncryptedFileReader(path: path, context: context, keys: try fileKeys)
    }

    /// Writes a file anew in the active epoch. Its cleartext is in memory only, a chunk at a time.
    func resealFile(at path: String, context: [UInt8]) throws(MainKeyError) {
        try FileReencryption(keys: try fileKeys, context: context).run(path)
    }

    var fileKeys: FileKeySource {
        get throws(MainKeyError) { try FileKeySource(keys) }
    }

    /// The epoch that a file was written in, from its header.
    static func epoch(ofFileAt path: String) throws(MainKeyError) -> UInt32 {
        try EncryptedFileHeader(reading: try OpenFile(reading: path)).epoch
    }
}
