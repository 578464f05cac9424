import SCALE

/// Metadata as one Zstandard frame, not expanded yet: outside bytes of which only the length is known.
///
/// Source: `signer-wire` section 7.5.
public struct PackedMetadata: Hashable, Sendable {
    /// Bytes of metadata at the most.
    public static let byteLimit = 4 << 20

    /// How many bytes the frame is said to hold.
    public let byteCount: Int
    /// The Zstandard frame, from its magic number to its checksum.
    public let frame: [UInt8]

    /// - Returns: nil for lengths that are not taken.
    public init?(byteCount: Int, frame: [UInt8]) {
        guard 1...Self.byteLimit ~= byteCount else { return nil }
        self.byteCount = byteCount
        self.frame = frame
    }

    func encode(to encoder: inout ScaleEncoder) {
        encoder.compact(UInt128(byteCount))
        encoder.byteSequence(frame)
    }
}
