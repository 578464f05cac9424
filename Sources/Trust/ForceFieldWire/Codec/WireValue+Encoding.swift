extension WireValue {
    /// The canonical encoding.
    ///
    /// - Throws: ``CodecError``: `depthExceeded`, `countExceeded`, `keyOrder` for a key that stands twice, `emptyKey`,
    ///   `keyTooLong`.
    package func ffv1() throws(CodecError) -> [UInt8] {
        var writer = ValueWriter(capacity: leastSize)
        try writer.write(self, depth: 0)
        return writer.bytes
    }

    /// Bytes that the encoding has at least: exact but for what is in arrays and maps.
    private var leastSize: Int {
        switch self {
        case .string(let text): 5 + text.utf8.count
        case .bytes(let bytes): 5 + bytes.count
        case .array(let elements): 5 + elements.count
        case .map(let entries): 5 + entries.reduce(0) { $0 + 2 + $1.key.utf8.count + $1.value.leafSize }
        default: 9
        }
    }

    private var leafSize: Int {
        switch self {
        case .string(let text): 5 + text.utf8.count
        case .bytes(let bytes): 5 + bytes.count
        default: 9
        }
    }
}
