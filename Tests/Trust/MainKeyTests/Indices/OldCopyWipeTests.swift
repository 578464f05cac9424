import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("The wipe of an older copy of a vault", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct OldCopyWipeTests {
    @Test(
        "it leaves the indices of a vault that has them by now, and says so",
        arguments: [HardwareBinding.counter, .hardLimit])
    func reusedHandles(binding: HardwareBinding) throws {
        let bound = try BoundVault(binding)
        let yesterday = try bound.folder.files()
        let before = try bound.indices()
        try bound.opened().rekey(
            [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), binding), .recovery(bound.recovery)],
            authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), VaultFolder.options)
        let other = try BoundVault(binding, on: bound.tpm)
        let indices = try bound.indices()
        #expect(Set(before).isSubset(of: indices) && indices.count == 2 * before.count)
        let today = try bound.folder.files()
        try bound.folder.restore(yesterday)
        let leftovers = try bound.open().wipe()
        #expect(leftovers.count == before.count && leftovers.allSatisfy { $0.contains("another vault") })
        #expect(try bound.indices() == indices)
        #expect(other.unlock() == "ok")
        try bound.folder.restore(today)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
    }

    @Test("it leaves the counter of the vault itself, and the PIN index that another one took since")
    func changedPIN() throws {
        let bound = try BoundVault(.hardLimit)
        let yesterday = try bound.folder.files()
        let before = try bound.indices()
        try change(bound)
        #expect(try bound.indices() != before)
        let other = try BoundVault(.hardLimit, on: bound.tpm)
        try change(other)
        let indices = try bound.indices()
        #expect(Set(before).isSubset(of: indices))
        let today = try bound.folder.files()
        for isBegun in [false, true] {
            try bound.folder.restore(yesterday)
            if isBegun {
                try WipeMark(bound.open().status().vaultID, signedWith: nil).write(to: bound.open().store.directory)
                #expect(try MainKeyVault.finishWipe(at: bound.folder.path, bound.options).count == 2)
            } else {
                #expect(try bound.open().wipe().count == 2)
            }
            #expect(try bound.indices() == indices)
        }
        #expect(other.unlock(VaultFolder.otherPIN) == "ok")
        try bound.folder.restore(today)
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        #expect(try bound.opened(VaultFolder.otherPIN).wipe().isEmpty)
        #expect(try bound.indices() == other.ownIndices())
    }

    private func change(_ bound: BoundVault) throws {
        try bound.opened().changePIN(
            from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
    }
}

extension BoundVault {
    /// Those that its key file names.
    fileprivate func ownIndices() throws -> [UInt32] { try open().usedIndices().sorted() }
}
