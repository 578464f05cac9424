/// A payload as the source symbols of a fountain code, without repair symbols: enough for a reader that sees every frame once.
///
/// A frame is the payload's size with the top bit set (big-endian), the block (always 0), the symbol's number (24 bits,
/// big-endian) and the symbol. Source: `signer-wire` section 9.2.
public enum SourceFrames {
    /// Bytes of a symbol in codes that phones show.
    public static let phoneSymbolSize = 128

    /// - Parameter payload: 1 byte to 4 MiB.
    public static func frames(of payload: [UInt8], symbolSize: Int = phoneSymbolSize) -> [[UInt8]] {
        let head = bigEndian(0x8000_0000 | UInt32(truncatingIfNeeded: payload.count))
        return stride(from: 0, to: payload.count, by: symbolSize).enumerated().map { number, start in
            let symbol = payload[start..<min(start + symbolSize, payload.count)]
            let padding = [UInt8](repeating: 0, count: symbolSize - symbol.count)
            return head + bigEndian(UInt32(truncatingIfNeeded: number)) + symbol + padding
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
