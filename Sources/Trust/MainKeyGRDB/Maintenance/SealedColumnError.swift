import MainKey

/// Why the values of a table could not be sealed, or sealed anew. Everything up to the batch that failed is done and
/// kept; the batch itself is as it was. No case carries content of a table.
public enum SealedColumnError: Error, Equatable, Sendable {
    /// A value does not open, or cannot be sealed.
    case value(column: String, rowID: Int64, MainKeyError)
    /// A value that is saved was sealed under a key that a rotation has forgotten since its record was fetched.
    case forgottenEpoch(column: String, rowID: Int64, epoch: UInt32)
    /// A column to be rotated holds cleartext.
    case notSealed(column: String, rowID: Int64)
    /// Cleartext that is not of the declared type.
    case unreadable(column: String, rowID: Int64, type: String)
    /// A stored blind index is not that of its value under any normalisation.
    case indexMismatch(column: String, rowID: Int64)
    case noSuchTable(String)
    case noSuchColumn(String)
    /// The table was made WITHOUT ROWID, or hides its row ids behind columns of those names.
    case noRowIDs(table: String)
    /// Values would be tied to row ids that VACUUM may change.
    case unstableRowIDs(table: String)
    /// Everything is sealed, but others read the database, so that the write-ahead log still holds cleartext.
    case cleartextStillInUse
    case noSuchDatabase(path: String)
    /// The database keeps a count of its values (``FreshRows``), which this would leave wrong.
    case counted

    /// The failure in the terms of the vault, with its stable code and exit code.
    public var mainKeyError: MainKeyError {
        switch self {
        case .value(_, _, let error): error
        case .forgottenEpoch(_, _, let epoch): .unknownEpoch(epoch)
        case .notSealed, .unreadable: .malformed(.sealedValue, reason: description)
        case .indexMismatch: .tampered(reason: description)
        case .noSuchTable, .noSuchColumn, .noRowIDs, .unstableRowIDs, .counted: .configError(reason: description)
        case .cleartextStillInUse: .busy(path: "the database")
        case .noSuchDatabase(let path): .notFound("database at \(path)")
        }
    }
}

extension SealedColumnError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .value(let column, let rowID, let error): "\(column), row \(rowID): \(error)"
        case .forgottenEpoch(let column, let rowID, let epoch):
            "\(column), row \(rowID): the value to be saved is of epoch \(epoch), whose key a rotation has forgotten. "
                + "Fetch the record again, change that and save it; the row is as it was."
        case .notSealed(let column, let rowID):
            "\(column), row \(rowID): it holds cleartext. Seal the column before it is rotated."
        case .unreadable(let column, let rowID, let type):
            "\(column), row \(rowID): its cleartext is not a \(type). Correct the row, or the declared type."
        case .indexMismatch(let column, let rowID):
            "\(column), row \(rowID): its blind index is not that of its value. Declare the column in the application "
                + "and rotate there, or set the index to NULL."
        case .noSuchTable(let table): "There is no table \(table)."
        case .noSuchColumn(let column): "There is no column \(column)."
        case .noRowIDs(let table): "The table \(table) has no row ids, by which rows are told apart here."
        case .unstableRowIDs(let table):
            "The table \(table) has no INTEGER PRIMARY KEY: VACUUM may change its row ids, and values that are tied to "
                + "them would not open any more. Add one, or seal without tying."
        case .cleartextStillInUse:
            "All values are sealed, but another connection reads the database, so that its write-ahead log still holds "
                + "cleartext. Close it and run this again."
        case .noSuchDatabase(let path): "There is no database at \(path)."
        case .counted:
            "The database keeps a count of its values, by which older ones are noticed. Have its application rotate it "
                + "(FreshRows.rotation)."
        }
    }
}
