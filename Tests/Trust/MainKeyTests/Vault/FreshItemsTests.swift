import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// Each attack puts files back as they were before the token was set for the second time. What is expected is the table
/// in docs/mainkey.md.
@Suite("Items that are put back", .enabled(if: SoftwareTPM.isInstalled))
struct FreshItemsTests {
    enum Protection: CaseIterable {
        case pin, counter, strict, external

        /// Whether whoever puts the whole vault back is found out.
        var isAnchoredStrictly: Bool { self == .strict || self == .external }
    }

    enum Attack: CaseIterable {
        case item, allItems, list, listAndItem, listAndItems, keyFile, keyFileAndList, keyFileAndItems, everything

        func takes(_ name: String, of item: String) -> Bool {
            let isItem = name.hasPrefix("items/") && name.hasSuffix(".item")
            return switch self {
            case .item: name == item
            case .allItems: isItem
            case .list: name == "items.mk"
            case .listAndItem: name == "items.mk" || name == item
            case .listAndItems: name == "items.mk" || isItem
            case .keyFile: name == "keyring.mk"
            case .keyFileAndList: name == "keyring.mk" || name == "items.mk"
            case .keyFileAndItems: name == "keyring.mk" || isItem
            case .everything: true
            }
        }

        var takesKeyFile: Bool { takes("keyring.mk", of: "") }
    }

    /// A vault in which the token "t" was "old" and is "new", and "removed" was there and is not.
    final class Scene {
        let folder: VaultFolder
        let before: [String: Data]
        private let bound: BoundVault?
        private var options = OpenOptions()
        private let credential: Credential

        /// A number that nobody can put back.
        final class Counter: RollbackAnchor, @unchecked Sendable {
            // One thread of one test uses it.
            var count: UInt64 = 0
            func value() -> UInt64 { count }
            func advance(to value: UInt64) { count = value }
        }

        init(_ protection: Protection) throws {
            switch protection {
            case .pin, .external:
                bound = nil
                folder = try VaultFolder()
                credential = .pin(try VaultFolder.pin())
                if protection == .external { options.externalAnchor = Counter() }
                _ = try Unwatched.create(at: folder.path, [.pin(VaultFolder.pin())], VaultFolder.options, options)
            case .counter, .strict:
                let bound = try BoundVault(.counter) { $0.hasStrictAnchor = protection == .strict }
                self.bound = bound
                folder = bound.folder
                options = bound.options
                credential = .hardwareAndPIN(try VaultFolder.pin())
            }
            let vault = try Unwatched.open(at: folder.path, options)
            try vault.unlock(credential)
            try vault.setToken("t", SecretBytes(test: "old"))
            try vault.setItem("removed", SecretBytes(test: "r"))
            before = try folder.files()
            try vault.setToken("t", SecretBytes(test: "new"))
            try vault.removeItem("removed")
        }

        func open() throws -> MainKeyVault {
            let vault = try Unwatched.open(at: folder.path, options)
            try vault.unlock(credential)
            return vault
        }

        func itemFile(_ label: String) -> String {
            "items/" + FileItemStore.fileName(FileItemStore.number(label, service: ListedItems.service))
        }

        func put(_ bytes: Data, _ name: String) throws {
            let url = URL(filePath: folder.path + "/" + name)
            try bytes.write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }

        func putBack(_ attack: Attack) throws {
            if attack == .everything { return try folder.restore(before) }
            for (name, bytes) in before where attack.takes(name, of: itemFile("token/t")) { try put(bytes, name) }
        }

        /// What reading gives; the code of what refuses it.
        func read(_ body: (MainKeyVault) throws -> SecretBytes? = { try $0.token("t") }) -> String {
            do {
                return try body(open()).map { String(decoding: $0.testBytes, as: UTF8.self) } ?? "none"
            } catch let error as MainKeyError { return error.code } catch { return "\(error)" }
        }
    }

    @Test("an item that is put back is noticed, as the manual's table says", arguments: Protection.allCases)
    func putBack(protection: Protection) throws {
        let scene = try Scene(protection)
        let now = try scene.folder.files()
        #expect(scene.read() == "new")
        for attack in Attack.allCases {
            try scene.putBack(attack)
            let isNoticed = attack != .everything || protection.isAnchoredStrictly
            #expect(scene.read() == (isNoticed ? "rolledBack" : "old"), "\(protection), \(attack)")
            if attack == .item { #expect(situation { _ = try scene.open().token("t") } == .itemsPutBack) }
            let verified = code { _ = try scene.open().checkItems() }
            #expect(verified == (isNoticed ? "rolledBack" : "ok"), "\(protection), \(attack)")
            try scene.folder.restore(now)
        }
        #expect(scene.read() == "new")
    }

    @Test(
        "a key file that is put back alone is refused at once where every change is anchored",
        arguments: [
            Protection.strict, .external,
        ])
    func oldKeyFile(protection: Protection) throws {
        let scene = try Scene(protection)
        for attack in Attack.allCases where attack.takesKeyFile {
            try scene.putBack(attack)
            #expect(code { _ = try scene.open() } == "rolledBack", "\(attack)")
        }
    }

    @Test("an item that was removed does not come back", arguments: Protection.allCases)
    func removed(protection: Protection) throws {
        let scene = try Scene(protection)
        let name = scene.itemFile("removed")
        #expect(scene.read { try $0.item("removed") } == "none")
        try scene.put(try #require(scene.before[name]), name)
        #expect(scene.read { try $0.item("removed") } == "rolledBack")
        #expect(code { _ = try scene.open().checkItems() } == "rolledBack")
        // It can be removed again, or set.
        try scene.open().removeItem("removed")
        #expect(try scene.open().checkItems() == 0)
    }

    @Test("without its list a vault gives no item, whatever protects it", arguments: Protection.allCases)
    func missingList(protection: Protection) throws {
        let scene = try Scene(protection)
        try scene.remove("items.mk")
        #expect(scene.read() == "tampered")
        let vault = try scene.open()
        #expect(situation { _ = try vault.token("t") } == .itemListLost)
        #expect(code { try vault.setToken("t", SecretBytes(test: "more")) } == "tampered")
        #expect(code { try vault.setToken("other", SecretBytes(test: "more")) } == "tampered")
        // What has nothing to do with items goes on.
        try vault.setAutolock(.minutes(5))
        #expect(scene.read() == "tampered")
        // A person says that they are right.
        #expect(try vault.acceptItems().count == 1)
        #expect(scene.read() == "new")
    }

    @Test(
        "a missing item is none where anybody may remove it, and told where every change is anchored",
        arguments: [
            Protection.pin, .strict,
        ])
    func missingItem(protection: Protection) throws {
        let scene = try Scene(protection)
        try scene.remove(scene.itemFile("token/t"))
        if protection == .pin {
            #expect(scene.read() == "none")
            #expect(try scene.open().checkItems() == 1)
            // The next change of any item takes note of it.
            try scene.open().setItem("other", SecretBytes(test: "o"))
            #expect(try scene.open().checkItems() == 0)
        } else {
            #expect(scene.read() == "tampered")
            #expect(code { _ = try scene.open().checkItems() } == "tampered")
            try scene.open().setToken("t", SecretBytes(test: "again"))
            #expect(scene.read() == "again")
        }
    }

    @Test(
        "a locked vault with a strict anchor removes nothing; another one forgets what was removed at its next change")
    func lockedRemoval() throws {
        let strict = try Scene(.strict)
        let vault = try strict.open()
        vault.lock()
        #expect(code { try vault.removeToken("t") } == "locked")
        #expect(strict.read() == "new")
        let scene = try Scene(.pin)
        let name = scene.itemFile("token/t")
        let kept = try #require(scene.folder.files()[name])
        try Unwatched.open(at: scene.folder.path).removeToken("t")
        try scene.put(kept, name)
        #expect(scene.read() == "new")
        try Unwatched.open(at: scene.folder.path).removeToken("t")
        try scene.open().setItem("other", SecretBytes(test: "o"))
        try scene.put(kept, name)
        #expect(scene.read() == "rolledBack")
    }

    @Test("a rotation does not make an older item a new one")
    func rotation() throws {
        let scene = try Scene(.pin)
        try scene.putBack(.item)
        #expect(code { try scene.open().rotate([]) } == "rolledBack")
        #expect(scene.read() == "rolledBack")
        try scene.open().removeToken("t")
        try scene.open().rotate([])
        #expect(scene.read() == "none")
        // What the rotation wrote is fresh in its turn.
        try scene.open().setToken("t", SecretBytes(test: "rotated"))
        #expect(try scene.open().checkItems() == 0)
        #expect(scene.read() == "rotated")
    }

    @Test("another process reads what one has just written, and its own change does not undo it")
    func processes() throws {
        let scene = try Scene(.pin)
        let (one, other) = (try scene.open(), try scene.open())
        for count in 1...3 {
            try one.setToken("t", SecretBytes(test: "one \(count)"))
            #expect(try other.token("t")?.testBytes == Array("one \(count)".utf8))
            try other.setItem("i", SecretBytes(test: "other \(count)"))
            #expect(try one.item("i")?.testBytes == Array("other \(count)".utf8))
        }
        #expect(try one.checkItems() == 0)
    }

    @Test("with a strict anchor a change of an item moves the counter by one, and needs the TPM")
    func strictCost() throws {
        let bound = try BoundVault(.counter) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        let before = try #require(try vault.status().anchorValue)
        try vault.setToken("t", SecretBytes(test: "1"))
        try vault.setItem("i", SecretBytes(test: "2"))
        try vault.removeItem("i")
        // There is none: nothing changes.
        try vault.removeItem("i")
        #expect(try vault.status().anchorValue == before + 3)
        let recovered = try bound.open()
        try recovered.unlock(.recovery(bound.recovery))
        #expect(try recovered.token("t")?.testBytes == Array("1".utf8))
        #expect(code { try recovered.setToken("t", SecretBytes(test: "3")) } == "hardwareUnavailable")
        #expect(try bound.opened().token("t")?.testBytes == Array("1".utf8))
        #expect(try bound.folder.files().keys.allSatisfy { !$0.hasSuffix(".new") })
    }

    // MARK: Vaults of the first versions

    /// Makes the vault one of before there were lists.
    private func makeFirst(_ folder: VaultFolder) throws {
        let vault = try folder.open()
        try vault.unlock(.pin(VaultFolder.pin()))
        let unlocked = try vault.memory.unlocked().1
        var file = try vault.memory.unlocked().file
        file.itemRoot = nil
        let path = URL(filePath: folder.path + "/keyring.mk")
        try Data(file.bytes(under: unlocked.secrets)).write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
        try FileManager.default.removeItem(atPath: folder.path + "/items.mk")
    }

    @Test(
        "a vault of before there were lists opens, and lists its items with its first change", arguments: [false, true])
    func firstVersion(isItemChanged: Bool) throws {
        let scene = try Scene(.pin)
        try makeFirst(scene.folder)
        let item = scene.itemFile("token/t")
        let newest = try #require(scene.folder.files()[item])
        #expect(scene.read() == "new")
        let vault = try scene.open()
        let firstKeyFile = try #require(scene.folder.files()["keyring.mk"])
        #expect(try !vault.status().listsItems)
        // As before: nothing tells.
        try scene.putBack(.item)
        #expect(scene.read() == "old")
        try scene.put(newest, item)
        if isItemChanged { try vault.setItem("i", SecretBytes(test: "i")) } else { try vault.setAutolock(.minutes(5)) }
        #expect(try vault.status().listsItems)
        #expect(scene.read() == "new")
        try scene.putBack(.item)
        #expect(scene.read() == "rolledBack")
        try scene.remove("items.mk")
        #expect(scene.read() == "tampered")
        // What is not noticed without an anchor: the whole key file of before there was a list.
        try scene.put(firstKeyFile, "keyring.mk")
        #expect(scene.read() == "old")
    }

    // MARK: Killed commits

    /// What a commit from before to now leaves that is killed: beside its places, or in them.
    private func leave(_ scene: Scene, _ now: [String: Data], isCommitted: Bool) throws {
        let item = scene.itemFile("token/t")
        try scene.folder.restore(scene.before)
        if isCommitted { try scene.put(try #require(now["keyring.mk"]), "keyring.mk") }
        try scene.put(try #require(now["items.mk"]), "items.mk.new")
        try scene.put(try #require(now[item]), item + ".new")
    }

    private func items(_ scene: Scene) throws -> [String: Data] {
        Self.items(try scene.folder.files())
    }

    private static func items(_ files: [String: Data]) -> [String: Data] {
        files.filter { $0.key.hasPrefix("items") && !$0.key.hasSuffix("CACHEDIR.TAG") }
    }

    @Test("a commit of items that was killed is as it ended: read where it lies, and put right by an opening for use")
    func killed() throws {
        let scene = try Scene(.pin)
        let now = try scene.folder.files()
        let whole = try items(scene)
        try leave(scene, now, isCommitted: true)
        let left = try items(scene)
        let looking = try Unwatched.look(at: scene.folder.path)
        try looking.unlock(.pin(VaultFolder.pin()))
        #expect(try looking.token("t")?.testBytes == Array("new".utf8))
        #expect(try looking.item("removed") == nil)
        #expect(try looking.checkItems() == 0)
        #expect(try items(scene) == left)
        #expect(scene.read() == "new")
        #expect(try items(scene) == whole)
    }

    @Test("one that was killed before it was final leaves the old items and nothing else")
    func killedBefore() throws {
        let scene = try Scene(.pin)
        let now = try scene.folder.files()
        try leave(scene, now, isCommitted: false)
        #expect(scene.read() == "old")
        #expect(try items(scene) == Self.items(scene.before))
    }

    @Test("a removed item that was being overwritten when the process was killed goes")
    func killedRemoval() throws {
        let scene = try Scene(.pin)
        let now = try scene.folder.files()
        let whole = try items(scene)
        try leave(scene, now, isCommitted: true)
        let removed = scene.itemFile("removed")
        try scene.put(Data(count: try #require(scene.before[removed]).count), removed)
        #expect(scene.read { try $0.item("removed") } == "none")
        #expect(try items(scene) == whole)
    }

    @Test("where neither list is the one that the key file names, nothing is removed until a person decides")
    func neither() throws {
        let scene = try Scene(.pin)
        let now = try scene.folder.files()
        try scene.put(try #require(scene.before["items.mk"]), "items.mk")
        try scene.put(Data("MKL1".utf8), "items.mk.new")
        let left = try items(scene)
        #expect(scene.read() == "rolledBack")
        #expect(try items(scene) == left)
        #expect(try scene.open().acceptItems().count == 1)
        #expect(scene.read() == "new")
        #expect(try items(scene).keys.allSatisfy { !$0.hasSuffix(".new") })
        #expect(try items(scene)["items.mk"] == now["items.mk"])
    }

    // MARK: The list's form

    @Test("a list comes back, and every other form of it is refused")
    func form() throws {
        let vault = try #require(VaultID([UInt8](repeating: 7, count: 16)))
        var list = ItemList()
        for byte in [9, 3, 200] as [UInt8] {
            try list.list([UInt8](repeating: byte, count: 16), digest: [UInt8](repeating: byte, count: 32))
        }
        let bytes = list.bytes(of: vault)
        #expect(
            bytes.count == 24 + 3 * 48 && bytes.starts(with: Array("MKL1".utf8) + vault.bytes + [0, 0, 0, 3, 3, 3]))
        #expect(try ItemList(parsing: bytes, of: vault) == list)
        for end in bytes.indices {
            #expect(code { _ = try ItemList(parsing: Array(bytes[..<end]), of: vault) } == "truncated")
        }
        #expect(code { _ = try ItemList(parsing: bytes + [0], of: vault) } == "malformed")
        #expect(code { _ = try ItemList(parsing: [1] + bytes.dropFirst(), of: vault) } == "badMagic")
        let other = try #require(VaultID([UInt8](repeating: 8, count: 16)))
        #expect(code { _ = try ItemList(parsing: bytes, of: other) } == "tampered")
        // Twice the same name, and the second before the first.
        for name in [3, 2] as [UInt8] {
            var turned = bytes
            turned.replaceSubrange(72..<88, with: [UInt8](repeating: name, count: 16))
            #expect(code { _ = try ItemList(parsing: turned, of: vault) } == "malformed")
        }
        var many = Array(bytes.prefix(24))
        many.replaceSubrange(20..<24, with: [0, 1, 0, 1])
        #expect(code { _ = try ItemList(parsing: many, of: vault) } == "malformed")
    }
}
