import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Directories for keys")
struct StateDirectoryTests {
    let folder = Scratch()

    func refusal(_ body: () throws -> Void) -> String? {
        do { try body() } catch HardwareKeyError.storageRefused(_, let reason) { return reason } catch {}
        return nil
    }

    @Test("the directory and its files are the owner's alone")
    func modes() throws {
        let path = folder.path("a/b")
        let directory = try StateDirectory(path: path)
        try directory.write("file", secret(of: 1))
        #expect(try directory.read("file") == secret(of: 1))
        #expect(Scratch.mode(path) == 0o700)
        #expect(Scratch.mode(path + "/file") == 0o600)
        #expect(try directory.names() == ["file"])
    }

    @Test("a file is replaced whole, and one left over from a crash is no obstacle")
    func replaced() throws {
        let directory = try StateDirectory(path: folder.path("d"))
        try Data("half".utf8).write(to: URL(filePath: folder.path("d/.file.new")))
        try directory.write("file", secret(of: 1))
        try directory.write("file", secret(of: 2))
        #expect(try directory.read("file") == secret(of: 2))
        #expect(try directory.names() == ["file"])
        try directory.remove("file")
        try directory.remove("file")
        #expect(try directory.read("file") == nil)
    }

    @Test("a directory that others may use is refused", arguments: [0o710, 0o701, 0o755, 0o770])
    func openDirectory(mode: Int) throws {
        let directory = try StateDirectory(path: folder.path("d"))
        try Scratch.change(folder.path("d"), to: mode)
        #expect(refusal { _ = try directory.read("file") }?.contains("others may use it") == true)
        #expect(refusal { try directory.write("file", secret(of: 1)) }?.contains("others may use it") == true)
        #expect(refusal { _ = try StateDirectory(path: folder.path("d")) }?.contains("others may use it") == true)
    }

    @Test("a directory behind a symbolic link is refused")
    func linkedDirectory() throws {
        _ = try StateDirectory(path: folder.path("d"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("d"))
        #expect(refusal { _ = try StateDirectory(path: folder.path("link")) }?.contains("symbolic link") == true)
    }

    @Test("a file that others may use is refused", arguments: [0o640, 0o604, 0o644, 0o620])
    func openFile(mode: Int) throws {
        let directory = try StateDirectory(path: folder.path("d"))
        try directory.write("file", secret(of: 1))
        try Scratch.change(folder.path("d/file"), to: mode)
        #expect(refusal { _ = try directory.read("file") }?.contains("others may use it") == true)
    }

    @Test("links, pipes, directories and files that are too large are refused")
    func notAFile() throws {
        let directory = try StateDirectory(path: folder.path("d"))
        try directory.write("file", secret(of: 1))
        try FileManager.default.createSymbolicLink(atPath: folder.path("d/soft"), withDestinationPath: "file")
        #expect(refusal { _ = try directory.read("soft") } == "it is a symbolic link")
        try FileManager.default.linkItem(atPath: folder.path("d/file"), toPath: folder.path("d/hard"))
        #expect(refusal { _ = try directory.read("file") } == "it has a second name (hard link)")
        #expect(mkfifo(folder.path("d/pipe"), 0o600) == 0)
        #expect(refusal { _ = try directory.read("pipe") } == "it is not a regular file")
        #expect(mkdir(folder.path("d/sub"), 0o700) == 0)
        #expect(refusal { _ = try directory.read("sub") } == "it is not a regular file")
        try directory.write("large", SecretBytes.random(count: StateDirectory.fileLimit + 1))
        #expect(refusal { _ = try directory.read("large") }?.contains("larger") == true)
    }

    @Test(
        "the standard place follows the service, then the user's settings",
        arguments: [
            (["STATE_DIRECTORY": "/var/lib/x:/var/lib/y", "HOME": "/h"], "/var/lib/x"),
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/vigil/app"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/vigil/app"),
            (["HOME": "/h"], "/h/.local/state/vigil/app"),
        ])
    func standardPath(environment: [String: String], path: String) {
        #expect(StateDirectory.standardPath(name: "vigil", product: "app", environment: environment) == path)
    }

    @Test(
        "tags are names of files and nothing else",
        arguments: ["", ".", "..", ".a", "a/b", "a b", "ä", "a\0", String(repeating: "a", count: 101)])
    func tags(text: String) throws {
        #expect(throws: HardwareKeyError.invalidTag(text)) { try KeyTag(text) }
        #expect(try KeyTag("com.example-app_1").field == [0, 17] + Array("com.example-app_1".utf8))
    }
}

/// A folder that goes with the test.
final class Scratch: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path

    init() { try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    static func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
    }

    static func change(_ path: String, to mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
