import Foundation
import TestSupport

/// A folder that is removed with this object.
final class ScratchFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "measure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file, and the folders above it.
    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }
}

/// The images of the room that parses them (its Fixtures/README.md says where they come from).
enum ImageFixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = packageRoot.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }
}
