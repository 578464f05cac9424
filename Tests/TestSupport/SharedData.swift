import Foundation
@_exported import KnownAnswers

/// Known answers that are not part of this repository: `../shared/data` beside the checkout. A test that needs them
/// says `.enabled(if: SharedData.has("signer-wire/uos"))` and is reported as skipped where they are absent.
package enum SharedData {
    package static let root: URL = packageRoot.deletingLastPathComponent().appending(path: "shared/data")

    package static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    package static func url(_ path: String) -> URL { root.appending(path: path) }

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url(path)))
    }

    package static func json(_ path: String) throws -> JSON {
        try JSON(contentsOf: url(path))
    }
}

extension JSON {
    /// Reads a file of which nobody remembers what was looked at. Topics read through their folder alone.
    package init(contentsOf url: URL) throws {
        try self.init(parsing: Array(Data(contentsOf: url)))
    }
}

/// The folder that holds `Package.swift`.
package let packageRoot: URL = {
    var folder = URL(filePath: #filePath)
    repeat {
        folder.deleteLastPathComponent()
    } while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) && folder.path != "/"
    return folder
}()
