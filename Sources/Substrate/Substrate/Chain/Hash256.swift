import SCALE
import TextForms

/// 32 bytes that name something: a genesis, a block, a metadata blob, an account.
public struct Hash256: Hashable, Sendable {
    /// The size of each.
    public static let byteCount = 32

    /// Exactly 32 bytes.
    public let bytes: [UInt8]

    /// - Returns: nil unless `bytes` are 32.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Takes bytes whose count the caller has just fixed.
    package init(unchecked bytes: [UInt8]) {
        assert(bytes.count == Self.byteCount)
        self.bytes = bytes
    }

    /// 64 lower-case hex digits.
    public var hex: String { Hex.encode(bytes) }
}

extension Hash256: CustomStringConvertible {
    /// The value as text.
    public var description: String { hex }
}

extension Hash256: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        bytes = try decoder.array(Self.byteCount)
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.raw(bytes)
    }
}
