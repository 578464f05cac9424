import BasicFoundation
import Files
import TextForms

/// The file in which `airgap recv --partial` keeps what it has read of a file that is not whole yet.
///
/// Its first line says what it is. A file without that line, a device and a link are somebody's: they are neither read
/// nor removed.
struct PartialFile {
    private let path: FilePath

    private static let heading = "# What airgap recv --partial has read so far, a code on each line."
    /// Twice the digits of the largest payload that is received.
    private static let limit = 1 << 33

    init(_ path: String) { self.path = FilePath(path) }

    /// The contents of the codes that were kept; none where there is no file.
    ///
    /// - Throws: ``Failure/notPartial(path:)`` for a file that is somebody's, or ``FileError``.
    func contents() throws -> [[UInt8]] {
        guard let text = try text() else { return [] }
        return try text.split(separator: "\n").dropFirst().map { line in
            guard let content = Hex.decode(line) else { throw Failure.notPartial(path: path.string) }
            return content
        }
    }

    /// Replaces what was kept. No contents: there is nothing to go on with, and no file.
    func keep(_ contents: [[UInt8]]) throws {
        let isThere = try text() != nil
        if !contents.isEmpty {
            let lines = [Self.heading] + contents.map { Hex.encode($0) }
            try PreparedFile.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8))
        } else if isThere, let name = path.lastComponent?.string {
            let above = path.removingLastComponent()
            try Folder(above.isEmpty ? "." : above, followsLinks: true).remove(name)
        }
    }

    /// - Returns: nil if there is no file.
    private func text() throws -> String? {
        let bytes: [UInt8]
        do {
            bytes = try OpenFile(path).content(limit: Self.limit)
        } catch {
            if error.isMissing { return nil }
            guard error.errno == nil else { throw error }
            throw Failure.notPartial(path: path.string)
        }
        guard bytes.starts(with: (Self.heading + "\n").utf8) else { throw Failure.notPartial(path: path.string) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
