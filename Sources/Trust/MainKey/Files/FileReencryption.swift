import SecretMemory

/// Writes an encrypted file anew, in the active epoch and with a fresh salt. A chunk at a time is in the clear, in memory only.
struct FileReencryption {
    let keys: FileKeySource
    let context: [UInt8]

    /// Replaces the file when the last chunk has been verified and written.
    func run(_ path: String) throws(MainKeyError) {
        let reader = try EncryptedFileReader(path: path, context: context, keys: keys)
        var header = EncryptedFileHeader(epoch: keys.activeEpoch, chunkLog2: reader.chunkLog2)
        let cipher = try ChunkCipher(completing: &header, context: context, keys: keys)
        let size = header.chunkByteCount
        let most = min(size, reader.byteCount)
        let plaintext = PieceBuffer(count: most)
        let sealed = PieceBuffer(count: most + AEAD.tagByteCount)
        try AtomicOutput.write(path) { (output) throws(MainKeyError) in
            try header.encoded.withUnsafeBufferPointer { (bytes) throws(MainKeyError) in
                try output.write(UnsafeRawBufferPointer(bytes))
            }
            var position = 0
            var chunk = 0
            repeat {
                let count = min(size, reader.byteCount - position)
                _ = try reader.read(at: position, into: plaintext[0..<count])
                position += count
                let bytes = sealed[0..<count + AEAD.tagByteCount]
                cipher.seal(
                    UnsafeRawBufferPointer(plaintext[0..<count]), chunk: chunk, isLast: position == reader.byteCount,
                    into: bytes)
                try output.write(UnsafeRawBufferPointer(bytes))
                chunk += 1
            } while position < reader.byteCount
        }
    }
}
