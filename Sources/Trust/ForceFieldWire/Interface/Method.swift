/// A call that a worker answers with one reply. One value, declared once, serves host and worker:
///
///     static let decode = Method<DecodeRequest, DecodeReply>("qr.decode")
///
/// `Method<[UInt8], [UInt8]>` is raw: its bytes travel as they are, without FFV1.
///
/// Source: `forcefield` sections 11, 12 and 21.
public struct Method<Request: Codable & Sendable, Response: Codable & Sendable>: Sendable {
    /// The method as both sides have to agree on it: what an ``Interface`` is made of.
    public let signature: MethodSignature
    /// Bytes of a reply that the host accepts; no more than the frame limit applies where nil.
    package let maxReplyBytes: Int?

    /// - Parameter name: unique in its interface.
    public init(_ name: String, maxReplyBytes: Int? = nil) {
        signature = MethodSignature(
            name: name, request: WireTypeName.of(Request.self), reply: WireTypeName.of(Response.self), kind: .unary)
        self.maxReplyBytes = maxReplyBytes
    }

    package var name: String { signature.name }

    /// Whether bodies travel as they are.
    package var isRaw: Bool { Request.self == [UInt8].self && Response.self == [UInt8].self }
}

/// A call that a worker answers with any number of items.
///
/// Source: `forcefield` sections 11 and 21.
public struct StreamMethod<Request: Codable & Sendable, Item: Codable & Sendable>: Sendable {
    /// The method as both sides have to agree on it: what an ``Interface`` is made of.
    public let signature: MethodSignature
    /// Bytes of an item that the host accepts; no more than the frame limit applies where nil.
    package let maxItemBytes: Int?

    /// - Parameter name: unique in its interface.
    public init(_ name: String, maxItemBytes: Int? = nil) {
        signature = MethodSignature(
            name: name, request: WireTypeName.of(Request.self), reply: WireTypeName.of(Item.self), kind: .stream)
        self.maxItemBytes = maxItemBytes
    }

    package var name: String { signature.name }

    /// Whether bodies travel as they are.
    package var isRaw: Bool { Request.self == [UInt8].self && Item.self == [UInt8].self }
}

/// The bodies of frames: FFV1, or the bytes themselves where a method is raw.
package enum MethodBody {
    package static func encode<Value: Encodable>(_ value: Value, raw: Bool) throws(CodecError) -> [UInt8] {
        if raw, let bytes = value as? [UInt8] { return bytes }
        return try FFV1.encode(value)
    }

    package static func decode<Value: Decodable>(
        _ body: [UInt8], as type: Value.Type = Value.self, raw: Bool
    ) throws(CodecError) -> Value {
        if raw, let bytes = body as? Value { return bytes }
        return try FFV1.decode(type, from: body)
    }
}
