import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// The first vault of each TPM has the same handles there, with the same values and Names.
@Suite("What a vault has left in one TPM, at another", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct OtherTPMIndicesTests {
    /// A vault that gave up its TPM when that was gone: what it has there stays listed.
    private func abandoned() throws -> BoundVault {
        let bound = try BoundVault(.hardLimit)
        bound.tpm.stop()
        let vault = try bound.open()
        try vault.unlock(.recovery(bound.recovery))
        try vault.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin()), .recovery(bound.recovery)],
            authenticatedBy: .recovery(bound.recovery), VaultFolder.options)
        #expect(try hasJournal(bound))
        return bound
    }

    private func hasJournal(_ bound: BoundVault) throws -> Bool { try bound.folder.files()["indices.mk"] != nil }

    @Test("another vault's indices in another TPM stay, and so does the list until its own TPM is back")
    func otherTPM() throws {
        let bound = try abandoned()
        let other = try BoundVault(.hardLimit)
        let indices = try other.indices()
        var options = bound.options
        options.tpm = other.options.tpm
        try Unwatched.open(at: bound.folder.path, options).unlock(.pin(VaultFolder.pin()))
        #expect(try other.indices() == indices && hasJournal(bound))
        #expect(other.unlock() == "ok")

        try bound.tpm.start()
        #expect(try bound.indices() == indices)
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(try bound.indices().isEmpty && !hasJournal(bound))
    }

    @Test("a wipe tells what the list has in a TPM that does not answer, or is not the one that does")
    func wiped() throws {
        for isThere in [true, false] {
            let bound = try abandoned()
            let other = try BoundVault(.hardLimit)
            var options = bound.options
            options.tpm = other.options.tpm
            if !isThere { other.tpm.stop() }
            let vault = try Unwatched.open(at: bound.folder.path, options)
            try vault.unlock(.pin(VaultFolder.pin()))
            #expect(try vault.wipe().count == 2)
            if isThere { #expect(other.unlock() == "ok") }
            try bound.tpm.start()
            #expect(try bound.indices().count == 2)
        }
    }

    @Test("so do those that were made after the TPM was replaced at its address")
    func replaced() throws {
        let bound = try abandoned()
        try bound.replaceTPM()
        let other = try BoundVault(.hardLimit, on: bound.tpm)
        let indices = try other.indices()
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(try other.indices() == indices && hasJournal(bound))
        #expect(other.unlock() == "ok")
    }

    @Test("a vault that moves to another TPM has the indices of both listed, and nobody else's are removed there")
    func moved() throws {
        let bound = try abandoned()
        let other = try BoundVault(.hardLimit)
        var options = bound.options
        options.tpm = other.options.tpm
        let vault = try Unwatched.open(at: bound.folder.path, options)
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.setProtections(
            keeping: [], adding: [.hardwareAndPIN(VaultFolder.pin(), .hardLimit), .recovery(bound.recovery)],
            authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options)
        #expect(try other.indices().count == 4 && hasJournal(bound))
        #expect(other.unlock() == "ok")
        try bound.tpm.start()
        try bound.open().unlock(.recovery(bound.recovery))
        #expect(try bound.indices().isEmpty && !hasJournal(bound))
        try Unwatched.open(at: bound.folder.path, options).unlock(.hardwareAndPIN(VaultFolder.pin()))
        #expect(try other.indices().count == 4)
    }

    @Test("a list that does not say of which TPM it is removes nothing for a vault that depends on none")
    func firstVersion() throws {
        let bound = try abandoned()
        let vault = try bound.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        let secrets = try vault.memory.unlocked().keys.secrets
        let listed: [UInt8] =
            Array("MKN1".utf8) + secrets.vault.bytes + [1] + [1, 0x80, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        let code = HMACSHA256.code(key: try secrets.indexJournalKey(), [listed])
        try vault.store.directory.files.write(listed + [1] + secrets.id + code, to: "indices.mk")
        try bound.replaceTPM()
        let other = try BoundVault(.hardLimit, on: bound.tpm)
        let counter = try #require(try other.indices().first)
        #expect(try counter == 0x0180_4d00 && TPM(at: TPMAddress(tcti: bound.tpm.tcti)).readCounter(counter) == 1)
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(other.unlock() == "ok")
        #expect(try !hasJournal(bound))
    }
}
