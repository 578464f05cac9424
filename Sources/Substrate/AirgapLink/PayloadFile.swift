import Airgap
import Files

/// A file with a payload in it, as bytes or as hex.
package enum PayloadFile {
    /// Bytes of a file at the most: a payload with metadata, written as hex.
    package static let limit = 64 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: of a file.
    ///   - allowsPipes: whether a pipe is read as well, to its end, whenever that comes.
    /// - Returns: nil where it holds hex with an odd number of digits.
    package static func payload(at path: String, allowsPipes: Bool) throws(FileError) -> [UInt8]? {
        let path = FilePath(path)
        guard !allowsPipes else { return PayloadText.bytes(ofContent: try InputFile.content(of: path, limit: limit)) }
        return PayloadText.bytes(ofContent: try content(at: path.string, limit: limit))
    }

    /// Reads a regular file, for which nobody has to wait.
    ///
    /// - Parameters:
    ///   - path: of a file.
    ///   - limit: bytes at the most.
    package static func content(at path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = try InputFile(FilePath(path))
        guard file.kind == .regular else { throw FileError(file.path, .read, because: .notRegular) }
        return try file.content(limit: limit)
    }
}
