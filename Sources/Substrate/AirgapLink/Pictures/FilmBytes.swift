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

    init(_ file: InputFile) { self.file = file }

    var path: String { file.path }
    /// Whether the bytes are there without waiting for another program.
    var areAtHand: Bool { file.isRegular }
    var canBeginAgain: Bool { file.isRegular || kept != nil }

    /// - Returns: nil where those bytes have not been kept.
    mutating func piece(at position: UInt64) throws(LinkError) -> FilmPiece? {
        if file.isRegular {
            let bytes = try file.read(at: position, upTo: Self.pieceSize)
            return FilmPiece(position: position, bytes: bytes, isLast: bytes.count < Self.pieceSize)
        }
        if position < end {
            guard let kept else { return nil }
            let bytes = Array(kept[Int(position)...].prefix(Self.pieceSize))
            return FilmPiece(position: position, bytes: bytes, isLast: false)
        }
        let bytes = [UInt8](try file.read())
        end += UInt64(bytes.count)
        if let count = kept?.count, count + bytes.count <= Self.keptLimit { kept? += bytes } else { kept = nil }
        return FilmPiece(position: position, bytes: bytes, isLast: bytes.isEmpty)
    }
}
