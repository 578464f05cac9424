import Foundation
import Testing

@testable import MainKey

@Suite("A vault that another process has open too", .timeLimit(.minutes(30)))
struct VaultWatchTests {
    private let folder: VaultFolder
    /// Changes it.
    private let writer: VaultEngine
    /// Sees it.
    private let reader: VaultEngine
    private let watch: VaultWatch

    init() throws {
        folder = try VaultFolder()
        (writer, _) = try folder.make()
        reader = try folder.open()
        try reader.unlock(.pin(VaultFolder.pin()))
        watch = try VaultWatch(reader)
    }

    /// The first event after a change. How soon it comes is told by ``DirectoryWatchTests``: a task has to wait here until one of the
    /// few threads of all tests is free.
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
        #expect(try reader.unlocked().file.autolock == .minutes(7))
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
        #expect(reader.phase == .wiped)
        #expect(code { try reader.unlock(.pin(VaultFolder.pin())) } == "notFound")
    }

    @Test("sees all of that also without a watch, when it is told to look")
    func refresh() throws {
        let third = try folder.open()
        try third.unlock(.pin(VaultFolder.pin()))
        try writer.setAutolock(.minutes(9))
        third.refresh()
        #expect(try third.unlocked().file.autolock == .minutes(9))
        try writer.wipe()
        third.refresh()
        #expect(third.phase == .wiped)
    }
}
