import SecretMemory

/// Writes an encrypted file anew, in the active epoch and with a fresh salt. A chunk at a time is in the clear, in
/// memory only.
struct FileReencryption {
    let keys: FileKeySource
    let context: [UInt8]

    /// Writes all of a file anew. It replaces the old one, and no other, when it takes its place.
    func prepare(_ file: FreshFile, at path: String) throws(MainKeyError) -> WaitingFile {
        let reader = try EncryptedFileReader(file, context: context, keys: keys)
        let chunkByteCount = reader.header.chunkByteCount
        let plaintext = PieceBuffer(count: min(chunkByteCount, reader.byteCount))
        let (output, header) = try SealedOutput.prepare(path) { (output) throws(MainKeyError) in
            let writer = try EncryptedFileWriter(
                to: output, context: context, keys: keys, chunkLog2: reader.header.chunkLog2, chunksPerPiece: 1)
            var position = 0
            repeat {
                let piece = plaintext[0..<min(chunkByteCount, reader.byteCount - position)]
                position += try reader.read(at: position, into: piece)
                try writer.append(UnsafeRawBufferPointer(piece), isLast: position == reader.byteCount)
            } while position < reader.byteCount
            return writer.header
        }
        return WaitingFile(output, header, replacing: reader.header.digest)
    }
}
