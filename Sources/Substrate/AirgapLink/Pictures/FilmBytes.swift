import Files
import PictureService

/// The bytes of a film. A new worker is given them from the beginning: they are read again where that can be, else
/// kept.
struct FilmBytes {
    private let file: InputFile
    /// The beginning of a film that cannot be read twice; nil once it has become too much.
    private var kept: [UInt8]? = []
    private var end: UInt64 = 0

    private static let pieceSize = 1 << 20
    /// Bytes that are kept at most: as many as the longest film that is no stream has.
    private static let keptLimit = 256 << 20

    init(path: String) throws(LinkError) {
        do throws(FileError) { file = try InputFile(FilePath(path)) } catch { throw LinkError(error) }
    }

    var path: String { file.path.string }
    /// Whether the bytes are there without waiting for another program.
    var areAtHand: Bool { file.kind == .regular }
    var canBeginAgain: Bool { areAtHand || kept != nil }

    /// - Returns: nil where those bytes have not been kept.
    mutating func piece(at position: UInt64) throws(LinkError) -> FilmPiece? {
        if areAtHand {
            let bytes = try read(at: position)
            return FilmPiece(position: position, bytes: bytes, isLast: bytes.count < Self.pieceSize)
        }
        if position < end {
            guard let kept else { return nil }
            let bytes = Array(kept[Int(position)...].prefix(Self.pieceSize))
            return FilmPiece(position: position, bytes: bytes, isLast: false)
        }
        let bytes = try readOn()
        end += UInt64(bytes.count)
        if let count = kept?.count, count + bytes.count <= Self.keptLimit { kept? += bytes } else { kept = nil }
        return FilmPiece(position: position, bytes: bytes, isLast: bytes.isEmpty)
    }

    /// - Returns: nothing at the end.
    private func readOn() throws(LinkError) -> [UInt8] {
        do throws(FileError) { return try file.read(upTo: Self.pieceSize) } catch { throw LinkError(error) }
    }

    /// - Returns: fewer bytes than a piece at the end only.
    private func read(at position: UInt64) throws(LinkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        do throws(FileError) {
            let count = try bytes.withUnsafeMutableBufferPointer { room throws(FileError) in
                try file.file.read(at: Int64(clamping: position), into: UnsafeMutableRawBufferPointer(room))
            }
            bytes.removeLast(bytes.count - count)
            return bytes
        } catch { throw LinkError(error) }
    }
}
