import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("What a killed change leaves in the TPM", .enabled(if: SoftwareTPM.isInstalled), .serialized)
struct LeftIndicesTests {
    /// The ways that a change makes, of both kinds of bindings that have indices.
    private static func ways(_ bound: BoundVault, _ pin: String = VaultFolder.otherPIN) throws -> [Protection] {
        [.hardwareAndPIN(try VaultFolder.pin(pin), bound.binding), .recovery(bound.recovery)]
    }

    private func hasJournal(_ bound: BoundVault) throws -> Bool { try bound.folder.files()["indices.mk"] != nil }

    /// Makes the slots of a change, which then dies or is taken back.
    @discardableResult
    private func make(_ bound: BoundVault, isRekey: Bool) throws -> (SlotMaking, MadeSlots) {
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        let new = try MainKeySecrets.random(vault: file.vault)
        let secrets = isRekey ? new : unlocked.secrets
        let journal = try IndexJournalWriter(
            vault.indices, from: file, under: unlocked.secrets, and: isRekey ? new : nil)
        var counter: (index: UInt32, value: UInt64)?
        if !isRekey, case .tpm(let index, let value) = file.anchor { counter = (index, value) }
        let making = SlotMaking(
            secrets: secrets, cost: VaultFolder.cost, now: 1, attemptLimit: 10, counter: counter,
            items: vault.store.items.files, journal: journal, tpm: vault.hardware.enrollingTPM)
        return (making, try making.make(Self.ways(bound), besides: []))
    }

    @Test(
        "indices that were made for a change that was killed are gone when the vault was unlocked next",
        arguments: [HardwareBinding.counter, .hardLimit], [false, true])
    func discarded(binding: HardwareBinding, isRekey: Bool) throws {
        let bound = try BoundVault(binding)
        let before = try bound.indices()
        try make(bound, isRekey: isRekey)
        let isMore = isRekey || binding == .hardLimit
        #expect(try (bound.indices().count > before.count) == isMore)
        #expect(try hasJournal(bound) == isMore)
        _ = try bound.open()
        #expect(try hasJournal(bound) == isMore)
        try bound.open().unlock(.recovery(bound.recovery))
        #expect(try bound.indices() == before)
        #expect(try !hasJournal(bound))
        #expect(bound.unlock() == "ok")
    }

    /// A vault that gave up its TPM, as a process leaves it that is killed right behind the commit.
    private func dropAndDie(_ bound: BoundVault) throws {
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        try IndexJournalWriter(vault.indices, from: file, under: unlocked.secrets).write()
        let journal = try #require(try bound.folder.files()["indices.mk"])
        let state = try bound.tpmState()
        try vault.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin()), .recovery(bound.recovery)],
            authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), VaultFolder.options)
        #expect(try bound.indices().isEmpty && !hasJournal(bound))
        try bound.restart(from: state)
        try put(journal, bound)
        #expect(try bound.indices().count == 2)
    }

    private func put(_ journal: Data, _ bound: BoundVault) throws {
        try bound.folder.restore(try bound.folder.files().merging(["indices.mk": journal]) { $1 })
    }

    @Test("indices that a committed change made obsolete go at the next unlocking that reaches the TPM")
    func obsolete() throws {
        let bound = try BoundVault(.hardLimit)
        try dropAndDie(bound)
        bound.tpm.stop()
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(try hasJournal(bound))
        try bound.tpm.start()
        try bound.open().verify(.pin(VaultFolder.pin()))
        #expect(try bound.indices().count == 2)
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(try bound.indices().isEmpty && !hasJournal(bound))
    }

    @Test("a list that was changed removes nothing")
    func forged() throws {
        let bound = try BoundVault(.hardLimit)
        try dropAndDie(bound)
        let journal = Array(try #require(try bound.folder.files()["indices.mk"]))
        for bit in stride(from: 3, to: journal.count * 8, by: 101) {
            try put(Data(journal.flipping(bit: bit)), bound)
            try bound.open().unlock(.recovery(bound.recovery))
        }
        #expect(try bound.indices().count == 2)
    }

    @Test(
        "what the key file depends on stays, whatever is listed; so does what another vault made in its place meanwhile"
    )
    func reusedHandles() throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        try IndexJournalWriter(vault.indices, from: file, under: unlocked.secrets).write()
        let before = try bound.indices()
        #expect(bound.unlock() == "ok")
        #expect(try bound.indices() == before && !hasJournal(bound))

        try dropAndDie(bound)
        let tpm = try TPM(at: TPMAddress(tcti: bound.tpm.tcti))
        for index in before { try tpm.undefine(index) }
        let other = try BoundVault(.hardLimit, on: bound.tpm)
        #expect(try other.indices() == before)
        try bound.open().unlock(.pin(VaultFolder.pin()))
        #expect(try other.indices() == before && !hasJournal(bound))
        #expect(other.unlock() == "ok")
    }

    @Test("what has the handle of one that was about to be made stays where another vault has made it by now")
    func intended() throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        let free: [UInt32] = [0x0180_4d02, 0x0180_4d03]
        for index in free {
            let writer = try IndexJournalWriter(vault.indices, from: file, under: unlocked.secrets)
            try writer.intend(index, in: vault.hardware.enrollingTPM())
        }
        let other = try BoundVault(.hardLimit, on: bound.tpm)
        let indices = try bound.indices()
        #expect(Set(free).isSubset(of: indices))
        #expect(bound.unlock() == "ok")
        #expect(try bound.indices() == indices && !hasJournal(bound))
        #expect(other.unlock() == "ok")
    }

    @Test("a counter that was written to and not listed when its change was killed goes only if it is of a new MainKey")
    func unlistedCounter() throws {
        for isRekey in [true, false] {
            let bound = try BoundVault(.counter)
            let vault = try bound.opened()
            let before = try bound.indices()
            let (file, unlocked) = try vault.memory.unlocked()
            let new = isRekey ? try MainKeySecrets.random(vault: file.vault) : nil
            let writer = try IndexJournalWriter(vault.indices, from: file, under: unlocked.secrets, and: new)
            let tpm = try vault.hardware.enrollingTPM()
            let counter = try tpm.defineCounter(
                auth: (new ?? unlocked.secrets).counterAuthorisation(),
                intending: { (index) throws(HardwareKeyError) in try writer.intend(index, in: tpm) })
            let made = (before + [counter.index]).sorted()
            #expect(try bound.indices() == made)
            #expect(bound.unlock() == "ok")
            #expect(try bound.indices() == (isRekey ? before : made) && !hasJournal(bound))
        }
    }

    @Test("what was about to be made in another TPM than the one that answers stays listed")
    func intendedElsewhere() throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        let (file, unlocked) = try vault.memory.unlocked()
        let key = try IndexJournalKey(unlocked.secrets)
        let place = IndexJournal.Place(storageKey: [0x00, 0x0b] + [UInt8](repeating: 3, count: 32), index: 0x0180_4d02)
        let journal = IndexJournal([.intended(place)])
        try vault.store.directory.write(journal, under: [key])
        #expect(bound.unlock() == "ok")
        #expect(try vault.store.directory.indexJournal(under: key, besides: []) == journal)
        #expect(try VaultIndices.places(of: file).count == bound.indices().count)
    }

    @Test("a change that fails leaves neither indices nor a list", arguments: [false, true])
    func failed(isRekey: Bool) throws {
        let bound = try BoundVault(.hardLimit)
        let vault = try bound.opened()
        let before = try bound.indices()
        let (making, made) = try make(bound, isRekey: isRekey)
        #expect(try bound.indices().count == before.count + (isRekey ? 2 : 1))
        making.undo(made)
        #expect(try bound.indices() == before && !hasJournal(bound))

        // Where nothing can be listed, nothing is made.
        let blocker = bound.folder.path + "/indices.mk.new"
        try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: false)
        #expect(
            code {
                let ways = try Self.ways(bound)
                if isRekey {
                    try vault.rekey(ways, authenticatedBy: .hardwareAndPIN(VaultFolder.pin()), VaultFolder.options)
                } else {
                    try vault.setProtections(
                        keeping: [], adding: ways, authenticatedBy: .hardwareAndPIN(VaultFolder.pin()),
                        VaultFolder.options)
                }
            } == "io")
        #expect(try bound.indices() == before)
        #expect(bound.unlock() == "ok")
    }

    @Test("a wipe removes what is listed too, and the list; without the key it removes what the key file names")
    func wipe() throws {
        for isUnlocked in [true, false] {
            let bound = try BoundVault(.hardLimit)
            let vault = try isUnlocked ? bound.opened() : bound.open()
            try make(bound, isRekey: true)
            #expect(try bound.indices().count == 4)
            try vault.wipe()
            #expect(try !hasJournal(bound))
            #expect(try bound.indices().count == (isUnlocked ? 0 : 2))
        }
    }
}
