extension WireValue {
    /// Reads one FFV1 value that takes up all of `bytes`.
    ///
    /// - Throws: ``CodecError``: one of those with an offset.
    package init(ffv1 bytes: [UInt8]) throws(CodecError) {
        self.init(CheckedBytes.root, of: try CheckedBytes(bytes))
    }

    /// - Parameter node: of a value.
    init(_ node: Int, of source: CheckedBytes) {
        switch source.tag(node) {
        case .nil: self = .nil
        case .false: self = .bool(false)
        case .true: self = .bool(true)
        case .int: self = .int(source.int(node))
        case .uint: self = .uint(source.uint(node))
        case .double: self = .double(source.double(node))
        case .float: self = .float(source.float(node))
        case .string: self = .string(source.string(node))
        case .bytes: self = .bytes(source.bytes(node))
        case .array:
            var elements: [WireValue] = []
            elements.reserveCapacity(source.count(node))
            var element = node + 1
            while element < source.next(node) {
                elements.append(WireValue(element, of: source))
                element = source.next(element)
            }
            self = .array(elements)
        case .map:
            self = .map(
                source.keys(node).map { key in
                    Entry(source.key(Int(key)), WireValue(Int(key) + 1, of: source))
                })
        }
    }
}
