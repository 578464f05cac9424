import Console
import Files

/// Whole files in and out; `-` is standard input or output.
enum FileBytes {
    /// Bytes of a file at the most that is sent or decoded.
    private static let limit = 1 << 30

    static func read(_ path: String) throws -> [UInt8] {
        do {
            if path == "-" { return try InputFile(standardInput: ()).content(limit: limit) }
            return try InputFile.content(of: FilePath(path), limit: limit)
        } catch {
            guard error.reason == .folder else { throw error }
            throw Failure.folder(path: path)
        }
    }

    /// Replaces the file at once: after a crash the old content is there or the new one.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard path == "-" else { return try PreparedFile.replace(FilePath(path), with: bytes) }
        try StandardOutput.write(bytes)
    }
}
