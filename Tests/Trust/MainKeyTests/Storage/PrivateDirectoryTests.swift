import Foundation
import Testing

@testable import MainKey

@Suite("A folder of one user")
struct PrivateDirectoryTests {
    private let folder = StorageFolder()

    @Test("a missing folder is made with those on the way to it, for its owner alone")
    func making() throws {
        let path = folder.file("a/b/vault")
        #expect(code { _ = try PrivateDirectory(path, .existing) } == "notFound")
        _ = try PrivateDirectory(path + "/", .creating)
        for part in ["a", "a/b", "a/b/vault"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(part))[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
        #expect(try PrivateDirectory(path, .creating).names().isEmpty)
    }

    @Test("a symbolic link to a folder is refused, whatever follows its name", arguments: ["", "/", "/.", "//", "/./"])
    func link(end: String) throws {
        _ = try folder.open().subdirectory("real", .creating)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "real")
        for opening in [PrivateDirectory.Opening.existing, .creating] {
            #expect(code { _ = try PrivateDirectory(folder.file("link") + end, opening) } == "configError")
        }
        #expect(code { _ = try folder.open().subdirectory("link", .existing) } == "configError")
        #expect(code { _ = try folder.open().subdirectory("link", .creating) } == "configError")
    }

    @Test(
        "a folder that others may enter is refused, with the remedy",
        arguments: [0o770, 0o750, 0o701, 0o777, 0o710] as [mode_t])
    func permissions(mode: mode_t) {
        chmod(folder.path, mode)
        #expect(code { _ = try folder.open() } == "configError")
        #expect(message { _ = try folder.open() }.contains("chmod 700"))
        chmod(folder.path, 0o700)
        #expect(code { _ = try folder.open() } == "ok")
    }

    @Test("a folder of another user is refused", .enabled(if: isRoot))
    func owner() {
        #expect(chown(folder.path, 65_534, 65_534) == 0)
        #expect(code { _ = try folder.open() } == "configError")
        #expect(message { _ = try folder.open() }.contains("65534"))
    }

    @Test("a file in the place of the folder, and no path at all, are refused")
    func noFolder() {
        folder.put("", "file")
        #expect(code { _ = try PrivateDirectory(folder.file("file"), .existing) } == "configError")
        #expect(code { _ = try PrivateDirectory(folder.file("file"), .creating) } == "configError")
        #expect(code { _ = try PrivateDirectory("", .creating) } == "configError")
        #expect(code { _ = try PrivateDirectory(folder.file("file/under"), .creating) } == "io")
    }

    @Test("what is written is read, absent is nil, empty is empty")
    func reading() throws {
        let directory = try folder.open()
        #expect(try directory.read("file", limit: 10) == nil)
        #expect(try directory.readSecret("file", limit: 10) == nil)
        try directory.write([1, 2, 3], to: "file")
        #expect(try directory.read("file", limit: 3) == [1, 2, 3])
        #expect(try directory.readSecret("file", limit: 3)?.withUnsafeBytes { Array($0) } == [1, 2, 3])
        try directory.write([], to: "file")
        #expect(try directory.read("file", limit: 3) == [])
        #expect(try directory.names() == ["file"])
        var status = stat()
        #expect(stat(folder.file("file"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    @Test("a file larger than the limit is not read")
    func limit() throws {
        let directory = try folder.open()
        try directory.write([UInt8](repeating: 7, count: 100_000), to: "file")
        #expect(code { _ = try directory.read("file", limit: 99_999) } == "limitExceeded")
        #expect(try directory.read("file", limit: 100_000)?.count == 100_000)
    }

    @Test("a link, a second name, a pipe, a folder and a shared file are unreadable, not absent")
    func unreadable() throws {
        let directory = try folder.open()
        folder.put("secret", "file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("symlink"), withDestinationPath: "file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("dangling"), withDestinationPath: "nothing")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(mkdir(folder.file("folder"), 0o700) == 0)
        folder.put("secret", "shared", mode: 0o640)
        for name in ["symlink", "dangling", "pipe", "folder", "shared"] {
            #expect(code { _ = try directory.read(name, limit: 100) } == "io", "\(name)")
            #expect(code { _ = try directory.readSecret(name, limit: 100) } == "io", "\(name)")
        }
        #expect(try directory.read("file", limit: 100) != nil)
        #expect(Foundation.link(folder.file("file"), folder.file("twin")) == 0)
        #expect(code { _ = try directory.read("file", limit: 100) } == "io")
        #expect(message { _ = try directory.read("file", limit: 100) }.contains("2 names"))
    }

    @Test("a file of another user is unreadable", .enabled(if: isRoot))
    func foreignFile() throws {
        folder.put("secret", "file")
        #expect(chown(folder.file("file"), 65_534, 65_534) == 0)
        #expect(code { _ = try folder.open().read("file", limit: 100) } == "io")
    }

    @Test("the folder that was opened stays the one, also when another is put in its place")
    func swapped() throws {
        let directory = try #require(try folder.open().subdirectory("vault", .creating))
        try directory.write([1], to: "file")
        #expect(rename(folder.file("vault"), folder.file("moved")) == 0)
        #expect(mkdir(folder.file("vault"), 0o700) == 0)
        try directory.write([2], to: "file")
        #expect(FileManager.default.contents(atPath: folder.file("moved/file")) == Data([2]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("vault")).isEmpty)
    }

    @Test("zeros are put over a file before it goes, and absent ones do no harm")
    func overwriting() throws {
        let directory = try folder.open()
        folder.put("secret", "file")
        let observer = open(folder.file("file"), O_RDONLY)
        defer { close(observer) }
        try directory.overwriteAndRemove("file")
        #expect(folder.names().isEmpty)
        var seen = [UInt8](repeating: 1, count: 7)
        #expect(read(observer, &seen, 7) == 6)
        #expect(seen == [0, 0, 0, 0, 0, 0, 1])
        try directory.overwriteAndRemove("file")
    }

    @Test("overwriting follows no link and waits for no pipe")
    func overwritingOthers() throws {
        let directory = try folder.open()
        folder.put("other", "target")
        try FileManager.default.createSymbolicLink(atPath: folder.file("symlink"), withDestinationPath: "target")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        try directory.overwriteAndRemove("symlink")
        try directory.overwriteAndRemove("pipe")
        #expect(folder.names() == ["target"])
        #expect(FileManager.default.contents(atPath: folder.file("target")) == Data("other".utf8))
    }
}
