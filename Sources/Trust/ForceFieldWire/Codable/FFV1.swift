/// The codec of requests and replies: one canonical encoding for each `Codable` value.
///
///     let bytes = try FFV1.encode(request)
///     let request = try FFV1.decode(DecodeRequest.self, from: bytes)
///
/// Keyed containers are maps, unkeyed ones arrays, `[UInt8]` and ``Bytes`` are bytes. An optional that is nil is absent
/// from a keyed container. It promises that equal values have equal bytes, that no bytes trap, and that memory grows
/// with the bytes there are and never with what they claim.
///
/// Source: `forcefield` section 12.
public enum FFV1 {
    /// What a decoder makes of keys that its type does not have.
    public enum UnknownKeys: Sendable {
        case refused
        case ignored
    }

    /// - Throws: ``CodecError``: `depthExceeded`, `countExceeded`, `keyOrder`, `emptyKey`, `keyTooLong`, and
    ///   `invalidValue` for what the value itself throws.
    public static func encode<Value: Encodable>(_ value: Value) throws(CodecError) -> [UInt8] {
        do {
            return try WireEncoder.wireValue(of: value, at: .root, nesting: 0).ffv1()
        } catch {
            throw CodecError(error)
        }
    }

    /// Reads one value that takes up all of `bytes`.
    ///
    /// - Parameter unknownKeys: refused where the peer is not trusted. A type that reads its keys through two
    ///   containers of different keys needs `ignored`.
    /// - Throws: ``CodecError``
    public static func decode<Value: Decodable>(
        _: Value.Type = Value.self, from bytes: [UInt8], unknownKeys: UnknownKeys = .refused
    ) throws(CodecError) -> Value {
        let source = try CheckedBytes(bytes)
        do {
            return try WireDecoder(CheckedBytes.root, of: source, at: .root, unknownKeys: unknownKeys).read()
        } catch {
            throw CodecError(error)
        }
    }
}

extension CodecError {
    /// What a coder or a `Codable` type threw, as an error of this codec.
    ///
    /// - Parameter path: of the value whose coding threw, for errors that do not say it.
    init(_ error: any Error, at path: CodingPath = .root) {
        func place(_ keys: [any CodingKey]) -> String { keys.isEmpty ? path.text : CodingPath.text(keys) }
        switch error {
        case let error as CodecError: self = error
        case DecodingError.typeMismatch(let type, let context):
            self = .typeMismatch(
                path: place(context.codingPath), expected: "\(type)", found: context.debugDescription)
        case DecodingError.valueNotFound(let type, let context):
            self = .typeMismatch(path: place(context.codingPath), expected: "\(type)", found: WireTag.nil.name)
        case DecodingError.keyNotFound(let key, let context):
            self = .missingKey(path: CodingPath.text(context.codingPath + [key]))
        case DecodingError.dataCorrupted(let context):
            self = .invalidValue(path: place(context.codingPath), reason: context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            self = .invalidValue(path: place(context.codingPath), reason: context.debugDescription)
        default: self = .invalidValue(path: path.text, reason: "\(error)")
        }
    }
}
