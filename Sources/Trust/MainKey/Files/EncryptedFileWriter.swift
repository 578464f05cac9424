import Files
import SecretMemory

/// Writes an encrypted file piece by piece under a fresh key.
final class EncryptedFileWriter {
    /// The header of the file, which is written.
    let header: EncryptedFileHeader
    private let cipher: ChunkCipher
    private let chunkByteCount: Int
    private let sink: OpenFile
    /// A sealed piece; the header first.
    private let sealed: PieceBuffer
    private var chunk = 0

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - chunksPerPiece: in the largest piece that is appended.
    ///   - chunkLog2: within ``EncryptedFileHeader/chunkLog2Allowed``.
    ///   - sink: gets the file from its position on. It is incomplete, and does not open, before the last piece is
    ///     appended.
    /// - Throws: ``MainKeyError/limitExceeded(reason:)`` for too long a context; ``MainKeyError/io(path:reason:)``.
    init(
        to sink: OpenFile, context: [UInt8], keys: FileKeySource, chunkLog2: Int, chunksPerPiece: Int
    ) throws(MainKeyError) {
        precondition(EncryptedFileHeader.chunkLog2Allowed.contains(chunkLog2), "readers take chunks of this size")
        var header = EncryptedFileHeader(epoch: keys.activeEpoch, chunkLog2: chunkLog2)
        cipher = try ChunkCipher(completing: &header, context: context, keys: keys)
        chunkByteCount = header.chunkByteCount
        self.header = header
        self.sink = sink
        sealed = PieceBuffer(count: chunksPerPiece * (header.chunkByteCount + AEAD.tagByteCount))
        let beginning = sealed[0..<EncryptedFileHeader.byteCount]
        beginning.copyBytes(from: header.encoded)
        try onDisk(try sink.write(UnsafeRawBufferPointer(beginning)))
    }

    /// - Parameters:
    ///   - piece: whole chunks, but for the last piece; that may be empty only if it is the first as well.
    ///   - isLast: whether the file ends behind it.
    /// - Throws: ``MainKeyError/locked``, ``MainKeyError/unknownEpoch(_:)``; ``MainKeyError/limitExceeded(reason:)``;
    ///   ``MainKeyError/io(path:reason:)``.
    func append(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws(MainKeyError) {
        var position = 0
        var written = 0
        repeat {
            guard chunk < EncryptedFileLayout.chunkCountMost else {
                throw .limitExceeded(reason: "the file is too large for chunks of \(chunkByteCount) bytes")
            }
            let end = min(position + chunkByteCount, piece.count)
            let sealedEnd = written + end - position + AEAD.tagByteCount
            try cipher.seal(
                UnsafeRawBufferPointer(rebasing: piece[position..<end]), chunk: chunk,
                isLast: isLast && end == piece.count, into: sealed[written..<sealedEnd])
            position = end
            written = sealedEnd
            chunk += 1
        } while position < piece.count
        try onDisk(try sink.write(UnsafeRawBufferPointer(sealed[0..<written])))
    }
}
