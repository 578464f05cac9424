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

    #if os(Linux)
        @Test("a file that is larger than the limit is refused by its size, and not read up to there")
        func size() throws {
            try Data().write(to: folder.url.appending(path: "large"))
            let limit = 1 << 26
            try #require(truncate(path("large").string, 1 << 32) == 0)
            let before = try bytesRead()
            #expect(throws: FileError(path("large"), .read, because: .tooLarge(limit: limit))) {
                try InputFile.content(of: path("large"), limit: limit)
            }
            #expect(try bytesRead() - before < limit / 2)
        }

        /// What this thread has read in all.
        private func bytesRead() throws -> Int {
            let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            return try #require(text.firstMatch(of: /rchar: ([0-9]+)/).flatMap { Int($0.1) })
        }
    #endif

    @Test("what is no file is refused in plain words")
    func kinds() throws {
        #expect(throws: FileError(folderPath, .read, because: .folder)) {
            try InputFile.content(of: folderPath, limit: 1)
        }
        #expect(throws: FileError(path("none"), .read, because: .system(.noSuchFileOrDirectory))) {
            try InputFile.content(of: path("none"), limit: 1)
        }
        let nameless = #expect(throws: FileError.self) { try InputFile.content(of: "", limit: 1) }
        #expect("\(try #require(nameless))".hasPrefix("The empty name cannot be read"))
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

    @Test("the permissions of a group are kept for that group", .enabled(if: geteuid() == 0))
    func group() throws {
        let other: gid_t = 4_711
        try Data("old".utf8).write(to: folder.url.appending(path: "file"))
        try #require(chown(path("file").string, .max, other) == 0 && chmod(path("file").string, 0o640) == 0)
        try PreparedFile.replace(path("file"), with: Array("new".utf8))
        let facts = try Stat(path("file"))
        #expect(facts.groupID.rawValue == other && facts.permissions.rawValue == 0o640)
    }

    @Test("a file with an access control list is replaced by one that nobody else may use")
    func accessList() throws {
        // Owner rw, user 1234 r, group nothing, mask r, others nothing: 0640 by its permissions.
        let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
            (1, 6, .max), (2, 4, 1234), (4, 0, .max), (16, 4, .max), (32, 0, .max),
        ]
        var list: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            for part in [UInt32(entry.tag) | UInt32(entry.rights) << 16, entry.id] {
                withUnsafeBytes(of: part.littleEndian) { list += $0 }
            }
        }
        try Data("old".utf8).write(to: folder.url.appending(path: "file"))
        // Glibc's module has no <sys/xattr.h>.
        typealias SetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
            ) -> CInt
        let setAttribute = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: SetAttribute.self)
        try #require(setAttribute(path("file").string, "system.posix_acl_access", list, list.count, 0) == 0)
        #expect(try Stat(path("file")).permissions.rawValue == 0o640)
        try PreparedFile.replace(path("file"), with: Array("new".utf8))
        #expect(try Stat(path("file")).permissions.rawValue == 0o600)
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
