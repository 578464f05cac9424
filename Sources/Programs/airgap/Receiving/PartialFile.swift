import AirgapLink
import BasicFoundation
import Files
import TextForms

/// The file in which `airgap recv --partial` keeps what it has read of a file that is not whole yet.
///
/// Its first line says what it is. A file without that line, a device and a link are somebody's: they are neither read
/// nor removed.
struct PartialFile {
    private let path: FilePath

    /// What was read and is not on the disk as a file yet.
    struct Kept {
        /// Files that were whole and could not be written.
        var files: [LinkReceiver.Received] = []
        /// Contents of codes of unfinished files.
        var codes: [[UInt8]] = []
        /// Whether codes have contradicted each other, by which only what is confirmed is given out.
        var isContradicted = false

        var isEmpty: Bool { files.isEmpty && codes.isEmpty && !isContradicted }
    }

    private static let heading = "# What airgap recv --partial has read so far, a code on each line."
    private static let contradiction = "contradicted"
    private static let file = "file "
    private static let unconfirmedFile = "unconfirmed file "
    /// Twice the digits of the largest payload that is received.
    private static let limit = 1 << 33

    init(_ path: String) { self.path = FilePath(path) }

    /// What was kept; nothing where there is no file.
    ///
    /// - Throws: ``Failure/notPartial(path:)`` for a file that is somebody's, or ``FileError``.
    func kept() throws -> Kept {
        var kept = Kept()
        for line in try text()?.split(separator: "\n").dropFirst() ?? [] {
            let prefix = [Self.file, Self.unconfirmedFile].first { line.hasPrefix($0) }
            if line == Self.contradiction {
                kept.isContradicted = true
            } else if let bytes = Hex.decode(line.dropFirst(prefix?.count ?? 0)) {
                guard let prefix else {
                    kept.codes.append(bytes)
                    continue
                }
                kept.files.append(.init(payload: bytes, isConfirmed: prefix == Self.file))
            } else {
                throw Failure.notPartial(path: path.string)
            }
        }
        return kept
    }

    /// Replaces what was kept. Where that is nothing there is no file.
    func keep(_ kept: Kept) throws {
        let isThere = try text() != nil
        if !kept.isEmpty {
            let lines =
                [Self.heading] + (kept.isContradicted ? [Self.contradiction] : [])
                + kept.files.map { ($0.isConfirmed ? Self.file : Self.unconfirmedFile) + Hex.encode($0.payload) }
                + kept.codes.map { Hex.encode($0) }
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
