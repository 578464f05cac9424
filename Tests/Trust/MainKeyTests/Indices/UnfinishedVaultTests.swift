import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("What is left in the TPM of a vault that was not finished", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct UnfinishedVaultTests {
    private let folder: VaultFolder
    private let simulator: SoftwareTPM
    private let tpm: TPM
    private let options: OpenOptions

    init() throws {
        folder = try VaultFolder()
        simulator = try SoftwareTPM()
        tpm = try TPM(at: TPMAddress(tcti: simulator.tcti))
        var options = OpenOptions()
        options.tpm = tpm.address
        options.allowsSoftwareTPM = true
        options.knownVaults = KnownVaults(at: folder.url.appending(path: "known").path)
        self.options = options
    }

    private static func protections() throws -> [Protection] {
        [.hardwareAndPIN(try VaultFolder.pin(), .hardLimit), .recovery(try RecoveryCode.generate())]
    }

    private func create() throws -> MainKeyVault {
        try Unwatched.create(at: folder.path, Self.protections(), VaultFolder.options, options)
    }

    /// Leaves what a process leaves that is killed before the first key file.
    private func die() throws {
        let making = try VaultFolder()
        let vault = try Unwatched.create(at: making.path, Self.protections(), VaultFolder.options, options)
        let (file, unlocked) = try vault.memory.unlocked()
        let key = try #require(try options.knownVaults?.wipeKey(.creating))
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let keys = [
            try IndexJournalKey(ofAccount: key, making: file.vault), try IndexJournalKey(unlocked.secrets),
        ]
        try VaultDirectory(folder.path, .existing).write(
            IndexJournal(VaultIndices.indexEntries(of: file)), under: keys)
    }

    private func forgetVaults() throws {
        let known = folder.url.appending(path: "known")
        for name in try FileManager.default.contentsOfDirectory(atPath: known.path) where name.hasSuffix(".vault") {
            try FileManager.default.removeItem(at: known.appending(path: name))
        }
    }

    @Test("the next vault in its folder removes it, and has a list no more when it is made")
    func removed() throws {
        try die()
        try forgetVaults()
        #expect(try tpm.definedIndices().count == 2)
        let vault = try create()
        #expect(try tpm.definedIndices() == vault.usedIndices().sorted())
        #expect(try folder.files()["indices.mk"] == nil)
    }

    @Test("a list in an empty folder removes nothing of a vault that was finished")
    func finished() throws {
        try die()
        let before = try tpm.definedIndices()
        try MainKeyVault.removeUnfinished(at: folder.path, options)
        #expect(try tpm.definedIndices() == before)
    }

    @Test("nor does one of another account, nor does any beside a vault")
    func strange() throws {
        try die()
        try forgetVaults()
        let before = try tpm.definedIndices()
        var other = options
        other.knownVaults = KnownVaults(at: folder.url.appending(path: "other").path)
        _ = try other.knownVaults?.wipeKey(.creating)
        try MainKeyVault.removeUnfinished(at: folder.path, other)
        #expect(try tpm.definedIndices() == before)
        let list = try #require(try folder.files()["indices.mk"])
        try FileManager.default.removeItem(atPath: folder.path)
        let vault = try folder.make().0
        try vault.store.directory.files.write(Array(list), to: "indices.mk")
        try MainKeyVault.removeUnfinished(at: folder.path, options)
        #expect(try tpm.definedIndices() == before)
    }

    @Test("one that fails leaves neither indices nor a list")
    func failed() throws {
        // What makes the writing behind the indices fail is there first.
        try FileManager.default.createDirectory(
            atPath: folder.path + "/attempts.mk.new/x", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        #expect(code { _ = try create() } == "io")
        #expect(try tpm.definedIndices().isEmpty)
        #expect(try folder.files()["indices.mk"] == nil)
    }
}
