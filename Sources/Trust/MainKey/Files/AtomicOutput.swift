import CLinux
import Foundation

/// A file that appears whole or not at all: it has no name while it is written, or another one where the file system
/// gives none without.
enum AtomicOutput {
    private static let nameByteCount = 8

    /// Replaces the file at `path` with what `body` writes. Only the owner may read it. When this returns it survives a
    /// loss of power; when `body` throws nothing is left, and what was at `path` stays.
    static func write<R>(
        _ path: String, _ body: (OpenFile) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        let place = URL(filePath: path)
        let folder = try OpenFile(reading: place.deletingLastPathComponent().path)
        let suffix = AEAD.random(nameByteCount).map { String(format: "%02x", $0) }.joined()
        let temporary = ".\(place.lastPathComponent).\(suffix).new"
        let unnamed = OpenFile(unnamedIn: folder, for: path)
        let output: OpenFile
        if let unnamed {
            output = unnamed
        } else {
            output = try OpenFile(creating: folder.path + "/" + temporary, for: path)
        }
        do throws(MainKeyError) {
            let outcome = try body(output)
            try output.synchronise()
            if unnamed != nil, clinux_give_name(output.descriptor, folder.descriptor, temporary) != 0 {
                throw OpenFile.failure(path)
            }
            guard renameat(folder.descriptor, temporary, AT_FDCWD, path) == 0 else { throw OpenFile.failure(path) }
            try folder.synchronise()
            return outcome
        } catch {
            unlinkat(folder.descriptor, temporary, 0)
            throw error
        }
    }
}
