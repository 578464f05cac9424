import BigEndian

/// What ties a sealed value to its row, so that it does not open when it is copied into another.
public struct RowBinding: Hashable, Sendable {
    package let bytes: [UInt8]

    /// A binding to at most 65535 bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// No binding: values may be moved between rows without being noticed.
    public static let none = RowBinding([])

    /// The row's number as 8 bytes, the most significant first.
    public static func rowID(_ id: Int64) -> RowBinding { RowBinding([UInt8](bigEndian: id)) }
}
