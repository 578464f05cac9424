import CSodium
import SecretMemory
import Synchronization

/// Seals and opens the chunks of one file, under the file's own key and by their numbers.
///
/// The scheme is STREAM: the nonce is the chunk's number and whether it is the last, so that chunks can be neither
/// moved nor left out at the end. When the vault locks, or a rotation drops the epoch of the file, the file's key is
/// zeroised as soon as the chunk that is in work is done, also where the thread that uses it waits for its next bytes.
/// Source: `mainkey` section 10.
// @unchecked: what changes is used under the lock only.
final class ChunkCipher: Revocable, @unchecked Sendable {
    private let lock = Mutex(())
    /// Nil when it was revoked.
    private var cipher: LibcryptoAESGCM?
    /// Why it was.
    private var ending = MainKeyError.locked
    private var nonce = [UInt8](repeating: 0, count: AEAD.nonceByteCount)

    private static let contextByteCountMost = 65535

    /// Makes the cipher of a new file: completes the header with what commits to the key.
    ///
    /// - Parameter context: what the file is bound to, for example its name; at most 65535 bytes.
    /// - Throws: ``MainKeyError/limitExceeded(reason:)`` for a longer one; ``MainKeyError/locked``.
    init(
        completing header: inout EncryptedFileHeader, context: [UInt8], keys: FileKeySource
    ) throws(MainKeyError) {
        let root = try Self.root(header, keys: keys)
        let info = try Self.info(header, context: context)
        header.commitment = try HMACSHA256.expand(root, .fileCommitment, context: info).withUnsafeBytes { Array($0) }
        cipher = try LibcryptoAESGCM(key: HMACSHA256.expand(root, .fileKey, context: info))
        try keys.onRevocation(self, header.epoch)
    }

    /// Makes the cipher of a file that is there.
    ///
    /// - Throws: ``MainKeyError/unknownEpoch(_:)``; ``MainKeyError/fileKeyMismatch`` if the key is not the one that the
    ///   file was written with.
    init(_ header: EncryptedFileHeader, context: [UInt8], keys: FileKeySource) throws(MainKeyError) {
        let root = try Self.root(header, keys: keys)
        let info = try Self.info(header, context: context)
        let commitment = try HMACSHA256.expand(root, .fileCommitment, context: info)
        let isSame = commitment.withUnsafeBytes {
            sodium_memcmp($0.asBytes, header.commitment, header.commitment.count) == 0
        }
        guard isSame else { throw .fileKeyMismatch }
        cipher = try LibcryptoAESGCM(key: HMACSHA256.expand(root, .fileKey, context: info))
        try keys.onRevocation(self, header.epoch)
    }

    func revoke(_ ending: MainKeyError) {
        lock.withLock { _ in
            if cipher != nil { self.ending = ending }
            cipher = nil
        }
    }

    /// A file's own key, for the self-test that looks for copies of it.
    static func key(
        of header: EncryptedFileHeader, context: [UInt8], keys: FileKeySource
    ) throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.expand(root(header, keys: keys), .fileKey, context: info(header, context: context))
    }

    private static func root(_ header: EncryptedFileHeader, keys: FileKeySource) throws(MainKeyError) -> SecretBytes {
        try keys.check(header.epoch)
        return try HMACSHA256.extract(salt: header.salt, try keys.subkey(header.epoch))
    }

    private static func info(_ header: EncryptedFileHeader, context: [UInt8]) throws(MainKeyError) -> [UInt8] {
        guard context.count <= contextByteCountMost else {
            throw .limitExceeded(reason: "the context of a file has \(contextByteCountMost) bytes at the most")
        }
        return header.settings + [UInt8(context.count >> 8), UInt8(truncatingIfNeeded: context.count)] + context
    }

    /// - Parameter sealed: 16 bytes more than `plaintext`.
    /// - Throws: what the cipher was revoked with: ``MainKeyError/locked``, ``MainKeyError/unknownEpoch(_:)``.
    func seal(
        _ plaintext: UnsafeRawBufferPointer, chunk: Int, isLast: Bool, into sealed: UnsafeMutableRawBufferPointer
    ) throws(MainKeyError) {
        try using { cipher in
            setNonce(chunk: chunk, isLast: isLast)
            cipher.seal(plaintext, nonce: nonce, into: sealed)
        }
    }

    /// Writes the plaintext of a chunk if its tag verifies, else zeros.
    ///
    /// - Parameters:
    ///   - isLast: whether the file ends behind this chunk.
    ///   - plaintext: 16 bytes fewer than `sealed`.
    /// - Throws: ``MainKeyError/truncated(_:)`` if it is authentic, but was not the last when it was written;
    ///   ``MainKeyError/trailingData(chunk:)`` if it was the last and is not; else
    ///   ``MainKeyError/authFailed(_:chunk:)``; what the cipher was revoked with.
    func open(
        _ sealed: UnsafeRawBufferPointer, chunk: Int, isLast: Bool, into plaintext: UnsafeMutableRawBufferPointer
    ) throws(MainKeyError) {
        try using { (cipher) throws(MainKeyError) in
            setNonce(chunk: chunk, isLast: isLast)
            if cipher.open(sealed, nonce: nonce, into: plaintext) { return }
            setNonce(chunk: chunk, isLast: !isLast)
            guard cipher.open(sealed, nonce: nonce, into: plaintext) else {
                throw .authFailed(.file, chunk: chunk)
            }
            sodium_memzero(plaintext.asBytes, plaintext.count)
            throw isLast ? .truncated(.file) : .trailingData(chunk: chunk)
        }
    }

    private func using(_ body: (LibcryptoAESGCM) throws(MainKeyError) -> Void) throws(MainKeyError) {
        let failure = lock.withLock { _ -> MainKeyError? in
            guard let cipher else { return ending }
            do throws(MainKeyError) { try body(cipher) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// The number in 11 bytes, most significant first, and one byte that marks the last chunk.
    private func setNonce(chunk: Int, isLast: Bool) {
        var number = UInt64(chunk)
        for index in (3..<11).reversed() {
            nonce[index] = UInt8(truncatingIfNeeded: number)
            number >>= 8
        }
        nonce[11] = isLast ? 1 : 0
    }
}
