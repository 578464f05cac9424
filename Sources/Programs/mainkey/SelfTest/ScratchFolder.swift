import BasicFoundation

/// A folder for a test, in memory where that is possible, gone with the last reference.
final class ScratchFolder {
    let path: String

    init() throws {
        let files = FileManager.default
        let parent = files.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : files.temporaryDirectory.path
        path = "\(parent)/mainkey-selftest-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { path + "/" + name }
}
