import MainKey
import SCALE
import SecretMemory
import Substrate

/// The states that the files of a vault may be in, sealed under its key beside them: a file that was put back is in
/// another.
///
/// Before a file is written, the state that it will get is noted; then the file is replaced in one step; then that
/// state alone is noted. A program that is killed before the replacement leaves the old state, one that is killed after
/// it the new one; until the last note both are accepted, and no other state ever is. The note is an item, which is not
/// put back without the key file. One thing is not noticed: all of it put back together, the files and the folder of
/// the key.
struct KnownFiles: Equatable {
    /// The file of seeds, and the names in it, which can be told without opening a seed.
    struct SeedFile: Equatable {
        /// BLAKE2b-256 of the file.
        var digest: [UInt8]
        /// The names in byte order.
        var names: [String]
    }

    /// Digests of the inventory: the one that is there and, while a transaction ends, the one that comes.
    var database: [[UInt8]] = []
    /// The same of the file of seeds.
    var seeds: [SeedFile] = []

    mutating func expectDatabase(_ next: [UInt8], behind last: [UInt8]?) { database = [last, next].compactMap { $0 } }

    /// Forgets what was before `digest`.
    mutating func settleDatabase(_ digest: [UInt8]) {
        database.removeSubrange(..<(database.firstIndex(of: digest) ?? database.startIndex))
    }
}

extension KnownFiles: ScaleCodable {
    init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        database = try decoder.sequence { (decoder) throws(ScaleError) in try decoder.array(32) }
        seeds = try decoder.sequence { (decoder) throws(ScaleError) in
            SeedFile(
                digest: try decoder.array(32),
                names: try decoder.sequence { (decoder) throws(ScaleError) in try decoder.string() })
        }
    }

    func encode(to encoder: inout ScaleEncoder) {
        encoder.sequence(database) { $0.raw($1) }
        encoder.sequence(seeds) { encoder, file in
            encoder.raw(file.digest)
            encoder.sequence(file.names) { $0.string($1) }
        }
    }
}

extension VaultKey {
    private static let filesLabel = "files"

    /// - Throws: `databaseDamaged` where it is missing or not this vault's.
    func knownFiles() throws -> KnownFiles {
        let sealed: SecretBytes?
        do { sealed = try sealedItem(Self.filesLabel) } catch SignerError.vaultKey(let cause) where cause.isOfContent {
            throw SignerError.databaseDamaged(.knownFiles)
        }
        guard let sealed, let files = try? KnownFiles(scaleEncoded: sealed.withUnsafeBytes { Array($0) }) else {
            throw SignerError.databaseDamaged(.knownFiles)
        }
        return files
    }

    /// Notes the files of a vault that is being made, or that had no such note.
    func write(_ files: KnownFiles) throws {
        let sealed = try SecretBytes(copying: files.scaleEncoded)
        try onKey { try engine.setItem(Self.filesLabel, sealed) }
    }

    func changeKnownFiles(_ body: (inout KnownFiles) -> Void) throws {
        try withKeys { _ in
            // Two threads that change different files do not undo each other's note.
            try filesAccess.withLock { _ in
                var files = try knownFiles()
                body(&files)
                try write(files)
            }
        }
    }

    /// Notes the files that are there as the only ones, after a crash left more.
    func settleFiles(database: [UInt8], seeds: KnownFiles.SeedFile) throws {
        let settled = KnownFiles(database: [database], seeds: [seeds])
        guard try knownFiles() != settled else { return }
        try changeKnownFiles { $0 = settled }
    }

    /// Replaces the file of seeds.
    ///
    /// - Parameters:
    ///   - last: the one that is there; nil for none.
    ///   - next: the one that `body` puts in its place.
    func replacingSeeds(
        _ last: KnownFiles.SeedFile?, by next: KnownFiles.SeedFile, _ body: () throws -> Void
    ) throws {
        try changeKnownFiles { $0.seeds = [last, next].compactMap { $0 } }
        CrashPoint.reach("seeds.noted")
        try body()
        CrashPoint.reach("seeds.written")
        // The file is replaced, and stays so if this fails; the next change notes it.
        try? changeKnownFiles { $0.seeds = [next] }
    }
}

extension MainKeyError {
    /// Whether what was read is not what was sealed there, or not as it was.
    fileprivate var isOfContent: Bool {
        switch self {
        case .authFailed, .tampered, .rolledBack, .malformed, .truncated, .badMagic, .unsupportedVersion, .wrongPurpose,
            .unknownEpoch:
            true
        default: false
        }
    }
}
