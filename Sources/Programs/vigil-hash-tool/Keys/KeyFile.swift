import Files
import SecretMemory

/// A file with a private key. It may belong to any user, since root signs with the key of the user who called it; but
/// no user other than its owner may use it.
enum KeyFile {
    /// Reads it straight into secret memory.
    ///
    /// - Parameter limit: bytes.
    static func read(_ path: String, limit: Int) throws -> SecretBytes {
        do {
            let rules = FileRules(type: .regular, forbidden: .ofOthers)
            let file = try OpenFile(FilePath(path), rules: rules, followsLinks: true)
            return try SecretBytes(count: file.byteCount(limit: limit), attempting: { try file.readWhole(into: $0) })
        } catch let error as FileError {
            throw Failure(reading: path, error)
        }
    }
}
