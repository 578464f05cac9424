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
    /// - Throws: ``MainKeyError/configError(reason:)`` for a chunk size that is not allowed; ``MainKeyError/locked`` if the
    ///   vault was locked meanwhile; ``MainKeyError/io(path:reason:)``. The sink holds an incomplete file then, which does
    ///   not open.
    @discardableResult
    func run(from source: OpenFile, to sink: OpenFile) throws(MainKeyError) -> UInt64 {
        guard EncryptedFileHeader.chunkLog2Allowed.contains(chunkLog2) else {
            throw .configError(reason: "chunks have 2^\(EncryptedFileHeader.chunkLog2Allowed) bytes")
        }
        var header = EncryptedFileHeader(epoch: keys.activeEpoch, chunkLog2: chunkLog2)
        let cipher = try ChunkCipher(completing: &header, context: context, keys: keys)
        let reader = PieceReader(source, unit: header.chunkByteCount, length: try source.remainingByteCount())
        let output = PieceBuffer(count: reader.unitsPerPiece * (header.chunkByteCount + AEAD.tagByteCount))
        output[0..<EncryptedFileHeader.byteCount].copyBytes(from: header.encoded)
        try sink.write(UnsafeRawBufferPointer(output[0..<EncryptedFileHeader.byteCount]))
        var chunk = 0
        var done: UInt64 = 0
        repeat {
            try keys.checkNotRevoked()
            let piece = try reader.next()
            var position = 0
            var sealed = 0
            repeat {
                guard chunk < EncryptedFileLayout.chunkCountMost else {
                    throw .limitExceeded(reason: "the file is too large for chunks of 2^\(chunkLog2) bytes")
                }
                let end = min(position + header.chunkByteCount, piece.count)
                let sealedEnd = sealed + end - position + AEAD.tagByteCount
                cipher.seal(
                    UnsafeRawBufferPointer(rebasing: piece[position..<end]), chunk: chunk,
                    isLast: reader.isAtEnd && end == piece.count, into: output[sealed..<sealedEnd])
                position = end
                sealed = sealedEnd
                chunk += 1
            } while position < piece.count
            try sink.write(UnsafeRawBufferPointer(output[0..<sealed]))
            done += UInt64(piece.count)
            progress(done)
        } while !reader.isAtEnd
        return done
    }
}
