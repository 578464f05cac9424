import Console
import Foundation
import MovingCodes

/// Whole files in and out.
enum FileBytes {
    static func read(_ path: String) throws -> [UInt8] {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw Failure.unreadable(
                path: path, reason: "it is a folder. Put it into one file first, with tar for example.")
        }
        do {
            let data =
                path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(filePath: path))
            return Array(data)
        } catch {
            throw Failure.unreadable(path: path, reason: error.localizedDescription)
        }
    }

    /// Replaces the file at once: after a crash the old content is there or the new one.
    static func write(_ bytes: [UInt8], to path: String) throws {
        if path == "-" {
            FileHandle.standardOutput.write(Data(bytes))
            return
        }
        try FilmOutput.write(bytes, to: path)
    }
}
