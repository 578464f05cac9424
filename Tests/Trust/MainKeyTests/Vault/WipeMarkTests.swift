import BigEndian
import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("wipe.mk is acted on only where this account wrote it, and names nothing")
struct WipeMarkTests {
    private let folder: VaultFolder
    private let known: KnownVaults
    private var options: OpenOptions {
        var options = OpenOptions()
        options.knownVaults = known
        return options
    }

    init() throws {
        folder = try VaultFolder()
        known = KnownVaults(at: folder.url.appending(path: "known").path)
    }

    private var markPath: String { folder.path + "/wipe.mk" }

    private func plant(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: markPath))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: markPath)
    }

    private func signed(_ vault: VaultID, by known: KnownVaults) throws -> [UInt8] {
        try WipeMark(vault, signedWith: known.wipeKey(.creating)).bytes
    }

    /// A mark that says something false, by what is wrong with it.
    private func falseMarks(of vault: VaultID, naming data: String) throws -> [(code: String, bytes: [UInt8])] {
        let other = KnownVaults(at: folder.url.appending(path: "other").path)
        let genuine = try signed(vault, by: known)
        let path = Array(data.utf8)
        let stranger = try #require(VaultID(Array(repeating: 9, count: 16)))
        return [
            ("truncated", []), ("truncated", Array("MKW".utf8)), ("truncated", Array(genuine.dropLast())),
            ("badMagic", Array("MKA1".utf8) + genuine.dropFirst(4)),
            // As versions before wrote it, with a path to remove.
            ("unsupportedVersion", Array("MKW1".utf8) + vault.bytes + [UInt8](bigEndian: UInt16(path.count)) + path),
            ("unsupportedVersion", Array("MKW3".utf8) + genuine.dropFirst(4)),
            ("malformed", genuine + [UInt8](bigEndian: UInt16(path.count)) + path),
            ("malformed", genuine + [UInt8](repeating: 0, count: 1 << 16)),
            ("tampered", try WipeMark(vault, signedWith: nil).bytes),
            ("tampered", try signed(vault, by: other)),
            ("tampered", try signed(stranger, by: known)),
            ("tampered", Array("MKW2".utf8) + stranger.bytes + genuine.suffix(32)),
            ("tampered", Array(genuine.dropLast()) + [genuine[genuine.count - 1] ^ 1]),
        ]
    }

    @Test("an empty, foreign, old or unsigned one is damage: nothing is removed, whoever looks or opens")
    func falseOnes() throws {
        let (vault, _) = try folder.make()
        try vault.setToken("t", SecretBytes(test: "x"))
        let data = folder.url.path + "/data"
        try FileManager.default.createDirectory(atPath: data + "/deep", withIntermediateDirectories: true)
        for (expected, bytes) in try falseMarks(of: vault.status().vaultID, naming: data) {
            try plant(bytes)
            let before = try folder.files()
            #expect(code { _ = try Unwatched.look(at: folder.path, options) } == expected)
            #expect(situation { _ = try Unwatched.look(at: folder.path, options) } == .falseWipeMark)
            #expect(code { _ = try Unwatched.open(at: folder.path, options) } == expected)
            #expect(code { _ = try Unwatched.open(at: folder.path) } == expected || expected == "tampered")
            #expect(
                code { _ = try Unwatched.create(at: folder.path, [.none], VaultFolder.options, options) } == expected)
            #expect(code { try vault.unlock(.pin(VaultFolder.pin())) } == expected || vault.state != .locked)
            #expect(try folder.files() == before)
            #expect(FileManager.default.fileExists(atPath: data + "/deep"))
        }
        try FileManager.default.removeItem(atPath: markPath)
        try Unwatched.open(at: folder.path, options).unlock(.pin(VaultFolder.pin()))
    }

    @Test("one that this account began is finished by the next opening, and by nobody who only looks")
    func genuine() throws {
        let (vault, _) = try folder.make()
        try vault.setToken("t", SecretBytes(test: "x"))
        try plant(try signed(vault.status().vaultID, by: known))
        let before = try folder.files()
        #expect(code { _ = try Unwatched.look(at: folder.path, options) } == "notFound")
        #expect(situation { _ = try Unwatched.look(at: folder.path, options) } == .wipeUnfinished)
        #expect(try folder.files() == before)
        #expect(code { _ = try Unwatched.open(at: folder.path, options) } == "notFound")
        #expect(try folder.files().keys.filter { $0.hasSuffix(".mk") || $0.hasSuffix(".item") }.isEmpty)
    }

    @Test("one is finished also where the key files are zeros or gone already", arguments: [true, false])
    func withoutKeys(isOverwritten: Bool) throws {
        let (vault, _) = try folder.make()
        try vault.setToken("t", SecretBytes(test: "x"))
        try plant(try signed(vault.status().vaultID, by: known))
        let keyFile = folder.path + "/keyring.mk"
        if isOverwritten {
            let count = try Data(contentsOf: URL(filePath: keyFile)).count
            let file = try FileHandle(forWritingTo: URL(filePath: keyFile))
            try file.write(contentsOf: Data(count: count))
        } else {
            try FileManager.default.removeItem(atPath: keyFile)
        }
        #expect(code { _ = try Unwatched.open(at: folder.path, options) } == "notFound")
        #expect(try folder.files().keys.filter { $0.hasSuffix(".mk") || $0.hasSuffix(".item") }.isEmpty)
    }

    @Test(
        "whoever asks for the wipe by name gets it, whatever wrote the mark; what it says of other places is not read")
    func asked() throws {
        let (vault, _) = try folder.make()
        let (data, other) = (folder.url.path + "/data", folder.url.path + "/other")
        for path in [data, other] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let path = Array(other.utf8)
        try plant(Array("MKW1".utf8) + vault.status().vaultID.bytes + [UInt8](bigEndian: UInt16(path.count)) + path)
        #expect(try MainKeyVault.isWipeBegun(at: folder.path, options))
        #expect(try MainKeyVault.finishWipe(at: folder.path, data: [data], options).isEmpty)
        #expect(code { _ = try Unwatched.open(at: folder.path, options) } == "notFound")
        #expect(!FileManager.default.fileExists(atPath: data) && FileManager.default.fileExists(atPath: other))
        #expect(try folder.files().keys.filter { $0.hasSuffix(".mk") }.isEmpty)
    }

    @Test("to look at a vault changes nothing on the disk, whatever a crash left; a PIN that is tried is counted")
    func looking() throws {
        let (vault, _) = try folder.make()
        try vault.setToken("t", SecretBytes(test: "x"))
        let pin = try VaultFolder.pin()
        for name in ["lock", "keyring.mk.new"] {
            if name == "lock" {
                try FileManager.default.removeItem(atPath: folder.path + "/lock")
            } else {
                let url = URL(filePath: folder.path + "/" + name)
                try Data(contentsOf: URL(filePath: folder.path + "/keyring.mk")).write(to: url)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            }
            let before = try folder.files()
            let looked = try Unwatched.look(at: folder.path, options)
            #expect(try looked.status().attemptsLeft == 10 && looked.tokenNames() == ["t"])
            #expect(try folder.files() == before)
            try looked.verify(.pin(pin))
            #expect(try Set(folder.files().keys) == Set(before.keys).union(["lock"]))
            #expect(code { try looked.unlock(.pin(pin)) } == "ok")
            #expect(code { try looked.setAutolock(.always) } == "internal")
        }
        #expect(!FileManager.default.fileExists(atPath: known.path))
    }
}
