import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("Key items in files")
struct FileItemStoreTests {
    private let folder = StorageFolder()
    private let vault: VaultDirectory
    private let store: FileItemStore

    init() throws {
        vault = try VaultDirectory(folder.file("vault"), .creating)
        store = FileItemStore(in: vault, service: "org.example")
    }

    private func path(_ label: String) -> String { folder.file("vault/items/" + store.fileName(label)) }

    @Test("the name of a file is the hash of service and label")
    func name() {
        // By Python's hashlib.
        #expect(store.fileName("refresh token") == "465ccf6519da005e4887ed67071aa80a.item")
    }

    @Test("an item in a file is written, read, replaced, listed and removed")
    func life() throws {
        #expect(try store.read("a") == nil)
        #expect(try store.labels().isEmpty)
        try store.write("a", try secretBytes("first"), access: .whenUnlockedThisDeviceOnly)
        try store.write("b", try secretBytes("other"), access: .always)
        try store.write("a", try secretBytes("second"), access: .afterFirstUnlockThisDeviceOnly)
        #expect(text(try store.read("a")) == "second")
        #expect(try store.item("a")?.access == .afterFirstUnlockThisDeviceOnly)
        #expect(try store.labels() == ["a", "b"])
        #expect(try store.labels(access: .always) == ["b"])
        try store.delete("a")
        try store.delete("a")
        #expect(try store.read("a") == nil)
        #expect(try store.labels() == ["b"])
    }

    @Test("files are for their owner alone, in a folder that is too")
    func modes() throws {
        try store.write("a", try secretBytes("x"), access: .always)
        var status = stat()
        #expect(stat(path("a"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(stat(folder.file("vault/items"), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }

    @Test("services do not see each other's items")
    func services() throws {
        let other = FileItemStore(in: vault, service: "org.other")
        try store.write("a", try secretBytes("ours"), access: .always)
        try other.write("a", try secretBytes("theirs"), access: .always)
        #expect(text(try store.read("a")) == "ours")
        #expect(text(try other.read("a")) == "theirs")
        #expect(try store.labels() == ["a"])
    }

    @Test("an item that cannot be read is an error, not absent")
    func unreadable() throws {
        try store.write("a", try secretBytes("x"), access: .always)
        chmod(path("a"), 0o644)
        #expect(code { _ = try store.read("a") } == "io")
        chmod(path("a"), 0o600)
        var file = try #require(FileManager.default.contents(atPath: path("a")))
        file[file.count - 1] ^= 1
        try file.write(to: URL(filePath: path("a")))
        chmod(path("a"), 0o600)
        #expect(code { _ = try store.read("a") } == "malformed")
        #expect(code { _ = try store.labels() } == "malformed")
    }

    @Test("an item under the name of another is found out")
    func moved() throws {
        try store.write("a", try secretBytes("x"), access: .always)
        #expect(rename(path("a"), path("b")) == 0)
        #expect(code { _ = try store.read("b") } == "tampered")
        #expect(try store.read("a") == nil)
    }

    @Test("wiping overwrites and removes the items of all services, damaged and half written ones too")
    func wipe() throws {
        try store.write("a", try secretBytes("secret"), access: .always)
        try FileItemStore(in: vault, service: "other").write("a", try secretBytes("secret"), access: .always)
        let observer = open(path("a"), O_RDONLY)
        defer { close(observer) }
        let items = try #require(try vault.items(.existing))
        try items.write([1, 2, 3], to: "damaged.item")
        try [4, 5].withUnsafeBytes { try items.stage($0, as: "half.item.new") }
        try store.wipe()
        #expect(try items.names() == ["CACHEDIR.TAG"])
        var seen = [UInt8](repeating: 1, count: 100)
        let count = read(observer, &seen, 100)
        #expect(count > 0 && seen[..<count].allSatisfy { $0 == 0 })
    }
}
