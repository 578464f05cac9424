/// A value of the codec FFV1 whose type is known at run time only.
///
/// Equal values have equal encodings: strings are compared by their bytes, numbers by their bits, and every NaN is the
/// same.
///
/// Source: `forcefield` section 12.
package enum WireValue: Sendable {
    case `nil`
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case float(Float)
    case string(String)
    case bytes([UInt8])
    case array([WireValue])
    /// Entries in any order; encoding sorts, and refuses what has one key twice.
    case map([Entry])

    package struct Entry: Equatable, Sendable {
        /// 1…255 bytes of UTF-8.
        package var key: String
        package var value: WireValue

        package init(_ key: String, _ value: WireValue) {
            self.key = key
            self.value = value
        }

        package static func == (left: Entry, right: Entry) -> Bool {
            left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
        }
    }
}

extension WireValue: Equatable {
    package static func == (left: WireValue, right: WireValue) -> Bool {
        switch (left, right) {
        case (.nil, .nil): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.double(let left), .double(let right)): left.wireBits == right.wireBits
        case (.float(let left), .float(let right)): left.wireBits == right.wireBits
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.map(let left), .map(let right)):
            left.count == right.count && left.sorted { $0.precedes($1) } == right.sorted { $0.precedes($1) }
        default: false
        }
    }
}

extension WireValue.Entry {
    /// The order of keys in an encoding: bytewise.
    func precedes(_ other: Self) -> Bool {
        key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
}

extension Double {
    /// The bits on the wire: every NaN is the one canonical NaN.
    var wireBits: UInt64 { isNaN ? Self.wireNaN : bitPattern }
    static var wireNaN: UInt64 { 0x7ff8_0000_0000_0000 }
}

extension Float {
    /// The bits on the wire: every NaN is the one canonical NaN.
    var wireBits: UInt32 { isNaN ? Self.wireNaN : bitPattern }
    static var wireNaN: UInt32 { 0x7fc0_0000 }
}
