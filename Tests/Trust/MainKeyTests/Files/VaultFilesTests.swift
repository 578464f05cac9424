import CLinux
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("Files of an unlocked vault")
struct VaultFilesTests {
    private let folder: TestFolder
    private let keys: EpochKeys

    init() throws {
        folder = try TestFolder()
        keys = try Self.epochKeys(active: 2, held: [1, 2])
    }

    /// The known answers' keys.
    private static func epochKeys(active: UInt32, held: [UInt32]) throws -> EpochKeys {
        let known = try Fixture.json("files.json")
        var keys: [UInt32: SecretBytes] = [:]
        for epoch in held { keys[epoch] = try epochKey(epoch) }
        return EpochKeys(keys, active: active, vault: try #require(VaultID(known["vaultID"].hex ?? [])))
    }

    private static func epochKey(_ epoch: UInt32) throws -> SecretBytes {
        try SecretBytes(test: #require(try Fixture.json("files.json")["epochKeys"]["\(epoch)"].hex))
    }

    @Test("opens the known files by the epochs' keys")
    func knownFiles() throws {
        let vault = UnlockedVault(keys: keys)
        for file in try Fixture.json("files.json")["cases"].array where file["expect"].string == "ok" {
            let path = try folder.write("in", KnownFiles.bytes(file))
            try vault.decryptFile(at: path, to: folder.file("out"), context: KnownFiles.context(file))
            #expect(try folder.read("out") == KnownFiles.plaintext(file))
            #expect(try UnlockedVault.epoch(ofFileAt: path) == UInt32(file["epoch"].int ?? 0))
        }
    }

    @Test("encrypts, verifies and reads in parts, with its own name as the context")
    func ownFiles() throws {
        let vault = UnlockedVault(keys: keys)
        let plain = try folder.write("plain", KnownFiles.small)
        let sealed = folder.file("sealed")
        let name = Array("sealed".utf8)
        #expect(try vault.encryptFile(at: plain, to: sealed, context: name, chunkLog2: 12) == 8197)
        #expect(try vault.checkFile(at: sealed, context: name) == 8197)
        #expect(throws: MainKeyError.fileKeyMismatch) { try vault.checkFile(at: sealed) }
        let reader = try vault.fileReader(at: sealed, context: name)
        #expect(reader.byteCount == 8197 && reader.epoch == 2)
        let part = try reader.read(at: 4000, count: 200)
        #expect(part == Array(KnownFiles.small[4000..<4200]))
    }

    @Test("what is being written has no name, so that nothing is left of it when the process is killed")
    func unnamed() throws {
        let vault = UnlockedVault(keys: keys)
        let plain = try folder.write("plain", KnownFiles.small)
        let sealed = folder.file("sealed")
        var seen: [String] = []
        try vault.encryptFile(at: plain, to: sealed, chunkLog2: 12) { _ in seen += (try? folder.names) ?? [] }
        try vault.decryptFile(at: sealed, to: folder.file("out")) { _ in seen += (try? folder.names) ?? [] }
        #expect(try !seen.isEmpty && folder.names == ["out", "plain", "sealed"])
        // A file system without files that have no names shows another name meanwhile.
        let strange = Set(seen).subtracting(["plain", "sealed"])
        #expect(strange.allSatisfy { $0.hasSuffix(".new") })
        let place = open(folder.file(""), O_RDONLY | O_DIRECTORY)
        let file = clinux_open_nameable(place, 0o600)
        #expect(strange.isEmpty == (file >= 0))
        close(file)
        close(place)
    }

    @Test("when it is locked, nothing is read, written or begun any more")
    func locked() throws {
        let sealed = folder.file("sealed")
        let plain = try folder.write("plain", KnownFiles.small)
        let vault = UnlockedVault(keys: keys)
        try vault.encryptFile(at: plain, to: sealed)
        let reader = try vault.fileReader(at: sealed)
        #expect(try reader.read(at: 0, count: 1) == [KnownFiles.small[0]])
        keys.destroy()
        #expect(throws: MainKeyError.locked) { try reader.read(at: 0, count: 1) }
        #expect(throws: MainKeyError.locked) { try vault.decryptFile(at: sealed, to: folder.file("out")) }
        #expect(throws: MainKeyError.locked) { try vault.encryptFile(at: plain, to: folder.file("out")) }
        #expect(try folder.names == ["plain", "sealed"])
    }

    @Test("a reader that is still held has neither key nor plaintext when it is locked, and none is opened any more")
    func readerMemory() throws {
        let sealed = folder.file("sealed")
        let plain = try folder.write("plain", KnownFiles.small)
        try UnlockedVault(keys: keys).encryptFile(at: plain, to: sealed, chunkLog2: 12)
        var source = try FileKeySource(keys)
        // Nobody asks whether it may go on: what is gone cannot be read.
        source.isRevoked = { false }
        let reader = try EncryptedFileReader(path: sealed, context: [], keys: source)
        #expect(try reader.read(at: 8192, count: 5) == Array(KnownFiles.small[8192...]))
        keys.destroy()
        #expect(throws: MainKeyError.locked) { try reader.read(at: 8192, count: 5) }
        #expect(throws: MainKeyError.locked) { try reader.read(at: 0, count: 1) }
        let others = try Self.epochKeys(active: 2, held: [1, 2])
        source.subkey = { (epoch) throws(MainKeyError) in try others.fileKey(epoch: epoch) }
        #expect(throws: MainKeyError.locked) { try EncryptedFileReader(path: sealed, context: [], keys: source) }
    }

    @Test("when a rotation drops an epoch, readers of its files lose key and plaintext, and say why; others go on")
    func droppedEpoch() throws {
        let plain = try folder.write("plain", KnownFiles.small)
        let (old, new) = (folder.file("old"), folder.file("new"))
        let before = try Self.epochKeys(active: 1, held: [1])
        try UnlockedVault(keys: before).encryptFile(at: plain, to: old, chunkLog2: 12)
        try UnlockedVault(keys: keys).encryptFile(at: plain, to: new, chunkLog2: 12)
        var source = try FileKeySource(keys)
        // Nobody asks whether it may go on: what is gone cannot be read.
        source.isHeld = { _ in true }
        let reader = try EncryptedFileReader(path: old, context: [], keys: source)
        let other = try EncryptedFileReader(path: new, context: [], keys: source)
        #expect(try reader.read(at: 8192, count: 5) == Array(KnownFiles.small[8192..<8197]))
        let key = try keys.fileKey(epoch: 2)
        keys.replace([2: try Self.epochKey(2)], active: 2)
        #expect(try keys.fileKey(epoch: 2) == key)
        #expect(throws: MainKeyError.unknownEpoch(1)) { try reader.read(at: 8192, count: 5) }
        #expect(throws: MainKeyError.unknownEpoch(1)) { try reader.read(at: 0, count: 1) }
        #expect(try other.read(at: 8192, count: 5) == Array(KnownFiles.small[8192..<8197]))
        // A reader that took its key just before is not registered any more.
        source.subkey = { (epoch) throws(MainKeyError) in try before.fileKey(epoch: epoch) }
        #expect(throws: MainKeyError.unknownEpoch(1)) { try EncryptedFileReader(path: old, context: [], keys: source) }
        keys.destroy()
        #expect(throws: MainKeyError.locked) { try other.read(at: 0, count: 1) }
    }

    @Test("a stream ends when a rotation drops its epoch, and nothing appears")
    func droppedEpochOfStream() throws {
        let plain = try folder.write("plain", KnownFiles.pattern(count: 1_000_000, seed: 1))
        let sealed = folder.file("sealed")
        let next = try Self.epochKey(2)
        for isDecryption in [false, true] {
            let before = try Self.epochKeys(active: 1, held: [1])
            let drop = { (_: UInt64) in before.replace([2: next], active: 2) }
            #expect(throws: MainKeyError.unknownEpoch(1)) {
                if isDecryption {
                    try UnlockedVault(keys: before).decryptFile(at: sealed, to: folder.file("out"), progress: drop)
                } else {
                    try UnlockedVault(keys: before).encryptFile(at: plain, to: sealed, progress: drop)
                }
            }
            #expect(try folder.names == (isDecryption ? ["plain", "sealed"] : ["plain"]))
            try UnlockedVault(keys: Self.epochKeys(active: 1, held: [1])).encryptFile(at: plain, to: sealed)
        }
    }

    @Test("renews a file under the active epoch, and leaves one that does not verify as it was", arguments: [12, 16])
    func renewal(chunkLog2: Int) throws {
        let name = Array("block".utf8)
        for count in [0, 1, 8192, 300_000, 1_000_000] {
            let plaintext = KnownFiles.pattern(count: count, seed: 4)
            let (plain, sealed) = (try folder.write("plain", plaintext), folder.file("sealed"))
            try UnlockedVault(keys: Self.epochKeys(active: 1, held: [1])).encryptFile(
                at: plain, to: sealed, context: name, chunkLog2: chunkLog2)
            let before = try folder.read("sealed")
            #expect(try UnlockedVault.epoch(ofFileAt: sealed) == 1)
            try UnlockedVault(keys: keys).resealFile(at: sealed, context: name)
            #expect(try UnlockedVault.epoch(ofFileAt: sealed) == 2)
            #expect(try folder.read("sealed").count == before.count)
            let new = UnlockedVault(keys: try Self.epochKeys(active: 2, held: [2]))
            try new.decryptFile(at: sealed, to: folder.file("out"), context: name)
            #expect(try folder.read("out") == plaintext)
        }
        let whole = try folder.read("sealed")
        let damaged = whole.flipping(bit: whole.count * 8 - 1)
        let path = try folder.write("damaged", damaged)
        #expect(throws: MainKeyError.self) { try UnlockedVault(keys: keys).resealFile(at: path, context: name) }
        #expect(try folder.read("damaged") == damaged)
        #expect(try folder.names == ["damaged", "out", "plain", "sealed"])
    }

    @Test("tells a file of an epoch that is not held")
    func forgottenEpoch() throws {
        let plain = try folder.write("plain", [1])
        try UnlockedVault(keys: Self.epochKeys(active: 1, held: [1])).encryptFile(at: plain, to: folder.file("sealed"))
        let vault = UnlockedVault(keys: try Self.epochKeys(active: 2, held: [2]))
        #expect(throws: MainKeyError.unknownEpoch(1)) { try vault.checkFile(at: folder.file("sealed")) }
    }
}

extension UnlockedVault {
    /// Writes a file anew in its place, as a rotation does.
    fileprivate func resealFile(at path: String, context: [UInt8]) throws {
        try place([try resealedFile(at: path, context: context)])
    }
}
