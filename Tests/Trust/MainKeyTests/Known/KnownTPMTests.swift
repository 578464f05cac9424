import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// Another TPM at the same address: the simulator goes on with another one's state.
@Suite("Another TPM than the one that is known", .enabled(if: SoftwareTPM.isInstalled))
struct KnownTPMTests {
    private func protect(_ bound: BoundVault, _ vault: MainKeyVault) throws {
        let kept = try vault.status().ways.filter { $0.kind == "recovery" }.map(\.id)
        try vault.setProtections(
            keeping: Set(kept), adding: [.hardwareAndPIN(VaultFolder.pin(VaultFolder.otherPIN), .hardLimit)],
            authenticatedBy: .recovery(bound.recovery), VaultFolder.options)
    }

    private func recovered(_ bound: BoundVault, _ change: (inout OpenOptions) -> Void = { _ in }) throws -> MainKeyVault
    {
        var options = bound.options
        change(&options)
        let vault = try Unwatched.open(at: bound.folder.path, options)
        try vault.unlock(.recovery(bound.recovery))
        return vault
    }

    @Test("it gets no PIN and no index, until somebody says that it is right; then it is the one that is known")
    func replaced() throws {
        let bound = try BoundVault(.hardLimit)
        let state = try bound.tpmState()
        let other = try BoundVault(.counter)
        try bound.restart(from: other.tpmState())
        #expect(bound.unlock() == "hardwareUnavailable")
        let before = try bound.indices()
        let vault = try recovered(bound)
        let error = #expect(throws: MainKeyError.self) { try protect(bound, vault) }
        #expect(error?.code == "hardwareUnavailable")
        let words = "\(try #require(error))"
        #expect(words.contains("it can be accepted") && words.contains("another TPM"))
        #expect(error?.situation == .otherTPM)
        #expect(try bound.indices() == before)
        try protect(bound, recovered(bound) { $0.acceptsOtherTPM = true })
        #expect(bound.unlock(VaultFolder.otherPIN) == "ok")
        // Another vault of that TPM has the index that this one had in its own.
        #expect(try bound.indices().count == before.count + 2 && Set(before).isSubset(of: bound.indices()))
        // From now on this one is known, and the first one is another.
        try protect(bound, recovered(bound))
        try bound.restart(from: state)
        #expect(code { try protect(bound, recovered(bound)) } == "hardwareUnavailable")
    }

    @Test("a vault of another TPM that is wiped leaves the indices of those that are at home there")
    func wipedElsewhere() throws {
        let (bound, other) = (try BoundVault(.hardLimit), try BoundVault(.hardLimit))
        #expect(try bound.indices() == other.indices())
        try bound.restart(from: other.tpmState())
        let before = try bound.indices()
        try recovered(bound).wipe()
        #expect(try bound.indices() == before && before.count == 2)
    }

    @Test("a vault that is unlocked sends it nothing that is to move its counter")
    func replacedMeanwhile() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        let (mine, other) = (try bound.tpmState(), try BoundVault(.counter))
        try bound.restart(from: other.tpmState())
        #expect(code { try vault.setToken("t", SecretBytes(test: "more")) } == "hardwareUnavailable")
        try bound.restart(from: mine)
        let again = try bound.opened()
        #expect(try again.token("t")?.testBytes == Array("token".utf8))
        try again.setToken("t", SecretBytes(test: "more"))
        #expect(try again.checkItems() == 0)
    }

    @Test("one that was cleared is another, and a note that is damaged is none")
    func notes() throws {
        let bound = try BoundVault(.counter)
        let known = try #require(bound.options.knownVaults)
        let address = try #require(bound.options.tpm)
        let identity = try TPM(at: address).identity()
        #expect(try known.acquaintance(with: identity, at: address) == .known)
        #expect(try known.acquaintance(with: identity, at: .standard) == .new)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: known.path).first { $0.hasSuffix(".tpm") })
        let path = URL(filePath: known.path + "/" + name)
        let note = try Data(contentsOf: path)
        #expect(note.count == 73 && note.prefix(5) == Data("MKT1".utf8) + [1])
        #expect(Array(note[5..<39]) == identity.endorsementKey && Array(note[39...]) == identity.storageKey)
        let cleared = TPMIdentity(
            endorsementKey: identity.endorsementKey, storageKey: [0, 11] + Array(repeating: 1, count: 32))
        #expect(try known.acquaintance(with: cleared, at: address) == .other(known: identity))
        for damaged in [note.dropLast(), Data("MKT2".utf8) + note.dropFirst(4), Data()] {
            try Data(damaged).write(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
            #expect(code { _ = try known.acquaintance(with: identity, at: address) } == "tampered")
            #expect(code { try protect(bound, recovered(bound)) } == "tampered")
        }
        try FileManager.default.removeItem(at: path)
        try protect(bound, recovered(bound))
        #expect(try Data(contentsOf: path) == note)
    }

    @Test("a change of an item takes two operations of the TPM: one seals, one counts")
    func commandsOfAChange() throws {
        let tpm = try SoftwareTPM(logsCommands: true)
        let bound = try BoundVault(.hardLimit, on: tpm) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        func counted(_ body: () throws -> Void) throws -> [UInt32: Int] {
            let before = try tpm.commands().count
            try body()
            return try tpm.commands().dropFirst(before).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        let change = try counted { try vault.setToken("t", SecretBytes(test: "more")) }
        // Create, NV_Increment, and the storage key (CreatePrimary) once for each of the two.
        #expect(change[0x153] == 1 && change[0x134] == 1 && change[0x131] == 2)
        // No Unseal, NV_DefineSpace, PolicySecret, NV_Write.
        #expect([0x15e, 0x12a, 0x151, 0x137].allSatisfy { change[$0] == nil })
        print("A strict change of an item sends \(change.values.reduce(0, +)) commands: \(change)")
        #expect(try counted { _ = try vault.token("t") }.isEmpty)
        let plain = try BoundVault(.counter, on: tpm)
        let other = try plain.opened()
        #expect(try counted { try other.setToken("t", SecretBytes(test: "more")) }.isEmpty)
        #expect(try counted { _ = try other.token("t") }.isEmpty)
    }
}
