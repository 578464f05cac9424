import CMeasuring
import Foundation
import MainKey
import Measuring

/// Encrypted files of any size, of which the disk holds next to nothing: what is encrypted is a hole, and what comes of
/// it goes where nothing is kept, or keeps the chunks alone that are read later.
struct LongFiles {
    let folder: URL
    let byteCount: Int

    private var clear: String { folder.appending(path: "clear").path }
    private var sealed: String { folder.appending(path: "sealed").path }
    private var vaultPath: String { folder.appending(path: "vault").path }

    func run(_ operation: String) throws {
        if operation == "make" {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            _ = try MainKeyVault.create(at: vaultPath, [.none])
            return
        }
        let vault = try MainKeyVault.open(at: vaultPath)
        try vault.unlock(.none)
        try vault.withUnlocked { vault in
            switch operation {
            case "encrypt": try encrypt(vault)
            case "pipe": try encrypt(vault, into: STDOUT_FILENO)
            case "decrypt": try decrypt(vault)
            case "read": try readAtRandom(vault)
            default: exit(64)
            }
        }
    }

    /// A file that is one hole, open at its start.
    private func hole() throws -> Int32 {
        let hole = open(clear, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard hole >= 0, ftruncate(hole, byteCount) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return hole
    }

    private func encrypt(_ vault: borrowing UnlockedVault) throws {
        let nothing = open("/dev/null", O_WRONLY)
        report(
            "encrypt",
            try best(budget: 300, least: byteCount > 1 << 29 ? 1 : 3) {
                let source = try hole()
                defer { close(source) }
                try vault.encrypt(from: source, to: nothing)
            })
    }

    private func encrypt(_ vault: borrowing UnlockedVault, into sink: Int32) throws {
        let source = try hole()
        defer { close(source) }
        try vault.encrypt(from: source, to: sink)
    }

    /// From a pipe: nothing holds a file of that size.
    private func decrypt(_ vault: borrowing UnlockedVault) throws {
        let nothing = open("/dev/null", O_WRONLY)
        report("decrypt", try best(rounds: 1) { try vault.decrypt(from: STDIN_FILENO, to: nothing) })
    }

    // MARK: Parts

    private static let chunkByteCount = 1 << 16
    /// Bytes of a chunk with its tag, behind the bytes of the file's header.
    private static let (headByteCount, sealedByteCount) = (1 << 12, chunkByteCount + 16)

    /// Chunks that are read, the same in every run.
    private var chunks: [Int] {
        var state: UInt64 = 4
        let count = max(1, byteCount / Self.chunkByteCount)
        return (0..<200).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
    }

    private func readAtRandom(_ vault: borrowing UnlockedVault) throws {
        try encryptWithHoles(vault)
        let chunks = chunks
        var next = 0
        report(
            "read",
            try best(rounds: 5, repeats: 200) {
                let place = chunks[next % chunks.count] * Self.chunkByteCount
                let count = min(4096, byteCount)
                let read = try vault.fileReader(at: sealed).read(at: place, count: count)
                guard read == [UInt8](repeating: 0, count: count) else { throw CocoaError(.fileReadCorruptFile) }
                next += 1
            })
    }

    /// Encrypts into a file, and takes away behind it whatever is not read later.
    private func encryptWithHoles(_ vault: borrowing UnlockedVault) throws {
        let source = try hole()
        let sink = open(sealed, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer {
            close(source)
            close(sink)
        }
        var kept = Set([0] + chunks).sorted()[...]
        var done = 0
        try vault.encrypt(from: source, to: sink) { progress in
            // A piece may not be written yet when it is reported.
            let end = Int(progress) - (64 << 20)
            while done < end {
                let next = kept.first.map { $0 * Self.sealedByteCount } ?? .max
                if next <= done {
                    done = next + Self.sealedByteCount + Self.headByteCount
                    kept.removeFirst()
                } else {
                    _ = fallocate(sink, Self.punchHole, done, min(next, end) - done)
                    done = min(next, end)
                }
            }
        }
    }

    /// FALLOC_FL_PUNCH_HOLE and FALLOC_FL_KEEP_SIZE.
    private static let punchHole: Int32 = 0x02 | 0x01
}
