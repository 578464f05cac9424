import Files

/// The same for what is no file: pipes, sockets, and descriptors without a name.
extension UnlockedVault {
    /// Encrypts from one descriptor's position to its end into another.
    ///
    /// - Returns: bytes of plaintext.
    /// - Throws: `locked`, `configError`, `io`; what was written so far does not open. `unknownEpoch` if a rotation
    ///   begins or ends meanwhile, in any process, `busy`: what was written may open no more soon.
    @discardableResult
    public func encrypt(
        from source: Int32, to sink: Int32, context: [UInt8] = [], chunkLog2: Int = 16,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        let encryption = FileEncryption(
            keys: try currentFileKeys, context: context, chunkLog2: chunkLog2, progress: progress)
        let byteCount = try encryption.run(
            from: OpenFile(borrowing: source, named: "input"), to: OpenFile(borrowing: sink, named: "output"))
        try checkIsActive(encryption.keys.activeEpoch)
        return byteCount
    }

    /// The epoch that the vault on the disk writes in, which a rotation in another process may have begun.
    package var currentEpoch: UInt32 {
        get throws(MainKeyError) {
            files?.diskChanges.refresh()
            return try activeEpoch
        }
    }

    /// Refuses what was made in an epoch and leaves the vault, so that a rotation does not find it.
    ///
    /// - Throws: `unknownEpoch` if a rotation has begun since.
    package func checkIsActive(_ epoch: UInt32) throws(MainKeyError) { try files?.checkIsActive(epoch) }

    /// Decrypts from one descriptor's position to its end into another. Each chunk is verified before it is written;
    /// that nothing is missing is certain only when this returns.
    @discardableResult
    public func decrypt(
        from source: Int32, to sink: Int32, context: [UInt8] = [], progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileDecryption(keys: try fileKeys, context: context, progress: progress)
            .run(from: OpenFile(borrowing: source, named: "input"), to: OpenFile(borrowing: sink, named: "output"))
    }
}
