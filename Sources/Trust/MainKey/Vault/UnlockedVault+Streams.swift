import Files

/// The same for what is no file: pipes, sockets, and descriptors without a name.
extension UnlockedVault {
    /// Encrypts from one descriptor's position to its end into another.
    ///
    /// - Returns: bytes of plaintext.
    /// - Throws: `locked`, `configError`, `io`; what was written so far does not open.
    @discardableResult
    public func encrypt(
        from source: Int32, to sink: Int32, context: [UInt8] = [], chunkLog2: Int = 16,
        progress: @escaping (UInt64) -> Void = { _ in }
    ) throws(MainKeyError) -> UInt64 {
        try FileEncryption(keys: try fileKeys, context: context, chunkLog2: chunkLog2, progress: progress)
            .run(from: OpenFile(borrowing: source, named: "input"), to: OpenFile(borrowing: sink, named: "output"))
    }

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
