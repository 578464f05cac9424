import Files
import SecretMemory

/// Cuts a stream of unknown length into pieces of whole chunks, and knows of each whether it is the last.
///
/// One byte behind the piece is read with it: where it is missing, the stream is over.
final class PieceReader {
    private let source: OpenFile
    private let buffer: PieceBuffer
    private let pieceByteCount: Int
    /// Bytes at the beginning of the buffer that belong to the next piece: 0 or 1.
    private var carried = 0
    private(set) var isAtEnd = false

    /// The most chunks in a piece.
    let unitsPerPiece: Int

    /// The bytes of a piece, unless one chunk is larger: few calls, and still within the processor's cache.
    static let pieceByteCount = 256 << 10

    /// - Parameters:
    ///   - unit: bytes of a chunk as it lies in the stream.
    ///   - length: bytes of the stream if they are known; they are not relied on.
    init(_ source: OpenFile, unit: Int, length: Int?) {
        self.source = source
        let units = max(1, Self.pieceByteCount / unit)
        unitsPerPiece = length.map { max(1, min(units, ($0 + unit - 1) / unit)) } ?? units
        pieceByteCount = unitsPerPiece * unit
        buffer = PieceBuffer(count: pieceByteCount + 1)
    }

    /// The next piece: whole chunks, but for the last, which is whatever remains and may be nothing.
    ///
    /// - Returns: bytes that are overwritten by the next call.
    func next() throws(MainKeyError) -> UnsafeRawBufferPointer {
        precondition(!isAtEnd, "nothing follows the last piece")
        // The byte that was read ahead lies behind the piece before.
        if carried == 1 { buffer.bytes[0] = buffer.bytes[pieceByteCount] }
        let count = carried + (try onDisk(try source.read(into: buffer[carried..<buffer.bytes.count])))
        isAtEnd = count <= pieceByteCount
        carried = isAtEnd ? 0 : 1
        return UnsafeRawBufferPointer(buffer[0..<min(count, pieceByteCount)])
    }
}
