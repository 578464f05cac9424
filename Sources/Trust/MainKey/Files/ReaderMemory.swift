import Files
import SecretMemory
import Synchronization

/// What a reader of an encrypted file has in memory: the cipher with the file's key, and the plaintext of one chunk.
/// Both are zeroised when the chunk that is being opened is done.
// @unchecked: what changes, and what the cipher and the buffers point to, is used under the lock only.
final class ReaderMemory: Revocable, @unchecked Sendable {
    private struct Contents {
        let cipher: ChunkCipher
        /// A chunk as it lies in the file.
        let sealed: PieceBuffer
        /// The plaintext of the chunk ``held``.
        let plaintext: PieceBuffer
        var held: Int?
    }

    private let layout: EncryptedFileLayout
    private let lock = Mutex(())
    /// The cipher and the plaintext; nil when they were revoked.
    private var contents: Contents?
    /// Why it was.
    private var ending = MainKeyError.locked

    /// - Parameter chunkByteCount: plaintext bytes of the longest chunk of this file.
    init(_ cipher: ChunkCipher, _ layout: EncryptedFileLayout, chunkByteCount: Int) {
        self.layout = layout
        contents = Contents(
            cipher: cipher, sealed: PieceBuffer(count: chunkByteCount + AEAD.tagByteCount),
            plaintext: PieceBuffer(count: chunkByteCount))
    }

    func revoke(_ ending: MainKeyError) {
        lock.withLock { _ in
            if contents != nil { self.ending = ending }
            contents = nil
        }
    }

    /// Verifies a chunk and keeps its plaintext.
    func hold(_ chunk: Int, of source: OpenFile) throws(MainKeyError) {
        try using { (contents) throws(MainKeyError) in try hold(chunk, of: source, &contents) }
    }

    /// Fills a buffer from a chunk.
    ///
    /// - Parameter start: in the plaintext of the chunk.
    func copy(
        _ chunk: Int, from start: Int, of source: OpenFile, into target: UnsafeMutableRawBufferPointer
    ) throws(MainKeyError) {
        try using { (contents) throws(MainKeyError) in
            if target.count == layout.byteCount(ofChunk: chunk) && contents.held != chunk {
                try open(chunk, of: source, contents, into: target)
            } else {
                try hold(chunk, of: source, &contents)
                target.copyMemory(from: UnsafeRawBufferPointer(contents.plaintext[start..<start + target.count]))
            }
        }
    }

    private func hold(_ chunk: Int, of source: OpenFile, _ contents: inout Contents) throws(MainKeyError) {
        guard contents.held != chunk else { return }
        contents.held = nil
        try open(chunk, of: source, contents, into: contents.plaintext[0..<layout.byteCount(ofChunk: chunk)])
        contents.held = chunk
    }

    private func open(
        _ chunk: Int, of source: OpenFile, _ contents: Contents, into target: UnsafeMutableRawBufferPointer
    ) throws(MainKeyError) {
        let bytes = contents.sealed[0..<target.count + AEAD.tagByteCount]
        let count = try onDisk(try source.read(at: Int64(layout.offset(ofChunk: chunk)), into: bytes))
        guard count == bytes.count else { throw .truncated(.file) }
        try contents.cipher.open(
            UnsafeRawBufferPointer(bytes), chunk: chunk, isLast: layout.isLast(chunk), into: target)
    }

    private func using(_ body: (inout Contents) throws(MainKeyError) -> Void) throws(MainKeyError) {
        let failure = lock.withLock { _ -> MainKeyError? in
            guard contents != nil else { return ending }
            do throws(MainKeyError) { try body(&contents!) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}
