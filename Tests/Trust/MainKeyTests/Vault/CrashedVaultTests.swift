import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("What a crash or a failure leaves of a vault")
struct CrashedVaultTests {
    private let folder: VaultFolder

    init() throws {
        folder = try VaultFolder()
    }

    private func write(_ bytes: Data, _ name: String) throws {
        let url = URL(filePath: folder.path).appending(path: name)
        try bytes.write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }

    private func keyItems() throws -> [String] { try folder.files().keys.filter { $0.hasSuffix(".item") } }

    @Test("the key of a way without protection goes also where its change was killed behind the commit")
    func forgottenKeyItem() throws {
        let vault = try Unwatched.create(at: folder.path, [.none], VaultFolder.options)
        let before = try folder.files()
        let name = try #require(try keyItems().first)
        try vault.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin())], authenticatedBy: .none, VaultFolder.options)
        #expect(try keyItems().isEmpty)
        try write(try #require(before[name]), name)
        _ = try folder.open()
        #expect(try keyItems().isEmpty)
        try write(try #require(before[name]), name)
        try vault.setAutolock(.minutes(5))
        #expect(try keyItems().isEmpty)
    }

    @Test("the key of a way without protection that is in use stays, and so do items")
    func usedKeyItem() throws {
        let vault = try Unwatched.create(at: folder.path, [.none], VaultFolder.options)
        try vault.setItem("a", SecretBytes(test: "a"))
        try vault.setAutolock(.minutes(5))
        let again = try folder.open()
        try again.unlock(.none)
        #expect(try again.item("a")?.testBytes == Array("a".utf8))
    }

    @Test("a new file that is larger than any is the rest of a crash like another; such a key file is malformed")
    func oversized() throws {
        _ = try folder.make()
        try write(Data(count: 70_000), "keyring.mk.new")
        try folder.open().unlock(.pin(VaultFolder.pin()))
        #expect(!exists("keyring.mk.new"))
        try write(Data(count: 70_000), "keyring.mk")
        #expect(code { _ = try folder.open() } == "malformed")
        #expect(exists("keyring.mk"))
    }

    @Test("without a key file, a new one is removed only if its writing was interrupted")
    func missingKeyFile() throws {
        _ = try folder.make()
        var bytes = try Data(contentsOf: URL(filePath: folder.path + "/keyring.mk"))
        try FileManager.default.removeItem(atPath: folder.path + "/keyring.mk")
        // Its reserved byte.
        bytes[55] = 1
        try write(bytes, "keyring.mk.new")
        #expect(code { _ = try folder.open() } == "recoverable")
        #expect(exists("keyring.mk.new"))
        try write(bytes.prefix(200), "keyring.mk.new")
        #expect(code { _ = try folder.open() } == "notFound")
        #expect(!exists("keyring.mk.new"))
    }

    private struct Counter: RollbackAnchor {
        var count: UInt64
        func value() -> UInt64 { count }
        func advance(to value: UInt64) throws { throw MainKeyError.locked }
    }

    /// Key files of one vault, at a value of its application's counter and at the next.
    private func anchoredOutside(at value: UInt64) throws -> (current: Data, new: Data) {
        let (vault, _) = try folder.make()
        let (known, unlocked) = try vault.memory.unlocked()
        func bytes(_ step: UInt64) -> Data {
            var file = known
            file.generation += step
            file.anchor = .external(value: value + step)
            return Data(file.bytes(under: unlocked.secrets))
        }
        return (bytes(0), bytes(1))
    }

    @Test("of two files the application's counter tells the one that is meant", arguments: [7, 8, 9] as [UInt64])
    func outsideAnchor(count: UInt64) throws {
        let (current, new) = try anchoredOutside(at: 7)
        try write(current, "keyring.mk")
        try write(new, "keyring.mk.new")
        #expect(code { _ = try folder.open() } == "hardwareUnavailable")
        #expect(exists("keyring.mk.new"))
        var options = OpenOptions()
        options.externalAnchor = Counter(count: count)
        if count == 9 {
            #expect(code { _ = try Unwatched.open(at: folder.path, options) } == "rolledBack")
            return
        }
        try Unwatched.open(at: folder.path, options).unlock(.pin(VaultFolder.pin()))
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/keyring.mk")) == (count == 7 ? current : new))
    }

    @Test("where the application's counter may have moved, the new file stays")
    func outsideAnchorFails() throws {
        try write(try anchoredOutside(at: 7).current, "keyring.mk")
        var options = OpenOptions()
        options.externalAnchor = Counter(count: 7)
        let vault = try Unwatched.open(at: folder.path, options)
        try vault.unlock(.pin(VaultFolder.pin()))
        #expect(code { try vault.setAutolock(.minutes(5)) } == "io")
        #expect(exists("keyring.mk.new"))
    }

    @Test("a change that could not be written is taken back, whatever the reason")
    func undone() throws {
        let (vault, _) = try folder.make()
        let (file, unlocked) = try vault.memory.unlocked()
        let change = KeyFileChange(file: file, secrets: unlocked.secrets)
        let blocker = folder.path + "/keyring.mk.new"
        try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: false)
        var isUndone = false
        #expect(code { try vault.commits.commit(change, from: file.generation) { isUndone = true } } == "io")
        #expect(isUndone)
        try FileManager.default.removeItem(atPath: blocker)
        isUndone = false
        #expect(code { try vault.commits.commit(change, from: file.generation + 1) { isUndone = true } } == "stale")
        #expect(isUndone)
        isUndone = false
        try vault.commits.commit(change, from: file.generation) { isUndone = true }
        #expect(!isUndone)
    }

    @Test("data of a wipe that cannot be removed keeps the mark, and a link goes without what it leads to")
    func dataOfWipe() throws {
        let (vault, _) = try folder.make()
        let (data, link) = (folder.url.path + "/data", folder.url.path + "/link")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data)
        #expect(code { try vault.wipe(data: [link, "/proc/self/status"]) } == "io")
        #expect(exists("wipe.mk") && !exists("keyring.mk"))
        #expect(FileManager.default.fileExists(atPath: data))
        #expect((try? FileManager.default.attributesOfItem(atPath: link)) == nil)
    }

    @Test("what goes wrong behind a commit does not make the change look failed; the file is named")
    func damagedItem() async throws {
        let (vault, recovery) = try folder.make()
        try vault.setItem("locked only", SecretBytes(test: "s"), access: .whenPasscodeSetThisDeviceOnly)
        try vault.setItem("other", SecretBytes(test: "o"))
        try write(Data([1, 2, 3]), "items/00.item")
        let events = vault.events
        try vault.setProtections(
            keeping: [], adding: [.none, .recovery(recovery)], authenticatedBy: .pin(VaultFolder.pin()),
            VaultFolder.options)
        #expect(try vault.status().ways.map(\.kind) == ["none", "recovery"])
        #expect(try vault.item("locked only") == nil)
        #expect(try vault.item("other") != nil)
        for await event in events {
            guard case .hardwareLeftover(let text) = event else { continue }
            #expect(text.contains("items/00.item"))
            break
        }
    }

    @Test("a new way to open the vault is not made cheaper than any that is made with it")
    func cost() throws {
        let (vault, _) = try folder.make()
        var options = VaultOptions()
        options.cost = Argon2Cost(passes: 1, memoryKiB: 8192)
        let generation = try vault.status().generation
        #expect(
            code {
                try vault.setProtections(
                    keeping: [], adding: [.pin(VaultFolder.pin(VaultFolder.otherPIN))],
                    authenticatedBy: .pin(VaultFolder.pin()), options)
            } == "configError")
        #expect(
            code {
                try vault.rekey(
                    [.pin(VaultFolder.pin(VaultFolder.otherPIN))], authenticatedBy: .pin(VaultFolder.pin()), options)
            } == "configError")
        #expect(try vault.status().generation == generation)
    }
}
