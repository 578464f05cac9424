import Files
import SecretMemory

/// Encrypts a stream into the format `MKF1`.
struct FileEncryption {
    let keys: FileKeySource
    /// What the file is bound to: it opens with the same bytes only.
    let context: [UInt8]
    var chunkLog2 = EncryptedFileHeader.standardChunkLog2
    /// Called with the plaintext bytes done so far.
    var progress: (UInt64) -> Void = { _ in }

    /// Encrypts from the source's position to its end. The sink gets a header and ciphertext from its position on.
    ///
    /// - Returns: plaintext bytes.
    /// - Throws: ``MainKeyError/configError(reason:)`` for a chunk size that is not allowed; ``MainKeyError/locked`` if
    ///   the vault was locked meanwhile, ``MainKeyError/unknownEpoch(_:)`` if a rotation dropped the epoch;
    ///   ``MainKeyError/io(path:reason:)``. What the sink holds then is not to be used.
    @discardableResult
    func run(from source: OpenFile, to sink: OpenFile) throws(MainKeyError) -> UInt64 {
        try write(from: source, to: sink).byteCount
    }

    /// The same, with the header that was written.
    func write(
        from source: OpenFile, to sink: OpenFile
    ) throws(MainKeyError) -> (byteCount: UInt64, header: EncryptedFileHeader) {
        guard EncryptedFileHeader.chunkLog2Allowed.contains(chunkLog2) else {
            throw .configError(reason: "chunks have 2^\(EncryptedFileHeader.chunkLog2Allowed) bytes")
        }
        let reader = PieceReader(source, unit: 1 << chunkLog2, length: try source.remainingByteCount())
        let writer = try EncryptedFileWriter(
            to: sink, context: context, keys: keys, chunkLog2: chunkLog2, chunksPerPiece: reader.unitsPerPiece)
        var done: UInt64 = 0
        repeat {
            try keys.check(keys.activeEpoch)
            let piece = try reader.next()
            try writer.append(piece, isLast: reader.isAtEnd)
            done += UInt64(piece.count)
            progress(done)
        } while !reader.isAtEnd
        // What a rotation left behind meanwhile would never open.
        try keys.check(keys.activeEpoch)
        return (done, writer.header)
    }
}
