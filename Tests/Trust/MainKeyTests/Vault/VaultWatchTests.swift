import Foundation
import TestSupport
import Testing

@testable import MainKey

@Suite("A vault that another process has open too", .timeLimit(.minutes(30)))
struct VaultWatchTests {
    private let folder: VaultFolder
    /// Changes it.
    private let writer: MainKeyVault
    /// Sees it.
    private let reader: MainKeyVault

    init() throws {
        folder = try VaultFolder()
        (writer, _) = try folder.make { $0.autolock = .minutes(60) }
        reader = try folder.open()
        try reader.unlock(.pin(VaultFolder.pin()))
        try reader.diskChanges.beginWatching()
    }

    /// The first event after a change. How soon it comes is told by ``DirectoryWatchTests``: a task has to wait here
    /// until one of the few threads of all tests is free.
    private func event(after change: () throws -> Void) async throws -> MainKeyEvent? {
        let events = reader.events
        try change()
        return await events.first { $0 != .memoryNotLocked }
    }

    @Test("sees a commit, and works with what it changed")
    func commit() async throws {
        let generation = try writer.status().generation
        #expect(
            try await event { try writer.setAutolock(.minutes(7)) } == .changed(generation: generation + 1))
        #expect(try reader.memory.unlocked().file.autolock == .minutes(7))
        #expect(try await event { try writer.beginRotation() } == .changed(generation: generation + 2))
        let sealed = try writer.seal("new")
        #expect(try reader.open(sealed) == "new")
    }

    @Test("locks at a new MainKey, and opens with the new PIN")
    func rekey() async throws {
        let event = try await event {
            try writer.rekey(
                [.pin(VaultFolder.pin(VaultFolder.otherPIN))], authenticatedBy: .pin(VaultFolder.pin()),
                VaultFolder.options)
        }
        #expect(event == .removedMainKeyFromMemory(.rekeyed))
        #expect(code { _ = try reader.seal("x") } == "locked")
        try reader.unlock(.pin(VaultFolder.pin(VaultFolder.otherPIN)))
        #expect(try writer.open(reader.seal("x")) == "x")
    }

    @Test("locks for ever at a wipe")
    func wipe() async throws {
        #expect(try await event { try writer.wipe() } == .removedMainKeyFromMemory(.wiped))
        #expect(reader.state == .wiped)
        #expect(code { try reader.unlock(.pin(VaultFolder.pin())) } == "notFound")
    }

    @Test("takes a wipe that begins between its two looks for a wipe, not for damage")
    func wipeWithinALook() throws {
        let directory = reader.store.directory
        let mark = try WipeMark(reader.memory.held.file.vault, signedWith: nil)
        let keyFile = URL(filePath: folder.path).appending(path: VaultDirectory.Name.keyFile)
        DiskChanges(reader.store, reader.memory) {
            try? mark.write(to: directory)
            try? Data(count: 1000).write(to: keyFile)
        }.refresh()
        #expect(reader.state == .wiped)
    }

    @Test("fails for good when an older state is put back, and opens when it is opened anew", arguments: [true, false])
    func rolledBack(isUnlocked: Bool) throws {
        let yesterday = try folder.files()
        try writer.setAutolock(.minutes(7))
        let vault = try folder.open()
        if isUnlocked { try vault.unlock(.pin(VaultFolder.pin())) }
        try folder.restore(yesterday)
        vault.refresh()
        let error = MainKeyError.rolledBack(reason: "the key file is older than the one that is in use")
        #expect(vault.state == .failed(error))
        #expect(throws: error) { try vault.unlock(.pin(VaultFolder.pin())) }
        #expect(throws: error) { try vault.seal("x") }
        vault.lock()
        vault.refresh()
        #expect(vault.state == .failed(error))
        try folder.open().unlock(.pin(VaultFolder.pin()))
    }

    @Test("fails for good when the key file is damaged, or that of another vault; an unlocking finds that out too")
    func tampered() throws {
        let whole = try folder.files()
        let other = try VaultFolder()
        _ = try other.make()
        let file = try #require(whole["keyring.mk"])
        for bytes in [file.dropLast(), try #require(try other.files()["keyring.mk"])] {
            let vault = try folder.open()
            try vault.unlock(.pin(VaultFolder.pin()))
            try folder.restore(whole.merging(["keyring.mk": Data(bytes)]) { $1 })
            vault.refresh()
            guard case .failed(.tampered) = vault.state else {
                Issue.record("\(vault.state)")
                return
            }
            #expect(code { _ = try vault.seal("x") } == "tampered")
            try folder.restore(whole)
            #expect(code { try vault.unlock(.pin(VaultFolder.pin())) } == "tampered")
        }
        let vault = try folder.open()
        let changed = Data(Array(file).flipping(bit: (file.count - 1) * 8))
        try folder.restore(whole.merging(["keyring.mk": changed]) { $1 })
        #expect(code { try vault.unlock(.pin(VaultFolder.pin())) } == "tampered")
        guard case .failed(.tampered) = vault.state else {
            Issue.record("\(vault.state)")
            return
        }
        try vault.wipe()
        #expect(vault.state == .wiped)
    }

    @Test("sees all of that also without a watch, when it is told to look")
    func refresh() throws {
        let third = try folder.open()
        try third.unlock(.pin(VaultFolder.pin()))
        try writer.setAutolock(.minutes(9))
        third.refresh()
        #expect(try third.memory.unlocked().file.autolock == .minutes(9))
        try writer.wipe()
        third.refresh()
        #expect(third.state == .wiped)
    }
}
