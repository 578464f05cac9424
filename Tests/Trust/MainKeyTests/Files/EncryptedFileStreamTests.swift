import Files
import Foundation
import TestSupport
import Testing

@testable import MainKey

@Suite("Encrypted files, streams")
struct EncryptedFileStreamTests {
    private let known: KnownFiles

    init() throws {
        known = try KnownFiles()
    }

    @Test("what was encrypted decrypts, at all sizes around a chunk and a piece", arguments: [12, 13, 16, 20])
    func sizes(chunkLog2: Int) throws {
        let chunk = 1 << chunkLog2
        let piece = max(1, PieceReader.pieceByteCount / chunk) * chunk
        let sealedPiece = max(1, PieceReader.pieceByteCount / (chunk + 16)) * chunk
        let around = [0, chunk, 2 * chunk, piece, sealedPiece, piece + sealedPiece].flatMap { $0 - 17...$0 + 17 }
        let some = chunkLog2 < 16 ? around : around.filter { $0 % 5 == 0 }
        for count in Set(some) where count >= 0 {
            let plaintext = KnownFiles.pattern(count: count, seed: count)
            let file = try known.encrypt(plaintext, chunkLog2: chunkLog2)
            let chunks = max(1, (count + chunk - 1) / chunk)
            guard try file.count == 80 + count + 16 * chunks && known.decrypt(file) == plaintext else {
                Issue.record("\(count) bytes")
                return
            }
        }
    }

    @Test("a stream of unknown length encrypts as a file does")
    func pipes() throws {
        for count in [0, 1, 4096, 8197, 262_144, 262_145, 700_000] {
            let plaintext = KnownFiles.pattern(count: count, seed: 5)
            let sink = try TestStream()
            let done = try withPipe(plaintext) {
                try FileEncryption(keys: known.keys, context: []).run(from: $0, to: sink.named)
            }
            #expect(Int(done) == count)
            #expect(try known.decrypt(sink.bytes) == plaintext)
        }
    }

    @Test("two files of the same content have nothing in common but the settings")
    func fresh() throws {
        let (first, second) = (try known.encrypt(KnownFiles.small), try known.encrypt(KnownFiles.small))
        #expect(first[..<16] == second[..<16])
        let same = zip(first[16...], second[16...]).count { $0 == $1 }
        #expect(same < first.count / 100)
    }

    @Test("new files are of the active epoch")
    func epoch() throws {
        let header = try EncryptedFileHeader(parsing: Array(known.encrypt([]).prefix(80)))
        #expect(header.epoch == known.keys.activeEpoch)
    }

    @Test("chunk sizes that no reader takes are not written", arguments: [-1, 0, 11, 21, 64])
    func chunkSizes(chunkLog2: Int) throws {
        #expect("2^\(chunkLog2)") { try known.encrypt([], chunkLog2: chunkLog2) } throws: {
            ($0 as? MainKeyError)?.code == "configError"
        }
    }

    @Test("progress counts plaintext up to its end")
    func progress() throws {
        let plaintext = KnownFiles.pattern(count: 1_000_000, seed: 1)
        var done: [UInt64] = []
        let sealed = try TestStream()
        var encryption = FileEncryption(keys: known.keys, context: [])
        encryption.progress = { done.append($0) }
        try encryption.run(from: TestStream(plaintext).named, to: sealed.named)
        var decryption = FileDecryption(keys: known.keys, context: [])
        decryption.progress = { done.append($0) }
        let half = done.count
        try decryption.run(from: TestStream(sealed.bytes).named, to: nil)
        for part in [done[..<half], done[half...]] {
            #expect(part.count > 2 && part.last == 1_000_000)
            #expect(zip(part, part.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    /// Keys of a vault that is locked when they have been asked for a number of times.
    private func keys(lockedAfter asks: Int) -> FileKeySource {
        var keys = known.keys
        var left = asks
        keys.isRevoked = {
            left -= 1
            return left < 0
        }
        return keys
    }

    @Test("a vault that is locked meanwhile ends a stream, and nothing appears", arguments: 0..<5)
    func locked(asks: Int) throws {
        let folder = try TestFolder()
        let plaintext = KnownFiles.pattern(count: 1_000_000, seed: 1)
        let (plain, sealed) = (try folder.write("plain", plaintext), folder.file("sealed"))
        #expect(throws: MainKeyError.locked) {
            try FileEncryption(keys: keys(lockedAfter: asks), context: []).run(plain, to: sealed)
        }
        #expect(try folder.names == ["plain"])
        try FileEncryption(keys: known.keys, context: []).run(plain, to: sealed)
        #expect(throws: MainKeyError.locked) {
            try FileDecryption(keys: keys(lockedAfter: asks), context: []).run(sealed, to: folder.file("out"))
        }
        #expect(try folder.names == ["plain", "sealed"])
        #expect(throws: MainKeyError.locked) {
            try FileDecryption(keys: keys(lockedAfter: asks), context: []).check(sealed)
        }
    }

    /// Keys of a vault that is locked behind the last question whether it is, while the next bytes are waited for.
    private func keysLockedInARead() -> FileKeySource {
        var keys = known.keys
        var memory: (any Revocable)?
        keys.onRevocation = { (revocable, _) in memory = revocable }
        keys.isRevoked = {
            memory?.revoke(.locked)
            return false
        }
        return keys
    }

    @Test("a vault that is locked while a stream waits for bytes takes the file's key along")
    func lockedInARead() throws {
        let plaintext = KnownFiles.pattern(count: 1_000_000, seed: 1)
        let (sealed, opened) = (try TestStream(), try TestStream())
        #expect(throws: MainKeyError.locked) {
            try FileEncryption(keys: keysLockedInARead(), context: [])
                .run(from: TestStream(plaintext).named, to: sealed.named)
        }
        #expect(sealed.bytes.count == EncryptedFileHeader.byteCount)
        #expect(throws: MainKeyError.locked) {
            try FileDecryption(keys: keysLockedInARead(), context: [])
                .run(from: TestStream(known.encrypt(plaintext)).named, to: opened.named)
        }
        #expect(opened.bytes.isEmpty)
    }

    @Test("keys that go, or whose epoch is dropped, take those of files in work along")
    func registered() throws {
        for isDropped in [false, true] {
            let keys = try Fixture.epochKeys(Fixture.json("files.json"), active: 1)
            let source = try FileKeySource(keys)
            let sink = try TestStream()
            let writer = try EncryptedFileWriter(
                to: sink.named, context: [], keys: source, chunkLog2: 12, chunksPerPiece: 1)
            let chunk = [UInt8](repeating: 1, count: 1 << 12)
            try chunk.withUnsafeBytes { try writer.append($0, isLast: false) }
            if isDropped { keys.replace([:], active: 0) } else { keys.destroy() }
            #expect(throws: isDropped ? MainKeyError.unknownEpoch(source.activeEpoch) : .locked) {
                try chunk.withUnsafeBytes { try writer.append($0, isLast: true) }
            }
        }
    }

    @Test("files replace others whole, for the owner's eyes only")
    func paths() throws {
        let folder = try TestFolder()
        let plain = try folder.write("plain", KnownFiles.small)
        let sealed = try folder.write("sealed", [1, 2, 3])
        let encryption = FileEncryption(keys: known.keys, context: [])
        let decryption = FileDecryption(keys: known.keys, context: [])
        #expect(try encryption.run(plain, to: sealed) == 8197)
        #expect(try decryption.check(sealed) == 8197)
        #expect(try decryption.run(sealed, to: folder.file("out")) == 8197)
        #expect(try folder.read("out") == KnownFiles.small)
        for name in ["sealed", "out"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try encryption.run(plain, to: plain)
        try decryption.run(plain, to: plain)
        #expect(try folder.read("plain") == KnownFiles.small)
        #expect(try folder.names == ["out", "plain", "sealed"])
    }

    @Test("a refused file leaves what lies at the destination")
    func destinationStays() throws {
        let folder = try TestFolder()
        var file = try known.encrypt(KnownFiles.small)
        file[file.count - 1] ^= 1
        let (sealed, out) = (try folder.write("sealed", file), try folder.write("out", [42]))
        #expect(throws: MainKeyError.authFailed(.file, chunk: 2)) {
            try FileDecryption(keys: known.keys, context: []).run(sealed, to: out)
        }
        #expect(try folder.read("out") == [42])
        #expect(try folder.names == ["out", "sealed"])
    }

    @Test("a missing source, a folder and a place that cannot be written are told apart by their paths")
    func unusable() throws {
        let folder = try TestFolder()
        let plain = try folder.write("plain", [1])
        let encryption = FileEncryption(keys: known.keys, context: [])
        #expect(throws: MainKeyError.notFound("file \(folder.file("none"))")) {
            try encryption.run(folder.file("none"), to: folder.file("out"))
        }
        #expect(throws: MainKeyError.io(path: folder.path, reason: "it cannot be read: Is a directory")) {
            try encryption.run(folder.path, to: folder.file("out"))
        }
        #expect(throws: MainKeyError.io(path: plain + "/out", reason: "it cannot be written: Not a directory")) {
            try encryption.run(plain, to: plain + "/out")
        }
        let isFull = "it cannot be written: No space left on device; free some space and try again"
        #expect(throws: MainKeyError.io(path: "/dev/full", reason: isFull)) {
            let full = try OpenFile("/dev/full", for: .writeOnly, rules: .anything)
            try encryption.run(from: TestStream([1]).named, to: full)
        }
        #expect(try folder.names == ["plain"])
    }
}
