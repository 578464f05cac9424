extension EpochKeys {
    /// The keys as files need them. Locking ends what uses them.
    func forFiles() throws(MainKeyError) -> FileKeySource {
        FileKeySource(
            activeEpoch: try active,
            subkey: { (epoch) throws(MainKeyError) in try self.fileKey(epoch: epoch) },
            isRevoked: { self.isDestroyed })
    }
}

extension UnlockedVault {
    /// Encrypts a file into another, which appears when it is complete and then survives a loss of power.
    ///
    /// - Parameters:
    ///   - context: what the file is bound to, for example its name; it opens with the same bytes only.
    ///   - chunkLog2: 12 to 20: how many bytes are decrypted at least to read one.
    ///   - progress: called with the plaintext bytes done so far.
    /// - Returns: plaintext bytes.
    /// - Throws: `notFound`, `io`, `configError`, `limitExceeded`; `locked` if the vault was locked meanwhile.
    @discardableResult
    public func encryptFile(
        _ source: String, to destination: String, context: [UInt8] = [], chunkLog2: Int = 16,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileEncryption(keys: keys.forFiles(), context: context, chunkLog2: chunkLog2, progress: progress)
            .run(source, to: destination)
    }

    /// The same between open descriptors, from their positions on. What was written is of no use if this throws.
    @discardableResult
    public func encrypt(
        from source: CInt, to sink: CInt, context: [UInt8] = [], chunkLog2: Int = 16
    ) throws(MainKeyError) -> UInt64 {
        try FileEncryption(keys: keys.forFiles(), context: context, chunkLog2: chunkLog2)
            .run(from: OpenFile(stream: source), to: OpenFile(stream: sink))
    }

    /// Decrypts a file into another, which appears when all of it has been verified.
    ///
    /// - Returns: plaintext bytes.
    /// - Throws: `notFound`, `io`; `badMagic`, `unsupportedVersion`, `malformed`, `unknownEpoch`, `fileKeyMismatch`,
    ///   `truncated`, `trailingData`, `authFailed`; `locked` if the vault was locked meanwhile.
    @discardableResult
    public func decryptFile(
        _ source: String, to destination: String, context: [UInt8] = [],
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: keys.forFiles(), context: context, progress: progress).run(source, to: destination)
    }

    /// The same between open descriptors. Each chunk is verified before it is written, but only when this returns is it
    /// certain that nothing is missing.
    @discardableResult
    public func decrypt(from source: CInt, to sink: CInt, context: [UInt8] = []) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: keys.forFiles(), context: context)
            .run(from: OpenFile(stream: source), to: OpenFile(stream: sink))
    }

    /// Verifies a whole file.
    ///
    /// - Returns: plaintext bytes.
    @discardableResult
    public func checkFile(
        _ path: String, context: [UInt8] = [], progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: keys.forFiles(), context: context, progress: progress).check(path)
    }

    /// Lends a file to read any part of it; the file is closed when `body` returns.
    public func withFile<R>(
        _ path: String, context: [UInt8] = [], _ body: (EncryptedFileReader) throws -> R
    ) throws -> R {
        let reader = try EncryptedFileReader(path: path, context: context, keys: keys.forFiles())
        defer { reader.close() }
        return try body(reader)
    }

    /// Replaces a file by one of the same content under the active epoch's key. The plaintext is in memory only.
    @discardableResult
    public func renewFile(_ path: String, context: [UInt8] = []) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: keys.forFiles(), context: context).renew(path)
    }

    /// The epoch that a file was written in, without opening it.
    public static func epoch(ofFile path: String) throws(MainKeyError) -> UInt32 {
        try EncryptedFileHeader(reading: OpenFile(reading: path)).epoch
    }
}

extension OpenFile {
    fileprivate convenience init(stream descriptor: CInt) {
        self.init(descriptor: descriptor, path: "descriptor \(descriptor)")
    }
}
