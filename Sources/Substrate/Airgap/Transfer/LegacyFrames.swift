/// Numbered frames as polkadot-js shows them (`raptorq-qr` section 12.2).
public enum LegacyFrames {
    /// Bytes of a piece.
    public static let pieceSize = 1024

    /// - Throws: ``TransferError/payloadTooLarge(size:limit:)`` above 65535 pieces.
    public static func frames(of payload: [UInt8], pieceSize: Int = pieceSize) throws(TransferError) -> [[UInt8]] {
        let count = max(1, (payload.count + pieceSize - 1) / pieceSize)
        guard count <= Int(UInt16.max) else {
            throw .payloadTooLarge(size: payload.count, limit: pieceSize * Int(UInt16.max))
        }
        return (0..<count).map { index in
            let piece = payload[index * pieceSize..<min((index + 1) * pieceSize, payload.count)]
            return frame(Array(piece), index: index, count: count)
        }
    }

    static func frame(_ piece: [UInt8], index: Int, count: Int) -> [UInt8] {
        [0, UInt8(count >> 8), UInt8(count & 0xff), UInt8(index >> 8), UInt8(index & 0xff)] + piece
    }
}
