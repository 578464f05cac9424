/// Bytes as one value, for types that are generic over their elements: FFV1 writes them as bytes, as it does `[UInt8]`.
public struct Bytes: Hashable, Sendable {
    /// What the wire carries, unchanged.
    public var array: [UInt8]

    /// Bytes to be written as one value.
    public init(_ array: [UInt8]) { self.array = array }
}

extension Bytes: Codable {
    /// Reads bytes.
    public init(from decoder: any Decoder) throws {
        array = try decoder.singleValueContainer().decode([UInt8].self)
    }

    /// Writes bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(array)
    }
}
