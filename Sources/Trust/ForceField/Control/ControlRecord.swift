import ForceFieldWire

/// The form that all records of the control protocol share: 64 bytes, little endian, zero where nothing is said.
///
/// Source: `forcefield` section 13.
package enum ControlRecord {
    package static let count = 64
    private static let magic: UInt32 = 0x3143_4646
    /// Bytes before the fields.
    private static let fieldsBegin = 8

    static func bytes(_ kind: UInt16, _ fields: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes.append(littleEndian: magic)
        bytes.append(littleEndian: kind)
        bytes.append(littleEndian: UInt16(0))
        fields(&bytes)
        return bytes + repeatElement(0, count: count - bytes.count)
    }

    /// - Returns: nil unless it is a record of 64 bytes.
    static func fields(_ record: [UInt8]) -> (kind: UInt16, fields: ControlFields)? {
        guard record.count == count else { return nil }
        var header = PayloadFields(record)
        guard header.next(UInt32.self) == magic else { return nil }
        let kind = header.next(UInt16.self)
        guard header.next(UInt16.self) == 0 else { return nil }
        return (kind, ControlFields(record, offset: fieldsBegin))
    }
}

/// Reads the fields of a record one after the other.
struct ControlFields {
    private let record: [UInt8]
    private var offset: Int

    fileprivate init(_ record: [UInt8], offset: Int) {
        self.record = record
        self.offset = offset
    }

    /// The fields of a record are fewer than its bytes.
    mutating func next<I: FixedWidthInteger>(_: I.Type = I.self) -> I {
        let range = offset..<offset + MemoryLayout<I>.size
        offset = range.upperBound
        return record[range].reversed().reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }

    /// Whether nothing but zeros is left.
    var isAtEnd: Bool { record[offset...].allSatisfy { $0 == 0 } }
}
