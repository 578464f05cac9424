import SecretMemory

/// Reads any part of an encrypted file, decrypting only the chunks that it lies in.
///
/// The last chunk is verified when the file is opened, so that the size is authentic from then on; each other one when it is
/// read. One thread at a time.
///
///     let reader = try vault.fileReader(at: path, context: context)
///     let bytes = try reader.read(at: 1 << 20, count: 4096)
public final class EncryptedFileReader {
    /// Plaintext bytes of the file.
    public var byteCount: Int { layout.plaintextByteCount }
    /// The epoch that the file was written in.
    public let epoch: UInt32
    /// Of its chunks.
    let chunkLog2: Int

    private let source: OpenFile
    private let keys: FileKeySource
    private let cipher: ChunkCipher
    private let layout: EncryptedFileLayout
    /// A chunk as it lies in the file.
    private let sealed: PieceBuffer
    /// The plaintext of the chunk ``held``.
    private let plaintext: PieceBuffer
    private var held: Int?

    /// - Throws: what ``EncryptedFileHeader``, ``ChunkCipher`` and ``EncryptedFileLayout`` refuse;
    ///   ``MainKeyError/notFound(_:)``, ``MainKeyError/io(path:reason:)``.
    package init(path: String, context: [UInt8], keys: FileKeySource) throws(MainKeyError) {
        source = try OpenFile(reading: path)
        guard let length = try source.remainingByteCount() else {
            throw .io(path: path, reason: "it is no regular file, so it cannot be read in parts")
        }
        let header = try EncryptedFileHeader(reading: source)
        self.keys = keys
        epoch = header.epoch
        chunkLog2 = header.chunkLog2
        cipher = try ChunkCipher(header, context: context, keys: keys)
        layout = try EncryptedFileLayout(
            bodyByteCount: length - EncryptedFileHeader.byteCount, chunkByteCount: header.chunkByteCount)
        // A small file is one chunk, and needs no more memory than it has bytes.
        let most = min(header.chunkByteCount, layout.plaintextByteCount)
        sealed = PieceBuffer(count: most + AEAD.tagByteCount)
        plaintext = PieceBuffer(count: most)
        try hold(layout.chunkCount - 1)
    }

    /// Reads into a buffer.
    ///
    /// - Parameter offset: in the plaintext, not negative.
    /// - Returns: bytes read: fewer than the buffer has only where the file ends, none behind its end.
    /// - Throws: ``MainKeyError/locked``; ``MainKeyError/authFailed(_:chunk:)``, ``MainKeyError/trailingData(chunk:)``;
    ///   ``MainKeyError/truncated(_:)`` if the file was cut off meanwhile; ``MainKeyError/io(path:reason:)``. The buffer
    ///   holds verified plaintext or zeros then.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MainKeyError) -> Int {
        precondition(offset >= 0, "an offset is not negative")
        try keys.checkNotRevoked()
        var position = offset
        let end = offset + min(byteCount - min(offset, byteCount), buffer.count)
        while position < end {
            let (chunk, start) = position.quotientAndRemainder(dividingBy: layout.chunkByteCount)
            let available = layout.byteCount(ofChunk: chunk)
            let count = min(end - position, available - start)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[position - offset..<position - offset + count])
            if count == available && held != chunk {
                try keys.checkNotRevoked()
                try open(chunk, into: target)
            } else {
                try hold(chunk)
                target.copyMemory(from: UnsafeRawBufferPointer(plaintext[start..<start + count]))
            }
            position += count
        }
        return end - offset
    }

    /// The same into an array, for content that the caller keeps as such.
    public func read(at offset: Int, count: Int) throws(MainKeyError) -> [UInt8] {
        var failure: MainKeyError?
        let available = max(0, min(count, byteCount - min(offset, byteCount)))
        let bytes = [UInt8](unsafeUninitializedCapacity: available) { buffer, initialised in
            do throws(MainKeyError) {
                initialised = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Makes sure that ``plaintext`` is that of a chunk.
    private func hold(_ chunk: Int) throws(MainKeyError) {
        guard held != chunk else { return }
        try keys.checkNotRevoked()
        held = nil
        try open(chunk, into: plaintext[0..<layout.byteCount(ofChunk: chunk)])
        held = chunk
    }

    private func open(_ chunk: Int, into target: UnsafeMutableRawBufferPointer) throws(MainKeyError) {
        let bytes = sealed[0..<target.count + AEAD.tagByteCount]
        let count = try source.read(at: layout.offset(ofChunk: chunk), into: bytes)
        guard count == bytes.count else { throw .truncated(.file) }
        try cipher.open(
            UnsafeRawBufferPointer(bytes), chunk: chunk, isLast: layout.isLast(chunk), into: target)
    }
}
