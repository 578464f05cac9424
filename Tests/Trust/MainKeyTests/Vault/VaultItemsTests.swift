import CLinux
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// As an application uses them.
@Suite("Tokens, items and cleartext of a vault")
struct VaultItemsTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func makeVault() throws -> MainKeyVault {
        try MainKeyVault.create(at: folder.path, [.pin(VaultFolder.pin())], VaultFolder.options)
    }

    @Test("tokens and items come back, are listed without a key, and go")
    func items() async throws {
        let vault = try makeVault()
        let value = try SecretBytes(test: "tk-5521")
        try vault.setToken("mail", value)
        try vault.setItem("device", value)
        #expect(try vault.token("mail") == value && vault.item("device") == value)
        #expect(try vault.token("device") == nil && vault.item("mail") == nil)
        vault.lock()
        #expect(try vault.tokenNames() == ["mail"] && vault.itemLabels() == ["device"])
        #expect(code { _ = try vault.token("mail") } == "locked")
        #expect(code { _ = try vault.item("device") } == "locked")
        try vault.removeToken("mail")
        try vault.removeItem("device")
        #expect(try vault.tokenNames().isEmpty && vault.itemLabels().isEmpty)
    }

    @Test("labels are bytes: what begins with a mark is listed, sealed anew and removed like all others")
    func marks() throws {
        let vault = try makeVault()
        let name = "\u{301}x"
        try vault.setToken(name, SecretBytes(test: "t"))
        try vault.setItem(name, SecretBytes(test: "i"))
        #expect(try vault.tokenNames() == [name] && vault.itemLabels() == [name])
        for prefix in [VaultItems.tokenPrefix, NoneProtection.prefix] {
            #expect(code { try vault.setItem(prefix + name, SecretBytes(test: "x")) } == "configError")
        }
        try vault.rotate([])
        #expect(try vault.checkItems() == 0)
        #expect(try vault.token(name)?.testBytes == Array("t".utf8))
        #expect(try vault.item(name)?.testBytes == Array("i".utf8))
        try vault.removeToken(name)
        try vault.removeItem(name)
        #expect(try vault.tokenNames().isEmpty && vault.itemLabels().isEmpty)
    }

    @Test(
        "a wipe leaves nothing in the kernel's keyring, whatever a label begins with",
        .enabled(if: (try? KernelKeyring.checkAvailability()) != nil))
    func wipedCache() throws {
        let vault = try makeVault()
        let labels = ["device", "\u{301}x"]
        for label in labels {
            try vault.setItem(label, SecretBytes(test: "first"), access: .afterFirstUnlockThisDeviceOnly)
        }
        let cache = vault.items.cache
        for label in labels { #expect(cache.value(label) != nil) }
        try vault.wipe()
        for label in labels { #expect(cache.value(label) == nil) }
    }

    @Test("cleartext of a file is there for as long as it is lent, with or without a name")
    func cleartext() async throws {
        let vault = try makeVault()
        let plain = folder.url.appending(path: "plain")
        let sealed = folder.url.appending(path: "sealed").path
        let content = Data("the key is under the third stone".utf8)
        try content.write(to: plain)
        try vault.withUnlocked { vault in
            _ = try vault.encryptFile(at: plain.path, to: sealed, context: Array("letter".utf8))
        }
        var path: String?
        for name in [nil, "letter.txt"] {
            let read = try vault.withCleartext(of: sealed, context: Array("letter".utf8), named: name) { clear in
                path = clear.path
                #expect(clear.url.lastPathComponent == name ?? "\(clear.fileDescriptor)")
                return try Data(contentsOf: clear.url)
            }
            #expect(read == content)
            #expect((path != nil) == (name != nil))
        }
        #expect(try !FileManager.default.fileExists(atPath: #require(path)))
        #expect(code { try vault.withCleartext(of: sealed) { _ in } } == "fileKeyMismatch")
    }

    @Test("when the vault is locked, cleartext that is lent is emptied")
    func lockedMeanwhile() async throws {
        let vault = try makeVault()
        let plain = folder.url.appending(path: "plain")
        let sealed = folder.url.appending(path: "sealed").path
        try Data("secret".utf8).write(to: plain)
        try vault.withUnlocked { vault in _ = try vault.encryptFile(at: plain.path, to: sealed) }
        try vault.withCleartext(of: sealed, named: "a.txt") { clear in
            vault.lock()
            var status = stat()
            #expect(fstat(clear.fileDescriptor, &status) == 0 && status.st_size == 0)
            #expect(!FileManager.default.fileExists(atPath: clear.url.path))
        }
    }

    @Test("cleartext that is not whole when the vault is locked is lent to nobody", arguments: [nil, "a.bin"])
    func lockedTooEarly(name: String?) throws {
        let vault = try makeVault()
        let (plain, sealed) = (folder.url.appending(path: "plain"), folder.url.appending(path: "sealed"))
        try Data(count: 4 << 20).write(to: plain)
        try vault.withUnlocked { vault in _ = try vault.encryptFile(at: plain.path, to: sealed.path) }
        let pipe = folder.url.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let bytes = try Data(contentsOf: sealed)
        // The pipe's reader goes before all is written.
        signal(SIGPIPE, SIG_IGN)
        // A pipe holds 64 KiB: the most of this was decrypted when it has been written.
        let writer = Thread {
            guard let sink = FileHandle(forWritingAtPath: pipe) else { return }
            try? sink.write(contentsOf: bytes.prefix(3 << 20))
            vault.lock()
            try? sink.write(contentsOf: bytes.dropFirst(3 << 20))
            try? sink.close()
        }
        writer.start()
        var isLent = false
        #expect(code { try vault.withCleartext(of: pipe, named: name) { _ in isLent = true } } == "locked")
        #expect(!isLent)
    }

    // MARK: After the first unlock

    private func locked(_ access: Accessibility) throws -> MainKeyVault {
        let vault = try makeVault()
        try vault.setItem("device", SecretBytes(test: "first"), access: access)
        vault.lock()
        return vault
    }

    @Test("what may be read after the first unlock is read from a vault that has locked, and nothing else is")
    func afterFirstUnlock() throws {
        for access: Accessibility in [.whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly] {
            let folder = try VaultFolder()
            let (vault, _) = try folder.make()
            try vault.setItem("device", SecretBytes(test: "first"), access: access)
            vault.lock()
            #expect(code { _ = try vault.item("device") } == "locked")
        }
        let vault = try locked(.afterFirstUnlockThisDeviceOnly)
        #expect(try vault.item("device") == SecretBytes(test: "first"))
        #expect(try vault.item("other") == nil)
    }

    @Test("it is kept only as long as it is stored for that, whoever says otherwise", arguments: [true, false])
    func keptNoLonger(isOwnChange: Bool) throws {
        let vault = try locked(.afterFirstUnlockThisDeviceOnly)
        try vault.unlock(.pin(VaultFolder.pin()))
        let changing = isOwnChange ? vault : try folder.open()
        if !isOwnChange { try changing.unlock(.pin(VaultFolder.pin())) }
        try changing.setItem("device", SecretBytes(test: "second"), access: .whenUnlockedThisDeviceOnly)
        vault.lock()
        #expect(code { _ = try vault.item("device") } == "locked")
        if isOwnChange { #expect(vault.items.cache.value("device") == nil) }
    }

    @Test("it is gone once it was removed, whoever did", arguments: [true, false])
    func removed(isOwnChange: Bool) throws {
        let vault = try locked(.afterFirstUnlockThisDeviceOnly)
        try vault.unlock(.pin(VaultFolder.pin()))
        let changing = isOwnChange ? vault : try folder.open()
        if !isOwnChange { try changing.unlock(.pin(VaultFolder.pin())) }
        try changing.removeItem("device")
        vault.lock()
        #expect(try vault.item("device") == nil)
        if isOwnChange { #expect(vault.items.cache.value("device") == nil) }
    }

    @Test("the last one counts, also where the kernel's keyring takes the one before and not this one")
    func largerThanBefore() throws {
        let vault = try locked(.afterFirstUnlockThisDeviceOnly)
        try vault.unlock(.pin(VaultFolder.pin()))
        for count in [KernelKeyring.mostPayloadBytes + 1, 3] {
            let value = try SecretBytes.random(count: count)
            try vault.setItem("device", value, access: .afterFirstUnlockThisDeviceOnly)
            vault.lock()
            #expect(try vault.item("device") == value)
            try vault.unlock(.pin(VaultFolder.pin()))
        }
    }
}
