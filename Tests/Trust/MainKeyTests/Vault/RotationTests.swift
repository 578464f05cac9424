import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("Rotation of a vault's data keys")
struct RotationTests {
    @Test("items, tokens and files are sealed anew, and the old key is forgotten")
    func rotates() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        try vault.setItem("item", SecretBytes(test: "i"), access: .afterFirstUnlockThisDeviceOnly)
        try vault.setToken("session", SecretBytes(test: "t"))
        let files = folder.url.appending(path: "files")
        try FileManager.default.createDirectory(at: files.appending(path: "deep"), withIntermediateDirectories: true)
        let clear = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        try clear.write(to: folder.url.appending(path: "clear"))
        try vault.withUnlocked { vault in
            try vault.encryptFile(
                at: folder.url.path + "/clear", to: files.path + "/deep/a", context: Array("deep/a".utf8))
            try vault.encryptFile(at: folder.url.path + "/clear", to: files.path + "/b")
        }
        try Data("no file of ours".utf8).write(to: files.appending(path: "c"))
        let sealed = try vault.seal("lost")
        let place = FileRotation(root: files.path)
        #expect(try place.count(active: 1) == (2, 0))
        var steps: [RotationProgress] = []
        try vault.rotate([place]) { steps.append($0) }
        #expect(steps.map(\.done).max() == 2)
        #expect(try place.count(active: 2) == (2, 0))
        #expect(try vault.status().epochs.map(\.number) == [2])
        #expect(try vault.status().isRotating == false)
        #expect(code { _ = try vault.open(sealed) } == "unknownEpoch")
        let again = try folder.open()
        try again.unlock(.pin(VaultFolder.pin()))
        #expect(try again.item("item")?.testBytes == Array("i".utf8))
        #expect(try again.token("session")?.testBytes == Array("t".utf8))
        try again.withUnlocked { vault in
            try vault.decryptFile(
                at: files.path + "/deep/a", to: folder.url.path + "/out", context: Array("deep/a".utf8))
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "out")) == clear)
    }

    @Test("a vault of an application is not rotated by others, who do not know its data")
    func owned() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make { $0.owner = "an application" }
        let sealed = try vault.seal("kept")
        #expect(code { try vault.rotate([]) } == "configError")
        #expect(code { try vault.rotate([], keepsOldEpoch: true) } == "configError")
        #expect(try vault.status().epochs.map(\.number) == [1])
        #expect(try vault.open(sealed) == "kept")
        try vault.wipe()
        #expect(try folder.files()["owner"] == nil)
    }

    @Test("nothing old is forgotten while a place still has it")
    func refusesToForget() throws {
        struct Stubborn: RotationPlace {
            var title: String { "a place" }
            func count(active epoch: UInt32) -> (total: Int, old: Int) { (3, 1) }
            func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {}
        }
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        let sealed = try vault.seal("kept")
        #expect(code { try vault.rotate([Stubborn()]) } == "configError")
        #expect(try vault.status().isRotating)
        #expect(try vault.open(sealed) == "kept")
        // The next run goes on in the same epoch.
        #expect(code { try vault.rotate([Stubborn()]) } == "configError")
        #expect(try vault.status().epochs.map(\.number) == [1, 2])
        try vault.rotate([], keepsOldEpoch: true)
        #expect(try vault.open(sealed) == "kept")
        try vault.rotate([])
        #expect(code { _ = try vault.open(sealed) } == "unknownEpoch")
    }
}
