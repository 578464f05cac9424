import Foundation

/// A folder for one test, gone after it.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Whether programs can be compiled here.
let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
