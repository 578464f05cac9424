import Files
import Foundation
import TestSupport
import Testing

@Suite("Files from outside")
struct FilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

    private var folderPath: FilePath { FilePath(folder.path) }

    @Test("a file is read whole, up to a limit that is named")
    func limit() throws {
        try Data(repeating: 7, count: 100).write(to: folder.url.appending(path: "file"))
        #expect(try InputFile.content(of: path("file"), limit: 100).count == 100)
        #expect(throws: FileError(path("file"), .read, because: .tooLarge(limit: 99))) {
            try InputFile.content(of: path("file"), limit: 99)
        }
    }

    @Test("what is no file is refused in plain words")
    func kinds() throws {
        #expect(throws: FileError(folderPath, .read, because: .folder)) {
            try InputFile.content(of: folderPath, limit: 1)
        }
        #expect(throws: FileError(path("none"), .read, because: .system(.noSuchFileOrDirectory))) {
            try InputFile.content(of: path("none"), limit: 1)
        }
        #expect(throws: FileError("/dev/zero", .read, because: .device)) {
            try InputFile.content(of: "/dev/zero", limit: 1 << 20)
        }
    }

    @Test("a named pipe that nobody writes to is not waited for without end")
    func silentPipe() throws {
        try #require(mkfifo(path("pipe").string, 0o600) == 0)
        let refusal = #expect(throws: FileError.self) {
            try InputFile.content(of: path("pipe"), limit: 10, patience: .milliseconds(50))
        }
        #expect("\(try #require(refusal))".contains("nobody wrote to it"))
    }

    @Test("what a writer puts into a named pipe is read to its end, however slow it is")
    func pipe() throws {
        try #require(mkfifo(path("pipe").string, 0o600) == 0)
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "{ printf one; sleep 0.3; printf two; } >'\(path("pipe"))'"]
        try writer.run()
        let bytes = try InputFile.content(of: path("pipe"), limit: 10, patience: .seconds(300))
        #expect(String(decoding: bytes, as: UTF8.self) == "onetwo")
        writer.waitUntilExit()
    }

    @Test("a prepared file takes its place when it is whole, and leaves nothing behind when it is not")
    func prepared() throws {
        try Data("old".utf8).write(to: folder.url.appending(path: "file"))
        do {
            let file = try PreparedFile(for: path("file"))
            try file.write(Array("half".utf8))
        }
        #expect(folder.names() == ["file"])
        #expect(try String(contentsOfFile: path("file").string, encoding: .utf8) == "old")
        try PreparedFile.replace(path("file"), with: Array("new".utf8))
        #expect(folder.names() == ["file"])
        #expect(try String(contentsOfFile: path("file").string, encoding: .utf8) == "new")
    }

    @Test("a link keeps pointing to the file that is replaced")
    func link() throws {
        try Data("old".utf8).write(to: folder.url.appending(path: "file"))
        try FileManager.default.createSymbolicLink(atPath: path("link").string, withDestinationPath: "file")
        try PreparedFile.replace(path("link"), with: Array("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link").string) == "file")
        #expect(try String(contentsOfFile: path("file").string, encoding: .utf8) == "new")
    }

    @Test(
        "what is replaced keeps who may do what with it, and no right to act as its owner",
        arguments: [(0o600, 0o600), (0o640, 0o640), (0o666, 0o666), (0o6755, 0o755)] as [(mode_t, mode_t)])
    func permissions(before: mode_t, after: mode_t) throws {
        try Data("old".utf8).write(to: folder.url.appending(path: "file"))
        try #require(chmod(path("file").string, before) == 0)
        let file = try PreparedFile(for: path("file"))
        #expect(try file.file.facts().permissions.rawValue == after)
        try file.write(Array("new".utf8))
        try file.commit()
        #expect(try Stat(path("file")).permissions.rawValue == after)
    }

    @Test("where a file cannot be is refused before there is anything to write")
    func noPlace() throws {
        #expect(throws: FileError(path("none/file"), .write, because: .system(.noSuchFileOrDirectory))) {
            try PreparedFile(for: path("none/file"))
        }
        #expect(throws: FileError(folderPath, .write, because: .folder)) { try PreparedFile(for: folderPath) }
        #expect(throws: FileError("/dev/null", .write, because: .notRegular)) {
            try PreparedFile(for: "/dev/null")
        }
    }
}
