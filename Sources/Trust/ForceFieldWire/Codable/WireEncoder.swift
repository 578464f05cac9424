/// Turns one `Encodable` value into a ``WireValue``.
final class WireEncoder: Encoder {
    /// Values within each other: more than the codec's depth, since a value need not be a container.
    private static let nestingLimit = 256

    let path: CodingPath
    let nesting: Int
    private var storage = Storage.nothing

    private enum Storage {
        case nothing
        case value(WireValue)
        case map(MapBox)
        case array(ArrayBox)
        /// A type asked for containers of different kinds.
        case mixed
    }

    init(at path: CodingPath, nesting: Int) {
        self.path = path
        self.nesting = nesting
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func wireValue<Value: Encodable>(
        of value: Value, at path: @autoclosure () -> CodingPath, nesting: Int
    ) throws -> WireValue {
        if let leaf = leaf(value) { return leaf }
        guard nesting < nestingLimit else { throw CodecError.depthExceeded(offset: 0) }
        let encoder = WireEncoder(at: path(), nesting: nesting)
        do { try value.encode(to: encoder) } catch { throw CodecError(error, at: encoder.path) }
        return try encoder.finished()
    }

    /// Bytes, and the scalars that arrays are mostly of: these need no encoder.
    private static func leaf<Value: Encodable>(_ value: Value) -> WireValue? {
        if Value.self == [UInt8].self { return .bytes(unsafeBitCast(value, to: [UInt8].self)) }
        if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
        if Value.self == Int.self { return .int(Int64(unsafeBitCast(value, to: Int.self))) }
        if Value.self == Double.self { return .double(unsafeBitCast(value, to: Double.self)) }
        if Value.self == Float.self { return .float(unsafeBitCast(value, to: Float.self)) }
        return nil
    }

    /// - Throws: ``CodecError``: `invalidValue` if nothing was encoded, or no one value.
    func finished() throws -> WireValue {
        switch storage {
        case .value(let value): return value
        case .map(let box): return .map(try box.finished())
        case .array(let box): return .array(try box.finished())
        case .nothing: throw CodecError.invalidValue(path: path.text, reason: "the type encodes nothing")
        case .mixed:
            throw CodecError.invalidValue(path: path.text, reason: "the type encodes containers of different kinds")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let box: MapBox
        switch storage {
        case .map(let existing): box = existing
        case .nothing:
            box = MapBox()
            storage = .map(box)
        default:
            box = MapBox()
            storage = .mixed
        }
        return KeyedEncodingContainer(KeyedWireEncoding(box, at: path, nesting: nesting))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let box: ArrayBox
        switch storage {
        case .array(let existing): box = existing
        case .nothing:
            box = ArrayBox()
            storage = .array(box)
        default:
            box = ArrayBox()
            storage = .mixed
        }
        return UnkeyedWireEncoding(box, at: path, nesting: nesting)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleWireEncoding(self) }

    func store(_ value: WireValue) {
        if case .nothing = storage { storage = .value(value) } else { storage = .mixed }
    }
}

/// The entries of a map while they are encoded. Those of nested containers are finished last, since they may grow until
/// then.
final class MapBox {
    private var entries: [WireValue.Entry] = []
    private var unfinished: [(index: Int, encoder: WireEncoder)] = []

    init() { entries.reserveCapacity(8) }

    func append(_ key: String, _ value: WireValue) { entries.append(WireValue.Entry(key, value)) }

    func append(_ key: String, _ encoder: WireEncoder) {
        unfinished.append((entries.count, encoder))
        append(key, .nil)
    }

    func finished() throws -> [WireValue.Entry] {
        for (index, encoder) in unfinished { entries[index].value = try encoder.finished() }
        return entries
    }
}

/// The elements of an array while they are encoded.
final class ArrayBox {
    private var elements: [WireValue] = []
    private var unfinished: [(index: Int, encoder: WireEncoder)] = []

    var count: Int { elements.count }

    func append(_ value: WireValue) { elements.append(value) }

    func append(_ encoder: WireEncoder) {
        unfinished.append((elements.count, encoder))
        append(.nil)
    }

    func finished() throws -> [WireValue] {
        for (index, encoder) in unfinished { elements[index] = try encoder.finished() }
        return elements
    }
}
