import Files
import Foundation
import TestSupport
import Testing

@Suite("Folders that are held open")
struct FolderTests {
    private let parent: TemporaryFolder
    private let place: FilePath
    private let folder: Folder

    init() throws {
        parent = try TemporaryFolder()
        place = FilePath(parent.path("folder"))
        folder = try Folder(place, rules: .privateFolder, makesMissing: true)
    }

    private func path(_ name: String) -> String { place.appending(name).string }

    @Test("a missing folder is made with those on the way, for this user alone")
    func making() throws {
        let deep = place.appending("one/two/three")
        try #expect(Folder(deep, rules: .privateFolder, makesMissing: true).names() == [])
        for part in ["one", "one/two", "one/two/three"] {
            let facts = try Stat(place.appending(part))
            #expect(facts.type == .directory && facts.permissions == .ownerReadWriteExecute)
        }
        let error = #expect(throws: FileError.self) { try Folder(place.appending("none")) }
        #expect(try #require(error).isMissing)
        #expect(try folder.folder("none") === nil)
    }

    @Test("a folder that others may enter, that is a link or no folder is refused")
    func refusedFolders() throws {
        try #require(mkdir(path("open"), 0o755) == 0 && chmod(path("open"), 0o755) == 0)
        try #require(symlink("open", path("link")) == 0)
        try folder.replace("file", with: [1])
        #expect(throws: FileError(place.appending("link"), .read, because: .noFolder)) {
            try Folder(place.appending("link"))
        }
        #expect(throws: FileError(place.appending("file"), .read, because: .noFolder)) { try folder.folder("file") }
        let error = #expect(throws: FileError.self) { try folder.folder("open", rules: .privateFolder) }
        #expect("\(try #require(error))".contains("(mode 755). If nobody did, take that away with chmod go="))
        #expect(try folder.folder("open") !== nil)
    }

    @Test("a name that leads elsewhere is none", arguments: ["", ".", "..", "a/b", "/etc/passwd", "../x", "a\0b"])
    func badNames(_ name: String) throws {
        #expect(throws: FileError(place, .read, because: .badName)) { try folder.open(name) }
        #expect(throws: FileError(place, .read, because: .badName)) { try folder.remove(name) }
        #expect(throws: FileError(place, .read, because: .badName)) { try folder.replace(name, with: []) }
    }

    @Test("a private file is one that nobody else can use, with one name, and no link, pipe or device")
    func privateFiles() throws {
        try folder.replace("secret", with: [1, 2, 3])
        #expect(try folder.content(of: "secret", limit: 3, rules: .privateFile) == [1, 2, 3])
        #expect(try folder.content(of: "none", limit: 3, rules: .privateFile) == nil)
        try folder.link("secret", as: "second")
        #expect(throws: FileError(place.appending("secret"), .read, because: .severalNames(count: 2))) {
            try folder.open("secret", rules: .privateFile)
        }
        try folder.remove("second")
        try #require(symlink("secret", path("link")) == 0 && mkfifo(path("pipe"), 0o600) == 0)
        #expect(throws: FileError(place.appending("link"), .read, because: .symbolicLink)) { try folder.open("link") }
        #expect(throws: FileError(place.appending("pipe"), .read, because: .notRegular)) { try folder.open("pipe") }
        try #require(chmod(path("secret"), 0o640) == 0)
        let mode = FilePermissions(rawValue: 0o640)
        #expect(
            throws: FileError(
                place.appending("secret"), .read, because: .openToOthers(mode, forbidden: .ofOthers))
        ) { try folder.open("secret", rules: .privateFile) }
        #expect(try folder.open("secret", rules: .trustedFile) != nil)
    }

    @Test("a file of another user is refused", .enabled(if: geteuid() == 0))
    func owners() throws {
        try folder.replace("file", with: [1])
        try #require(chown(path("file"), 12_345, 12_345) == 0)
        let error = #expect(throws: FileError.self) { try folder.open("file", rules: .trustedFile) }
        #expect("\(try #require(error))".contains("it belongs to user 12345, and has to belong to root"))
    }

    @Test("a larger file than is allowed is not read")
    func limits() throws {
        try folder.replace("file", with: [UInt8](repeating: 7, count: 100))
        #expect(throws: FileError(place.appending("file"), .read, because: .tooLarge(limit: 99))) {
            try folder.content(of: "file", limit: 99)
        }
    }

    @Test("replacing tells its steps, and leaves the old content or the new at each")
    func steps() throws {
        try folder.replace("file", with: Array("old".utf8))
        var seen: [ReplacementStep] = []
        try folder.replace("file", with: Array("new".utf8)) { step, name in
            seen.append(step)
            let now = try? folder.content(of: "file", limit: 10)
            let isNew = step == .renamed || step == .settled
            #expect(now == Array((isNew ? "new" : "old").utf8))
            #expect(name == (isNew ? "file" : "file.new"))
        }
        #expect(seen == ReplacementStep.allCases)
        #expect(try folder.names() == ["file"])
    }

    @Test("what an earlier attempt left, even a link, is replaced and not followed")
    func leftovers() throws {
        try folder.replace("elsewhere", with: [1])
        try #require(symlink("elsewhere", path("file.new")) == 0)
        try folder.replace("file", with: [2])
        #expect(try folder.content(of: "elsewhere", limit: 1) == [1])
        #expect(try folder.content(of: "file", limit: 1) == [2])
        #expect(try folder.names() == ["elsewhere", "file"])
    }

    @Test("overwriting leaves zeros under every other name, and removes what it may not overwrite")
    func overwriting() throws {
        try folder.replace("secret", with: [1, 2, 3])
        try folder.link("secret", as: "second")
        try folder.overwriteAndRemove("secret")
        #expect(try folder.content(of: "second", limit: 3) == [0, 0, 0])
        try #require(symlink("second", path("link")) == 0)
        try folder.overwriteAndRemove("link")
        try folder.overwriteAndRemove("none")
        #expect(try folder.names() == ["second"])
    }

    @Test("a lock is held by one, or shared by several, until its last reference goes")
    func locks() throws {
        var lock = try folder.lockIfFree("lock")
        #expect(lock != nil)
        #expect(try folder.lockIfFree("lock") == nil)
        #expect(try folder.lockIfFree("lock", .shared) == nil)
        lock = nil
        let shared = try folder.lockIfFree("lock", .shared)
        try #expect(folder.lockIfFree("lock", .shared) != nil)
        #expect(try folder.lockIfFree("lock") == nil)
        withExtendedLifetime(shared) {}
        let own = try folder.lock()
        #expect(try folder.lockIfFree() == nil)
        withExtendedLifetime(own) {}
    }

    @Test("an unnamed file is gone without a name, and keeps the one that it is given")
    func unnamed() throws {
        guard let file = folder.createUnnamed(for: "draft") else { return }
        try file.write([1, 2])
        #expect(try folder.names() == [])
        try folder.name(file, as: "draft")
        #expect(try folder.content(of: "draft", limit: 2) == [1, 2])
    }

    @Test("an open file is the same file whatever its name means by now")
    func sameFile() throws {
        try folder.replace("file", with: [1])
        let before = try #require(try folder.open("file"))
        try folder.replace("file", with: [2])
        #expect(try before.content(limit: 1) == [1])
        let now = try #require(try folder.facts(of: "file"))
        #expect(try !before.facts().isSameFile(as: now))
        #expect(try before.facts().version != now.version)
    }

    @Test("a folder is removed with all in it, by names of any bytes, and what links lead to stays")
    func trees() throws {
        try folder.replace("kept", with: [1])
        let deep = try #require(try folder.folder("tree", makesMissing: true)?.folder("deep", makesMissing: true))
        try deep.replace("file", with: [2])
        try #require(symlink(path("kept"), path("tree/link")) == 0 && symlink("..", path("tree/deep/up")) == 0)
        for byte in [0xff, 0x0a] as [UInt8] {
            let name = Array(path("tree/deep/").utf8) + [byte]
            let descriptor = creat(name.map { CChar(bitPattern: $0) } + [0], 0o600)
            try #require(descriptor >= 0 && close(descriptor) == 0)
        }
        try folder.removeTree("tree", overwriting: true)
        #expect(try folder.names() == ["kept"])
        #expect(try folder.content(of: "kept", limit: 9) == [1])
        try folder.removeTree("tree")
        try folder.removeTree("kept")
        #expect(try folder.names() == [])
        #expect(throws: FileError.self) { try folder.removeTree("..") }
    }
}
