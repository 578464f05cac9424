import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("What an account remembers of its vaults")
struct KnownVaultsTests {
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

    private func make(_ protections: [Protection]) throws -> MainKeyVault {
        let vault = try Unwatched.create(at: folder.path, protections, VaultFolder.options, options)
        vault.remember()
        return vault
    }

    private func notes() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: known.path).sorted()
    }

    @Test("a vault that opens by itself is refused where one asked for a PIN, whichever vault it is")
    func replaced() throws {
        _ = try make([.pin(VaultFolder.pin())])
        #expect(try notes().count == 2)
        let other = try VaultFolder()
        _ = try Unwatched.create(at: other.path, [.none], VaultFolder.options)
        try folder.restore(other.files())
        let vault = try Unwatched.open(at: folder.path, options)
        #expect(code { try vault.unlock(.none) } == "tampered")
        #expect(try vault.status().refusal?.code == "tampered")
        #expect(code { try vault.setToken("t", SecretBytes(test: "x")) } != "ok")
        // Whoever knows why removes the note that the refusal names.
        let note = try #require(try notes().first { $0.hasSuffix(".folder") })
        #expect("\(try #require(try vault.status().refusal))".contains(note))
        try FileManager.default.removeItem(atPath: known.path + "/" + note)
        try Unwatched.open(at: folder.path, options).unlock(.none)
    }

    @Test("a vault that was moved is known by its own name")
    func moved() throws {
        let vault = try make([.pin(VaultFolder.pin())])
        try vault.setProtections(
            keeping: [], adding: [.none], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options)
        let unprotected = try folder.files()
        try Unwatched.open(at: folder.path, options).unlock(.none)
        try vault.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin())], authenticatedBy: .none, VaultFolder.options)
        let elsewhere = try VaultFolder()
        try FileManager.default.createDirectory(
            atPath: elsewhere.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try elsewhere.restore(unprotected)
        let copy = try Unwatched.open(at: elsewhere.path, options)
        #expect(code { try copy.unlock(.none) } == "tampered")
    }

    @Test("what cannot be read as a note says that the vault asked for something", arguments: [0, 20, 22, 4097])
    func damaged(count: Int) throws {
        _ = try make([.none])
        try Unwatched.open(at: folder.path, options).unlock(.none)
        let note = URL(filePath: known.path).appending(path: try #require(try notes().first))
        try Data(count: count).write(to: note)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: note.path)
        let vault = try Unwatched.open(at: folder.path, options)
        #expect(["tampered", "limitExceeded"].contains(code { try vault.unlock(.none) }))
    }

    @Test("a vault that opens by itself is not made where no such vault would open")
    func openFolder() throws {
        try FileManager.default.createDirectory(
            atPath: known.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: known.path)
        #expect(code { _ = try make([.none]) } == "configError")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        // One with a PIN opens.
        _ = try make([.pin(VaultFolder.pin())])
        try Unwatched.open(at: folder.path, options).unlock(.pin(VaultFolder.pin()))
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: known.path)
        _ = try make([.none])
        try Unwatched.open(at: folder.path, options).unlock(.none)
    }

    @Test("a wipe is forgotten, and looking remembers nothing")
    func forgotten() throws {
        let vault = try make([.pin(VaultFolder.pin())])
        try FileManager.default.removeItem(atPath: known.path)
        let looked = try Unwatched.look(at: folder.path, options)
        try looked.unlock(.pin(VaultFolder.pin()))
        #expect(!FileManager.default.fileExists(atPath: known.path))
        try vault.unlock(.pin(VaultFolder.pin()))
        #expect(try notes().count == 2)
        try vault.wipe()
        #expect(try notes() == ["wipe.key"])
    }
}
