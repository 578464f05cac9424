import Files
import SecretMemory

/// Reads any part of an encrypted file, decrypting only the chunks that it lies in.
///
/// The last chunk is verified when the file is opened, so that the size is authentic from then on; each other one when
/// it is read. When the vault locks, or a rotation drops the epoch of the file, the file's key and the plaintext here
/// go too: such a file was written anew, and is opened again. One thread at a time.
///
///     let reader = try vault.fileReader(at: path, context: context)
///     let bytes = try reader.read(at: 1 << 20, count: 4096)
public final class EncryptedFileReader {
    /// The plaintext bytes of the file.
    public var byteCount: Int { layout.plaintextByteCount }
    /// The epoch that the file was written in.
    package var epoch: UInt32 { header.epoch }

    let header: EncryptedFileHeader
    private let source: OpenFile
    private let keys: FileKeySource
    private let layout: EncryptedFileLayout
    private let memory: ReaderMemory

    /// - Throws: what ``EncryptedFileHeader``, ``ChunkCipher`` and ``EncryptedFileLayout`` refuse;
    ///   ``MainKeyError/notFound(_:)``, ``MainKeyError/io(path:reason:)``.
    package convenience init(path: String, context: [UInt8], keys: FileKeySource) throws(MainKeyError) {
        try self.init(FreshFile(source: try OpenFile(reading: path)), context: context, keys: keys)
    }

    init(_ file: FreshFile, context: [UInt8], keys: FileKeySource) throws(MainKeyError) {
        source = file.source
        guard let length = try source.remainingByteCount() else {
            throw .io(path: source.path.string, reason: "it is no regular file, so it cannot be read in parts")
        }
        header = try EncryptedFileHeader(reading: source)
        try header.check(is: file.digest)
        self.keys = keys
        let cipher = try ChunkCipher(header, context: context, keys: keys)
        layout = try EncryptedFileLayout(
            bodyByteCount: length - EncryptedFileHeader.byteCount, chunkByteCount: header.chunkByteCount)
        // A small file is one chunk, and needs no more memory than it has bytes.
        memory = ReaderMemory(
            cipher, layout, chunkByteCount: min(header.chunkByteCount, layout.plaintextByteCount))
        try keys.onRevocation(memory, header.epoch)
        try memory.hold(layout.chunkCount - 1, of: source)
    }

    /// Reads into a buffer.
    ///
    /// - Parameter offset: in the plaintext, not negative.
    /// - Returns: bytes read: fewer than the buffer has only where the file ends, none behind its end.
    /// - Throws: ``MainKeyError/locked``, ``MainKeyError/unknownEpoch(_:)``; ``MainKeyError/authFailed(_:chunk:)``,
    ///   ``MainKeyError/trailingData(chunk:)``; ``MainKeyError/truncated(_:)`` if the file was cut off meanwhile;
    ///   ``MainKeyError/io(path:reason:)``. The buffer holds verified plaintext or zeros then.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MainKeyError) -> Int {
        precondition(offset >= 0, "an offset is not negative")
        try keys.check(epoch)
        var position = offset
        let end = offset + min(byteCount - min(offset, byteCount), buffer.count)
        while position < end {
            let (chunk, start) = position.quotientAndRemainder(dividingBy: layout.chunkByteCount)
            let count = min(end - position, layout.byteCount(ofChunk: chunk) - start)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[position - offset..<position - offset + count])
            try keys.check(epoch)
            try memory.copy(chunk, from: start, of: source, into: target)
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
}
