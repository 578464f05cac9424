import Foundation
import Testing

@testable import MainKey

/// One process writes encrypted files while another one does. Neither watches the folder of the vault.
@Suite("Encrypted files that two processes write")
struct ConcurrentFilesTests {
    /// A vault that two processes have open.
    private final class Scene {
        let folder: VaultFolder
        let one: MainKeyVault
        let other: MainKeyVault

        init() throws {
            folder = try VaultFolder()
            (one, _) = try folder.make()
            other = try folder.open()
            try other.unlock(.pin(VaultFolder.pin()))
            try FileManager.default.createDirectory(atPath: path("files"), withIntermediateDirectories: false)
        }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

        func write(_ text: String, _ name: String, _ vault: MainKeyVault, isListed: Bool = false) throws {
            try Data(text.utf8).write(to: URL(filePath: path("plain")))
            let listedName = isListed ? UnlockedVault.listedName(ofFileAt: path(name)) : nil
            _ = try vault.withUnlocked {
                try $0.encryptFile(at: path("plain"), to: path(name), listedAs: listedName)
            }
        }

        func read(_ name: String) -> String {
            do {
                return try one.withUnlocked {
                    String(decoding: try $0.fileReader(at: path(name)).read(at: 0, count: 100), as: UTF8.self)
                }
            } catch let error as MainKeyError { return error.code } catch { return "\(error)" }
        }

        /// A rotation of the other process, as something that goes on while this one works.
        func rotate(keepsOldEpoch: Bool) {
            do { try other.rotate([FileRotation(root: path("files"))], keepsOldEpoch: keepsOldEpoch) } catch {
                Issue.record(error)
            }
        }
    }

    @Test("a file that is being encrypted while a rotation begins gets no place", arguments: [true, false])
    func rotatedMeanwhile(keepsOldEpoch: Bool) throws {
        let scene = try Scene()
        let letter = scene.path("files/letter")
        try Data("text".utf8).write(to: URL(filePath: letter))
        #expect(
            code {
                try scene.one.withUnlocked {
                    _ = try $0.encryptFile(at: letter, to: letter) { _ in scene.rotate(keepsOldEpoch: keepsOldEpoch) }
                }
            } == "unknownEpoch")
        #expect(try scene.bytes("files/letter") == Data("text".utf8))
        try scene.write("text", "files/letter", scene.one)
        #expect(scene.read("files/letter") == "text")
        #expect(try FileRotation(root: scene.path("files")).count(active: 2) == (1, 0))
    }

    @Test("of a stream that is encrypted while a rotation begins it is told", arguments: [true, false])
    func streamRotatedMeanwhile(keepsOldEpoch: Bool) throws {
        let scene = try Scene()
        try Data("text".utf8).write(to: URL(filePath: scene.path("plain")))
        func encrypt(_ progress: @escaping (UInt64) -> Void) -> String {
            code {
                let source = try FileHandle(forReadingFrom: URL(filePath: scene.path("plain")))
                let sink = try #require(FileHandle(forWritingAtPath: "/dev/null"))
                try scene.one.withUnlocked {
                    _ = try $0.encrypt(from: source.fileDescriptor, to: sink.fileDescriptor, progress: progress)
                }
            }
        }
        #expect(encrypt { _ in scene.rotate(keepsOldEpoch: keepsOldEpoch) } == "unknownEpoch")
        #expect(encrypt { _ in } == "ok")
    }

    @Test("so it is of a value that leaves the vault", arguments: [true, false])
    func valueRotatedMeanwhile(keepsOldEpoch: Bool) throws {
        let scene = try Scene()
        #expect(
            code {
                try scene.one.withUnlocked { vault in
                    let epoch = try vault.currentEpoch
                    scene.rotate(keepsOldEpoch: keepsOldEpoch)
                    try vault.checkIsActive(epoch)
                }
            } == "unknownEpoch")
        scene.rotate(keepsOldEpoch: false)
        try scene.one.withUnlocked { vault in
            let epoch = try vault.currentEpoch
            #expect(try UnlockedVault.epoch(of: vault.seal("text", .token("t"))) == epoch)
            try vault.checkIsActive(epoch)
        }
    }

    @Test("what a process writes that has not seen a rotation is written in the new epoch")
    func lateFile() throws {
        let scene = try Scene()
        scene.rotate(keepsOldEpoch: false)
        try scene.write("text", "files/letter", scene.one)
        #expect(try UnlockedVault.epoch(ofFileAt: scene.path("files/letter")) == 2)
    }

    @Test(
        "what another process does with files during a rotation is neither undone nor brought back",
        arguments: [true, false])
    func changedMeanwhile(isListed: Bool) throws {
        let scene = try Scene()
        let names = ["a", "b", "c"].map { "files/\($0)" }
        for name in names { try scene.write("old", name, scene.one, isListed: isListed) }
        try scene.one.beginRotation()
        try scene.one.withUnlocked { vault in
            var waiting: [WaitingFile] = []
            for name in names { waiting.append(try vault.resealedFile(at: scene.path(name), context: [])) }
            try scene.write("new", names[0], scene.other)
            try FileManager.default.removeItem(atPath: scene.path(names[1]))
            #expect(try vault.place(waiting) == 1)
        }
        #expect(names.map(scene.read) == ["new", "notFound", "old"])
        let found = isListed ? ListedFilesCheck(compared: 2, missing: 1) : ListedFilesCheck()
        #expect(try scene.one.checkListedFiles() == found)
        try scene.one.finishRotation([FileRotation(root: scene.path("files"))])
        #expect(names.map(scene.read) == ["new", "notFound", "old"])
    }

    @Test("a file that is put back during a rotation is neither replaced nor lost: the old key stays")
    func putBackMeanwhile() throws {
        let scene = try Scene()
        for name in ["files/a", "files/b"] { try scene.write("old", name, scene.one) }
        try scene.write("old", "listed", scene.one, isListed: true)
        let former = try scene.bytes("files/a")
        try scene.write("new", "files/a", scene.one)
        // What a file is bound to is asked for directly before it is read; files of a vault that lists some wait for
        // each other.
        let place = FileRotation(root: scene.path("files")) { [path = scene.path("files/a")] name in
            if name == "b" { try? former.write(to: URL(filePath: path)) }
            return [[]]
        }
        #expect(code { try scene.one.rotate([place]) } == "configError")
        #expect(scene.read("files/a") == "old" && scene.read("files/b") == "old")
        try scene.one.rotate([FileRotation(root: scene.path("files"))], keepsOldEpoch: true)
        #expect(try FileRotation(root: scene.path("files")).count(active: 2) == (2, 0))
    }
}
