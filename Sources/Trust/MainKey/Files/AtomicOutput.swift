import Foundation

/// A file that appears whole or not at all: it is written beside its place under another name.
enum AtomicOutput {
    private static let nameByteCount = 8

    /// Replaces the file at `path` with what `body` writes. Only the owner may read it. When this returns it survives a loss
    /// of power; when `body` throws nothing is left, and what was at `path` stays.
    static func write<R>(
        _ path: String, _ body: (OpenFile) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        let place = URL(filePath: path)
        let folder = place.deletingLastPathComponent().path
        let suffix = AEAD.random(nameByteCount).map { String(format: "%02x", $0) }.joined()
        let temporary = folder + "/.\(place.lastPathComponent).\(suffix).new"
        let output = try OpenFile(creating: temporary, for: path)
        do throws(MainKeyError) {
            let outcome = try body(output)
            try output.synchronise()
            guard rename(temporary, path) == 0 else { throw OpenFile.failure(path) }
            try OpenFile(reading: folder).synchronise()
            return outcome
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
