/// A value with one SCALE encoding.
public protocol ScaleEncodable {
    func encode(to encoder: inout ScaleEncoder)
}

/// A value that can be read back from its SCALE encoding.
public protocol ScaleDecodable {
    init(from decoder: inout ScaleDecoder) throws(ScaleError)
}

/// A type that is written and read.
public typealias ScaleCodable = ScaleEncodable & ScaleDecodable

extension ScaleEncodable {
    /// The encoding as bytes of its own.
    public var scaleEncoded: [UInt8] {
        var encoder = ScaleEncoder()
        encode(to: &encoder)
        return encoder.bytes
    }
}

extension ScaleDecodable {
    /// Reads a value that takes up the whole of `bytes`; anything left over is an error.
    public init(scaleEncoded bytes: [UInt8]) throws(ScaleError) {
        var decoder = ScaleDecoder(bytes)
        try self.init(from: &decoder)
        try decoder.finish()
    }
}
