/// One item of deterministic CBOR. Strings are slices of the bytes that were read.
///
/// Source: RFC 8949; `appattest-gate` section 1.1 for the profile.
enum CBORItem: Equatable, Sendable {
    case unsigned(UInt64)
    /// The integer -1 - n.
    case negative(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// A text string of valid UTF-8.
    case text(ArraySlice<UInt8>)
    case array([CBORItem])
    case map([CBOREntry])
    case bool(Bool)
    case null
}

/// A key of a map with its value.
struct CBOREntry: Equatable, Sendable {
    /// An integer, text or bytes; no key of a map is there twice.
    let key: CBORItem
    let value: CBORItem
}

extension CBORItem {
    var byteString: ArraySlice<UInt8>? { if case .bytes(let slice) = self { slice } else { nil } }

    var textString: ArraySlice<UInt8>? { if case .text(let slice) = self { slice } else { nil } }

    var entries: [CBOREntry]? { if case .map(let entries) = self { entries } else { nil } }

    func isText(_ text: StaticString) -> Bool {
        guard case .text(let slice) = self, slice.count == text.utf8CodeUnitCount else { return false }
        return slice.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension [CBOREntry] {
    subscript(text: StaticString) -> CBORItem? { first { $0.key.isText(text) }?.value }

    subscript(key: CBORItem) -> CBORItem? { first { $0.key == key }?.value }
}
