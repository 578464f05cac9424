import Foundation
import SecretMemory

@testable import MainKey

/// A folder for one test, removed with it.
final class StorageFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "casemate-storage-\(UUID())"
        precondition(mkdir(path, 0o700) == 0, "the temporary folder cannot be written")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func open() throws -> PrivateDirectory { try PrivateDirectory(path, .existing) }

    func names() -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Writes a file as somebody else would.
    func put(_ text: String, _ name: String, mode: mode_t = 0o600) {
        _ = FileManager.default.createFile(atPath: file(name), contents: Data(text.utf8))
        chmod(file(name), mode)
    }
}

let isRoot = geteuid() == 0

/// Runs a program to its end.
///
/// - Returns: whether it is there and succeeded.
@discardableResult
func run(_ program: String, _ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}

/// A file system in memory of its own, for tests that fill it or write-protect it. Needs root.
final class SmallFileSystem: Sendable {
    let folder = StorageFolder()

    /// - Returns: nil where nothing may be mounted.
    init?(options: String) {
        guard isRoot, run("/usr/bin/mount", "-t", "tmpfs", "-o", "mode=0700," + options, "tmpfs", folder.path) else {
            return nil
        }
    }

    func makeReadOnly() -> Bool { run("/usr/bin/mount", "-o", "remount,ro", folder.path) }

    deinit { run("/usr/bin/umount", "-l", folder.path) }

    static let isPossible: Bool = SmallFileSystem(options: "size=64k") != nil
}

/// The words of a failure.
func message(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch {
        return "\(error)"
    }
}

func secretBytes(_ text: String) throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try SecretBytes(movingFrom: &bytes)
}

func text(_ secret: SecretBytes?) -> String? {
    secret?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
