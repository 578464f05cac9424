/// A value in a row or of a parameter. Any column of a file may hold a value of any type.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    /// nil for a value of another type.
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// nil for a value of another type.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// nil for a value of another type.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
}
