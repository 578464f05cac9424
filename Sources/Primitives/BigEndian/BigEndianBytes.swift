extension RangeReplaceableCollection<UInt8> {
    /// Appends an integer, its most significant byte first.
    @inlinable
    package mutating func append(bigEndian integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }

    /// The bytes of an integer, the most significant first.
    @inlinable
    package init(bigEndian integer: some FixedWidthInteger) {
        self.init()
        append(bigEndian: integer)
    }
}
