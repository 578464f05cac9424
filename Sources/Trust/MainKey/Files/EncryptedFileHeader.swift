import SecretMemory

/// The first 80 bytes of an encrypted file (`MKF1`).
///
///     "MKF1" · version 1 · algorithm 1 · chunkLog2 · 0 · epoch u32 · 0[4] · salt[32] · commitment[32]
///
/// Source: `mainkey` section 10.
package struct EncryptedFileHeader: Equatable, Sendable {
    /// The epoch whose file subkey the file's key is made from.
    package var epoch: UInt32
    /// The binary logarithm of the plaintext bytes in a chunk.
    package var chunkLog2: Int
    /// The salt, 32 bytes, random for each file.
    var salt: [UInt8]
    /// 32 bytes that tell whether a key is the file's, before anything is decrypted.
    var commitment: [UInt8]

    static let byteCount = 80
    static let chunkLog2Allowed = 12...20
    static let standardChunkLog2 = 16
    static let saltByteCount = 32

    private static let magic = Array("MKF1".utf8)
    private static let version: UInt8 = 1
    private static let algorithm: UInt8 = 1

    var chunkByteCount: Int { 1 << chunkLog2 }

    /// The bytes before the salt, to which the file's key is bound.
    var settings: [UInt8] {
        Self.magic + [Self.version, Self.algorithm, UInt8(chunkLog2), 0]
            + withUnsafeBytes(of: epoch.bigEndian) { Array($0) } + [0, 0, 0, 0]
    }

    var encoded: [UInt8] { settings + salt + commitment }

    /// What tells this writing of a file from every other: the salt is the file's own, and the commitment its key's.
    var digest: [UInt8] { encoded.withUnsafeBytes { sha256($0) } }

    /// - Parameter digest: of the header that a file was last written with; nil where any will do.
    /// - Throws: ``MainKeyError/rolledBack(reason:)`` for another one.
    func check(is digest: [UInt8]?) throws(MainKeyError) {
        guard digest == nil || digest == self.digest else {
            throw .rolledBack(reason: "the file was replaced while it was read; try again")
        }
    }

    /// The header of a new file, whose commitment is not known yet.
    init(epoch: UInt32, chunkLog2: Int) {
        self.epoch = epoch
        self.chunkLog2 = chunkLog2
        salt = KernelRandom.bytes(Self.saltByteCount)
        commitment = []
    }

    /// - Parameter bytes: the beginning of the file, 80 bytes if it is that long.
    /// - Throws: ``MainKeyError/truncated(_:)``, ``MainKeyError/badMagic(_:)``,
    ///   ``MainKeyError/unsupportedVersion(_:found:)``, ``MainKeyError/malformed(_:reason:)``.
    package init(parsing bytes: [UInt8]) throws(MainKeyError) {
        guard bytes.count >= Self.magic.count else { throw .truncated(.file) }
        guard bytes.starts(with: Self.magic) else { throw .badMagic(.file) }
        guard bytes.count >= Self.byteCount else { throw .truncated(.file) }
        for (byte, known) in zip(bytes[4...], [Self.version, Self.algorithm]) where byte != known {
            throw .unsupportedVersion(.file, found: Int(byte))
        }
        guard Self.chunkLog2Allowed.contains(Int(bytes[6])) else {
            throw .malformed(.file, reason: "chunks of 2^\(bytes[6]) bytes are not allowed")
        }
        guard bytes[7] == 0, bytes[12..<16].allSatisfy({ $0 == 0 }) else {
            throw .malformed(.file, reason: "reserved bytes of the header are not zero")
        }
        chunkLog2 = Int(bytes[6])
        epoch = bytes[8..<12].reduce(0) { $0 << 8 | UInt32($1) }
        salt = Array(bytes[16..<48])
        commitment = Array(bytes[48..<80])
    }
}
