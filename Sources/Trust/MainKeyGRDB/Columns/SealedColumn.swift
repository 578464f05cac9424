import MainKey

/// The declaration of a database column whose values are sealed. The names are part of the key: a value does not open
/// under another table or column, and a column that is renamed has to be sealed anew.
///
///     enum UserNote: SealedColumn {
///         static let table = "user"
///         static let column = "note"
///     }
public protocol SealedColumn: Sendable {
    static var table: String { get }
    static var column: String { get }
    /// Hides lengths up to a multiple of 16, 32, 64, 128 or 256 bytes; 0, unless declared, for none.
    static var padding: Int { get }
}

extension SealedColumn {
    public static var padding: Int { 0 }

    static var purpose: SealedPurpose { .column(table: table, column: column) }
    static var name: String { "\(table).\(column)" }
}

/// A sealed column that rows are found by: beside it lies a BLOB column of ``BlindIndex`` values, with a usual SQLite
/// index. It shows which rows are equal in one epoch, and how often; there is no order and no search by prefix.
///
///     enum UserEmail: BlindIndexedColumn {
///         static let table = "user"
///         static let column = "email"
///         static let indexColumn = "email_index"
///         static let normalisation = TextNormalisation.asciiLowercase
///     }
///
/// Source: `mainkey` section 9.
public protocol BlindIndexedColumn: SealedColumn {
    /// The name of the column in the same table that holds the index.
    static var indexColumn: String { get }
    /// The bytes of an index, 4 to 32; 16 unless declared. Fewer leak less, and find rows that are not equal
    /// (``QueryInterfaceRequest/fetchAll(_:where:equals:in:row:)`` looks again).
    static var indexByteCount: Int { get }
    /// What texts are made equal by; exact unless declared. It holds for the index only: the sealed value stays as it
    /// is.
    static var normalisation: TextNormalisation { get }
    /// Truth values are not indexed unless this is declared: two codes and their frequencies tell everything.
    static var allowLowEntropy: Bool { get }
}

extension BlindIndexedColumn {
    public static var indexByteCount: Int { 16 }
    public static var normalisation: TextNormalisation { .exact }
    public static var allowLowEntropy: Bool { false }

    static var indexForm: BlindIndexForm {
        BlindIndexForm(
            normalisation: normalisation, byteCount: indexByteCount, allowLowEntropy: allowLowEntropy)
    }
}
