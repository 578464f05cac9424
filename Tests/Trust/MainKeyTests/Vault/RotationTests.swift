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
        _ = try again.withUnlocked { vault in
            try vault.decryptFile(
                at: files.path + "/deep/a", to: folder.url.path + "/out", context: Array("deep/a".utf8))
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "out")) == clear)
    }

    @Test("a vault of an application is not rotated by others, who do not know its data")
    func owned() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make { $0.owner = "an-application" }
        let sealed = try vault.seal("kept")
        #expect(code { try vault.rotate([]) } == "configError")
        #expect(code { try vault.rotate([], keepsOldEpoch: true) } == "configError")
        #expect(code { try vault.rotate([], by: "another-application") } == "configError")
        #expect(try vault.status().epochs.map(\.number) == [1])
        #expect(try vault.open(sealed) == "kept")
        #expect { try vault.rotate([]) } throws: { ($0 as? MainKeyError)?.rotatingProgram == "an-application" }
        try vault.wipe()
        #expect(try folder.files()["owner"] == nil)
    }

    @Test("the application that a vault belongs to rotates it, and a vault of nobody is anybody's")
    func owner() throws {
        for owner in ["an-application", nil] {
            let folder = try VaultFolder()
            let (vault, _) = try folder.make { $0.owner = owner }
            let sealed = try vault.seal("old")
            try vault.rotate([], by: "an-application")
            #expect(try vault.status().epochs.map(\.number) == [2])
            #expect(code { _ = try vault.open(sealed) } == "unknownEpoch")
        }
    }

    @Test("what names no program is neither made an owner nor told to anybody to run")
    func strangeOwner() throws {
        let names =
            ["", "x y", "reboot;", "$(reboot)", "a\u{1b}[31m", "../a", "-a", "A", "ä", "a\n"]
            + [String(repeating: "a", count: 65)]
        for name in names {
            let folder = try VaultFolder()
            #expect(code { _ = try folder.make { $0.owner = name } } == "configError", "\(name)")
        }
        let folder = try VaultFolder()
        let (vault, _) = try folder.make { $0.owner = String(repeating: "a", count: 64) }
        for name in names {
            try Data(name.utf8).write(to: URL(filePath: folder.path + "/owner"))
            #expect {
                try vault.rotate([])
            } throws: { error in
                (error as? MainKeyError)?.code == "tampered" && (name.count < 3 || !"\(error)".contains(name))
            }
        }
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

    /// How a rotation is under way when the MainKey changes.
    enum Unfinished: CaseIterable {
        case begun, kept
    }

    @Test(
        "a new MainKey brings a key of the data that no copy of before has, also in a rotation",
        arguments: Unfinished.allCases)
    func rekeyedMeanwhile(unfinished: Unfinished) throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        switch unfinished {
        case .begun: try vault.beginRotation()
        case .kept: try vault.rotate([], keepsOldEpoch: true)
        }
        let yesterday = try folder.files()
        try vault.setItem("item", SecretBytes(test: "i"))
        let between = try vault.seal("between")
        try vault.rekey(
            [.pin(VaultFolder.pin(VaultFolder.otherPIN))], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options
        )
        #expect(try vault.status().epochs.map(\.number) == [1, 2, 3])
        #expect(try vault.status().epochs.map(\.isActive) == [false, false, true])
        let rekeyed = try vault.seal("rekeyed")
        #expect(try vault.open(between) == "between")
        try vault.rotate([])
        #expect(try vault.status().epochs.map(\.number) == [3])
        #expect(try vault.status().isRotating == false)
        #expect(try vault.item("item")?.testBytes == Array("i".utf8))
        let rotated = try vault.seal("rotated")
        try folder.restore(yesterday)
        let restored = try folder.open()
        try restored.unlock(.pin(VaultFolder.pin()))
        #expect(code { _ = try restored.open(rekeyed) } == "unknownEpoch")
        #expect(code { _ = try restored.open(rotated) } == "unknownEpoch")
    }

    @Test("where four epochs are held, a new MainKey says to finish the rotation, and changes nothing")
    func rekeyedTooOften() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        try vault.beginRotation()
        func rekey() throws {
            try vault.rekey(
                [.pin(VaultFolder.pin())], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options)
        }
        for _ in 0..<2 { try rekey() }
        let before = try vault.status()
        #expect(before.epochs.map(\.number) == [1, 2, 3, 4])
        let error = #expect(throws: MainKeyError.self) { try rekey() }
        #expect(error?.code == "configError" && error?.situation == .rotationUnfinished)
        #expect(error?.description.contains("4 keys") == true && error?.rotatingProgram == nil)
        #expect(try vault.status().generation == before.generation)
        try vault.rotate([])
        try rekey()
        #expect(try vault.status().epochs.map(\.number) == [4])
    }

    @Test("a rotation that another process has ended is not gone on with: the next one brings a new key")
    func endedElsewhere() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        try vault.beginRotation()
        let other = try folder.open()
        try other.unlock(.pin(VaultFolder.pin()))
        try other.rotate([])
        try vault.rotate([])
        #expect(try vault.status().epochs.map(\.number) == [3])
    }

    /// A vault whose folder `files` has an encrypted file.
    private func vaultWithFile(
        _ folder: VaultFolder, _ change: (inout VaultOptions) -> Void = { _ in }
    ) throws -> (vault: MainKeyVault, files: String) {
        let (vault, _) = try folder.make(change)
        let files = folder.url.path + "/files"
        try FileManager.default.createDirectory(atPath: files + "/deep", withIntermediateDirectories: true)
        try Data("clear".utf8).write(to: folder.url.appending(path: "clear"))
        try vault.withUnlocked { vault in
            _ = try vault.encryptFile(at: folder.url.path + "/clear", to: files + "/deep/a")
        }
        return (vault, files)
    }

    @Test("a folder behind a symbolic link is rotated like the folder itself")
    func linkedFolder() throws {
        let folder = try VaultFolder()
        let (vault, files) = try vaultWithFile(folder)
        let link = folder.url.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files)
        #expect(try FileRotation(root: link).count(active: 1) == (1, 0))
        try vault.rotate([FileRotation(root: link)])
        try vault.withUnlocked { _ = try $0.checkFile(at: files + "/deep/a") }
    }

    @Test("a folder of which something cannot be read loses no key")
    func unreadableFolder() throws {
        let folder = try VaultFolder()
        let (vault, files) = try vaultWithFile(folder)
        for root in [folder.url.path + "/nowhere", folder.url.path + "/clear", ""] {
            #expect(code { try vault.rotate([FileRotation(root: root)]) } == "io", "\(root)")
        }
        // A name that cannot be told in text.
        let strange = Array("\(files)/".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
        let descriptor = creat(strange, 0o600)
        defer { unlink(strange) }
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(code { try vault.rotate([FileRotation(root: files)]) } == "io")
        #expect(try vault.status().epochs.map(\.number) == [1, 2])
        try vault.withUnlocked { _ = try $0.checkFile(at: files + "/deep/a") }
    }

    @Test("links in a folder are not followed")
    func linksInside() throws {
        let folder = try VaultFolder()
        let (_, files) = try vaultWithFile(folder)
        try FileManager.default.createSymbolicLink(atPath: files + "/loop", withDestinationPath: files)
        try FileManager.default.createSymbolicLink(atPath: files + "/b", withDestinationPath: files + "/deep/a")
        #expect(try FolderWalk(files).files() == ["deep/a"])
    }

    @Test("a file that ends the rotation is named")
    func foreignFile() throws {
        let (folder, other) = (try VaultFolder(), try VaultFolder())
        let (vault, files) = try vaultWithFile(folder)
        let (_, foreign) = try vaultWithFile(other)
        try FileManager.default.copyItem(atPath: foreign + "/deep/a", toPath: files + "/foreign")
        #expect {
            try vault.rotate([FileRotation(root: files)])
        } throws: { error in
            guard let error = error as? SealedFileError else { return false }
            return error.path.hasSuffix("/files/foreign") && error.error == .fileKeyMismatch
                && error.description.contains("/files/foreign")
        }
        #expect(try vault.status().epochs.map(\.number) == [1, 2])
    }

    @Test("a vault that locks after each use locks when the whole rotation is over")
    func alwaysLocking() throws {
        let folder = try VaultFolder()
        let (vault, files) = try vaultWithFile(folder) { $0.autolock = .always }
        try vault.unlock(.pin(VaultFolder.pin()))
        try vault.setToken("a", SecretBytes(test: "a"))
        try vault.rotate([FileRotation(root: files)])
        #expect(vault.state == .locked)
        #expect(try vault.status().epochs.map(\.number) == [2])
    }

    @Test("what another process does with items during a rotation is neither undone nor brought back")
    func concurrentItems() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        for name in ["a", "b", "c"] { try vault.setToken(name, SecretBytes(test: "old")) }
        let other = try folder.open()
        try other.unlock(.pin(VaultFolder.pin()))
        try vault.rotate([]) { progress in
            guard progress.done == 1 else { return }
            try other.removeToken("b")
            try other.setToken("c", SecretBytes(test: "new"))
        }
        #expect(try vault.tokenNames() == ["a", "c"])
        #expect(try vault.token("c")?.testBytes == Array("new".utf8))
        #expect(try vault.status().epochs.map(\.number) == [2])
    }

    @Test("what a process stores that has not seen a rotation is sealed under the new key")
    func lateItem() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        let other = try folder.open()
        try other.unlock(.pin(VaultFolder.pin()))
        try vault.rotate([])
        try other.setToken("late", SecretBytes(test: "l"))
        #expect(try vault.token("late")?.testBytes == Array("l".utf8))
        #expect(try other.token("late")?.testBytes == Array("l".utf8))
    }
}
