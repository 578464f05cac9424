import Foundation
import HardwareKeys
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// Each attack puts files back as they were before the listed file was written for the second time. What is expected is
/// the table in docs/mainkey.md.
@Suite("Listed files that are put back", .enabled(if: SoftwareTPM.isInstalled))
struct ListedFilesTests {
    typealias Protection = FreshItemsTests.Protection

    enum Attack: CaseIterable {
        case file, fileAndList, fileAndKeyFile, everything
    }

    /// A vault that lists the file `letter`, which held "old" and holds "new".
    final class Scene {
        let vaults: FreshItemsTests.Scene
        var folder: VaultFolder { vaults.folder }
        var letter: String { path("letter") }
        private(set) var oldLetter = Data()
        private(set) var oldVault: [String: Data] = [:]

        init(_ protection: Protection = .pin) throws {
            vaults = try FreshItemsTests.Scene(protection)
            let vault = try open()
            try write("old", letter, vault, as: UnlockedVault.listedName(ofFileAt: letter))
            oldLetter = try bytes(letter)
            oldVault = try folder.files()
            // What is listed stays listed: nothing says so again.
            try write("new", letter, vault)
        }

        func open() throws -> MainKeyVault { try vaults.open() }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

        func write(_ text: String, _ path: String, _ vault: MainKeyVault, as name: String? = nil) throws {
            let plain = self.path("plain")
            try Data(text.utf8).write(to: URL(filePath: plain))
            try vault.withUnlocked { vault in
                _ = try vault.encryptFile(at: plain, to: path, context: Array("ctx".utf8), listedAs: name)
            }
        }

        /// What reading gives; the code of what refuses it.
        func read(_ path: String? = nil, as name: String? = nil, in vault: MainKeyVault? = nil) -> String {
            do {
                return try (vault ?? open()).withUnlocked { vault in
                    let reader = try vault.fileReader(
                        at: path ?? letter, context: Array("ctx".utf8), listedAs: name)
                    return String(decoding: try reader.read(at: 0, count: 100), as: UTF8.self)
                }
            } catch let error as MainKeyError { return error.code } catch { return "\(error)" }
        }

        func check() -> String { code { _ = try open().checkListedFiles() } }

        func putBack(_ attack: Attack) throws {
            try oldLetter.write(to: URL(filePath: letter))
            switch attack {
            case .file: break
            case .fileAndList: try vaults.put(try #require(oldVault["items.mk"]), "items.mk")
            case .fileAndKeyFile: try vaults.put(try #require(oldVault["keyring.mk"]), "keyring.mk")
            case .everything: try folder.restore(oldVault)
            }
        }
    }

    @Test("a listed file that is put back is noticed, as the manual's table says", arguments: Protection.allCases)
    func putBack(protection: Protection) throws {
        let scene = try Scene(protection)
        let (vault, letter) = (try scene.folder.files(), try scene.bytes(scene.letter))
        #expect(scene.read() == "new" && scene.check() == "ok")
        for attack in Attack.allCases {
            try scene.putBack(attack)
            let isNoticed = attack != .everything || protection.isAnchoredStrictly
            #expect(scene.read() == (isNoticed ? "rolledBack" : "old"), "\(protection), \(attack)")
            #expect(scene.check() == (isNoticed ? "rolledBack" : "ok"), "\(protection), \(attack)")
            try scene.folder.restore(vault)
            try letter.write(to: URL(filePath: scene.letter))
        }
        #expect(scene.read() == "new" && scene.check() == "ok")
    }

    @Test("a file that is asked for by a name is the one of the name and the one of its place")
    func bothNames() throws {
        let scene = try Scene()
        let vault = try scene.open()
        let contract = scene.path("contract")
        try scene.write("first", contract, vault, as: "contract")
        #expect(scene.read(contract, as: "contract") == "first" && scene.read(as: "contract") == "rolledBack")
        // Its place is listed as well, with what an older contract was.
        let older = try scene.bytes(contract)
        try scene.write("second", contract, vault)
        let copy = scene.path("copy")
        try older.write(to: URL(filePath: copy))
        let listing = MainKeyVault.FileToList(
            path: copy, name: UnlockedVault.listedName(ofFileAt: copy), context: Array("ctx".utf8))
        try vault.listFiles([listing])
        #expect(scene.read(copy) == "first" && scene.read(copy, as: "contract") == "rolledBack")
        #expect(scene.read(contract, as: "contract") == "second")
    }

    @Test("every way to read an older file refuses it, and says what to do")
    func ways() throws {
        let scene = try Scene()
        try scene.putBack(.file)
        let (letter, out, context) = (scene.letter, scene.path("out"), Array("ctx".utf8))
        let vault = try scene.open()
        var errors: [any Error] = []
        func refused(_ body: (borrowing UnlockedVault) throws -> Void) -> String {
            code {
                do { try vault.withUnlocked { try body($0) } } catch {
                    errors.append(error)
                    throw error
                }
            }
        }
        #expect(refused { _ = try $0.decryptFile(at: letter, to: out, context: context) } == "rolledBack")
        #expect(refused { _ = try $0.checkFile(at: letter, context: context) } == "rolledBack")
        #expect(refused { _ = try $0.fileReader(at: letter, context: context) } == "rolledBack")
        #expect(errors.count == 3 && errors.allSatisfy { ($0 as? MainKeyError)?.situation == .filePutBack })
        #expect(errors.allSatisfy { "\($0)".contains("can be listed as it is") && "\($0)".contains(letter) })
        #expect(code { try vault.withCleartext(of: letter, context: context) { _ in } } == "rolledBack")
        #expect(!FileManager.default.fileExists(atPath: out))
        // A person says that it is right.
        try vault.listFiles([.init(path: letter, context: context)])
        #expect(scene.read() == "old" && scene.check() == "ok")
        try vault.withCleartext(of: letter, context: context) { file in
            let content = try Data(contentsOf: file.url)
            #expect(content == Data("old".utf8))
        }
    }

    @Test("what the vault does not list is not noticed")
    func unlisted() throws {
        let scene = try Scene()
        let (other, vault) = (scene.path("other"), try scene.open())
        try scene.write("old", other, vault)
        let old = try scene.bytes(other)
        try scene.write("new", other, vault)
        try old.write(to: URL(filePath: other))
        #expect(scene.read(other) == "old")
        // But where it has to be listed, and is not, it is refused.
        #expect(scene.read(other, as: UnlockedVault.listedName(ofFileAt: other)) == "notFound")
    }

    @Test(
        "a file under a name of its application's is compared wherever it lies, and stays listed when it is rewritten")
    func named() throws {
        let scene = try Scene()
        let (here, there, vault) = (scene.path("here"), scene.path("there"), try scene.open())
        try scene.write("one", here, vault, as: "diary")
        let one = try scene.bytes(here)
        // Neither the path nor the name is said: the file itself is known.
        try scene.write("two", here, vault)
        try FileManager.default.moveItem(atPath: here, toPath: there)
        #expect(scene.read(there, as: "diary") == "two")
        try one.write(to: URL(filePath: there))
        #expect(scene.read(there, as: "diary") == "rolledBack")
        #expect(scene.read(there, as: "letters") == "notFound")
        #expect(try vault.checkListedFiles() == ListedFilesCheck(compared: 1, elsewhere: 1))
    }

    @Test("neither a link in the way to a file nor one in the place of its folder gets around the list")
    func links() throws {
        let scene = try Scene()
        let (folder, link) = (scene.path("folder"), scene.path("link"))
        for name in ["folder", "older"] {
            try FileManager.default.createDirectory(atPath: scene.path(name), withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        let vault = try scene.open()
        try scene.write("old", folder + "/a", vault, as: UnlockedVault.listedName(ofFileAt: folder + "/./a"))
        try scene.bytes(folder + "/a").write(to: URL(filePath: scene.path("older/a")))
        // Written by another way, it stays listed.
        try scene.write("new", link + "/a", vault)
        #expect(scene.read(folder + "/a") == "new")
        #expect(scene.read(folder + "/../folder/a") == "new")
        let now = try scene.bytes(folder + "/a")
        try scene.bytes(scene.path("older/a")).write(to: URL(filePath: folder + "/a"))
        #expect(scene.read(link + "/a") == "rolledBack")
        #expect(scene.read(folder + "/../folder/a") == "rolledBack")
        try now.write(to: URL(filePath: folder + "/a"))
        try FileManager.default.moveItem(atPath: folder, toPath: scene.path("moved"))
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: scene.path("older"))
        #expect(scene.read(folder + "/a") == "rolledBack")
        #expect(scene.read(folder + "/../older/a") == "old", "under a path that nothing is listed under")
    }

    @Test(
        "a file that is gone is counted, and a pipe in its place is refused, not waited for", .timeLimit(.minutes(30)))
    func missing() throws {
        let scene = try Scene()
        try FileManager.default.removeItem(atPath: scene.letter)
        #expect(scene.read() == "notFound")
        #expect(try scene.open().checkListedFiles() == ListedFilesCheck(missing: 1))
        #expect(mkfifo(scene.letter, 0o600) == 0)
        #expect(scene.check() == "io")
    }

    @Test("without its list a vault gives no file, listed or not, until a person decides")
    func missingList() throws {
        let scene = try Scene()
        let other = scene.path("other")
        try scene.write("other", other, try scene.open())
        try scene.vaults.remove("items.mk")
        #expect(scene.read() == "tampered" && scene.read(other) == "tampered" && scene.check() == "tampered")
        #expect(code { try scene.write("more", other, scene.open()) } == "tampered")
        // The list that says which file is the last one is lost.
        #expect(try scene.open().acceptItems().keepsFiles == false)
        #expect(scene.read() == "new" && scene.read(other) == "other")
        #expect(try scene.open().listedFileNames().isEmpty)
    }

    @Test("accepting items leaves the list of files, where it is the vault's")
    func acceptedItems() throws {
        let scene = try Scene()
        try scene.vaults.remove(scene.vaults.itemFile("token/t"))
        let accepted = try scene.open().acceptItems()
        #expect(accepted.count == 0 && accepted.keepsFiles)
        try scene.putBack(.file)
        #expect(scene.read() == "rolledBack")
    }

    @Test("a rotation keeps listed files listed, does not make an older one a new one, and takes its turn in batches")
    func rotation() throws {
        let scene = try Scene(.strict)
        let files = scene.path("files")
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
        let vault = try scene.open()
        let paths = (0..<5).map { "\(files)/\($0)" }
        for path in paths { try scene.write("text", path, vault) }
        let before = try #require(try vault.status().anchorValue)
        try vault.listFiles(paths.map { .init(path: $0, context: Array("ctx".utf8)) })
        #expect(try vault.status().anchorValue == before + 1, "one commit for all")
        let old = try scene.bytes(paths[3])
        let place = FileRotation(root: files) { _ in [[], Array("ctx".utf8)] }
        try vault.rotate([place], keepsOldEpoch: true)
        // Its beginning, the items, and two commits for five files.
        #expect(try vault.status().anchorValue == before + 1 + 1 + 1 + 2)
        #expect(try scene.open().checkListedFiles() == ListedFilesCheck(compared: 6))
        for path in paths { #expect(scene.read(path) == "text") }
        try old.write(to: URL(filePath: paths[3]))
        #expect(scene.read(paths[3]) == "rolledBack")
        #expect { try scene.open().rotate([place]) } throws: { ($0 as? SealedFileError)?.error.code == "rolledBack" }
    }

    @Test("what one process writes another reads at once")
    func processes() throws {
        let scene = try Scene()
        let (one, other) = (try scene.open(), try scene.open())
        for count in 1...3 {
            try scene.write("one \(count)", scene.letter, one)
            #expect(scene.read(in: other) == "one \(count)")
            try scene.write("other \(count)", scene.letter, other)
            #expect(scene.read(in: one) == "other \(count)")
        }
        #expect(scene.check() == "ok")
    }

    @Test("a file that is listed no more is not compared any more")
    func forgotten() throws {
        let scene = try Scene()
        let vault = try scene.open()
        #expect(code { try vault.forgetFiles([scene.letter, "another"]) } == "notFound")
        #expect(try vault.listedFileNames() == [UnlockedVault.listedName(ofFileAt: scene.letter)])
        try vault.forgetFiles([UnlockedVault.listedName(ofFileAt: scene.letter)])
        try scene.putBack(.file)
        #expect(scene.read() == "old")
    }

    @Test("only what opens is listed, and all of it or nothing")
    func added() throws {
        let scene = try Scene()
        let vault = try scene.open()
        let (good, bad) = (scene.path("good"), scene.path("bad"))
        try scene.write("good", good, vault)
        try Data("no file of ours".utf8).write(to: URL(filePath: bad))
        let names = try vault.listedFileNames()
        let files = [good, bad].map { MainKeyVault.FileToList(path: $0, context: Array("ctx".utf8)) }
        #expect(code { try vault.listFiles(files) } == "badMagic")
        #expect(code { try vault.listFiles([.init(path: good)]) } == "fileKeyMismatch")
        #expect(try vault.listedFileNames() == names)
    }

    // MARK: Earlier and later versions

    @Test("a vault that lists no file has the list that earlier versions read")
    func earlierForm() throws {
        let scene = try Scene()
        func magic() throws -> Data? { try scene.folder.files()["items.mk"]?.prefix(4) }
        #expect(try magic() == Data("MKL2".utf8))
        let vault = try scene.open()
        try vault.forgetFiles(vault.listedFileNames())
        #expect(try magic() == Data("MKL1".utf8))
    }

    // MARK: Costs

    @Test("with a strict anchor each commit is one sealing and one step of the counter; reading asks the TPM nothing")
    func cost() throws {
        let simulator = try SoftwareTPM(logsCommands: true)
        let bound = try BoundVault(.counter, on: simulator) { $0.hasStrictAnchor = true }
        let vault = try bound.opened()
        let plain = bound.folder.url.appending(path: "plain").path
        let sealed = bound.folder.url.appending(path: "sealed").path
        try Data("text".utf8).write(to: URL(filePath: plain))
        func counted(
            _ body: (borrowing UnlockedVault) throws -> Void
        ) throws -> (create: Int, increment: Int, all: Int) {
            let before = try simulator.commands().count
            try vault.withUnlocked { try body($0) }
            let sent = try simulator.commands().dropFirst(before)
            return (sent.count { $0 == 0x153 }, sent.count { $0 == 0x134 }, sent.count)
        }
        let name = UnlockedVault.listedName(ofFileAt: sealed)
        // There is nothing before that could be put back.
        let first = try counted { _ = try $0.encryptFile(at: plain, to: sealed, listedAs: name) }
        #expect(first.create == 1 && first.increment == 1)
        let second = try counted { _ = try $0.encryptFile(at: plain, to: sealed) }
        #expect(second.create == 2 && second.increment == 2)
        let reading = try counted { _ = try $0.checkFile(at: sealed) }
        #expect(reading.all == 0)
    }
}

@Suite("The list of files")
struct FileListTests {
    private let vault: VaultID

    init() throws { vault = try #require(VaultID([UInt8](repeating: 7, count: 16))) }

    private func list(_ names: String...) throws -> ItemList {
        var list = ItemList()
        try list.list([UInt8](repeating: 9, count: 16), digest: [UInt8](repeating: 9, count: 32))
        for (number, name) in names.enumerated() {
            let previous = number % 2 == 0 ? nil : [UInt8](repeating: 0x50, count: 32)
            try list.files.list(
                Array(name.utf8),
                FileList.Entry(digest: [UInt8](repeating: UInt8(number + 1), count: 32), previous: previous))
        }
        return list
    }

    @Test("comes back, and every other form of it is refused")
    func form() throws {
        let list = try list("b", "/home/anna/a")
        let bytes = list.bytes(of: vault)
        let files: [UInt8] =
            [0, 0, 0, 2] + [0, 12] + Array("/home/anna/a".utf8) + [UInt8](repeating: 2, count: 32)
            + [UInt8](repeating: 0x50, count: 32) + [0, 1] + Array("b".utf8) + [UInt8](repeating: 1, count: 32)
            + [UInt8](repeating: 0, count: 32)
        #expect(bytes.starts(with: Array("MKL2".utf8) + vault.bytes + [0, 0, 0, 1, 9, 9]))
        #expect(Array(bytes.dropFirst(24 + 48)) == files)
        #expect(try ItemList(parsing: bytes, of: vault) == list)
        for end in bytes.indices {
            #expect(code { _ = try ItemList(parsing: Array(bytes[..<end]), of: vault) } == "truncated")
        }
        #expect(code { _ = try ItemList(parsing: bytes + [0], of: vault) } == "malformed")
        // No files, more than any list has, a name without bytes, one that is too long, twice the same, no UTF-8.
        let start = 24 + 48
        let wrong: [(place: Int, bytes: [UInt8])] = [
            (start, [0, 0, 0, 0]), (start, [0, 0, 0x40, 1]), (start + 4, [0, 0]), (start + 4, [4, 1]),
            (start + 6, [0xff]), (start + 6, [UInt8(ascii: "c")]),
        ]
        for (place, bytes) in wrong {
            var mauled = list.bytes(of: vault)
            mauled.replaceSubrange(place..<place + bytes.count, with: bytes)
            #expect(code { _ = try ItemList(parsing: mauled, of: vault) } == "malformed", "\(place) \(bytes)")
        }
    }

    @Test("has a bound for names and for files")
    func bounds() throws {
        var files = FileList()
        let entry = FileList.Entry(digest: [UInt8](repeating: 1, count: 32))
        #expect(code { try files.list([], entry) } == "limitExceeded")
        #expect(code { try files.list([UInt8](repeating: 0x61, count: 1025), entry) } == "limitExceeded")
        for number in 0..<FileList.entryLimit { try files.list(Array("\(number)".utf8), entry) }
        #expect(code { try files.list(Array("one more".utf8), entry) } == "limitExceeded")
        // Those that are there change all the same.
        #expect(code { try files.list(Array("17".utf8), entry) } == "ok")
        var list = ItemList()
        list.files = files
        let bytes = list.bytes(of: vault)
        #expect(bytes.count <= ItemList.byteLimit)
        #expect(try ItemList(parsing: bytes, of: vault) == list)
    }

    @Test("takes the file before only until the new one has its place")
    func previous() {
        let (new, old) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        #expect(FileList.Entry(digest: new, previous: old).takes(old))
        #expect(FileList.Entry(digest: new, previous: old).takes(new))
        #expect(!FileList.Entry(digest: new).takes(old))
    }

    @Test("random bytes are no list, and trap nothing")
    func random() throws {
        var random = SplitMix64(state: 5)
        let whole = try list("a", "b", "c").bytes(of: vault)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...Int(random.next() % 4) { bytes[Int(random.next() % UInt64(bytes.count))] = random.byte() }
            guard let list = try? ItemList(parsing: bytes, of: vault) else { continue }
            #expect(list.bytes(of: vault) == bytes)
        }
    }
}
