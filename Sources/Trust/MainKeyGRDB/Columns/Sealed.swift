import Foundation
import GRDB
import MainKey

/// A value of a sealed column, as a record carries it: the BLOB and nothing of its content. Sealing and opening happen
/// where the vault is unlocked, never inside a conversion of the database.
///
///     struct User: Codable, FetchableRecord, PersistableRecord {
///         var id: Int64
///         var email: Sealed<String, UserEmail>
///         var emailIndex: BlindIndex<UserEmail>
///         var note: Sealed<String, UserNote>?
///     }
///
///     user.email = try Sealed("anna@example.org", in: vault)
///     let email = try user.email.open(in: vault)
///
/// A value that is saved is what was fetched, in the epoch that it was sealed in: saved behind the end of a rotation it
/// takes the place of one that opens, and does not open itself. Fetch a record in the transaction that saves it;
/// ``renewed(in:row:)`` is for one that is kept.
///
/// NULL stays NULL: which rows have no value is to be seen. No text about this type tells what it carries. Keep GRDB's
/// `publicStatementArguments` false, its usual value, so that neither does an error of the database.
///
/// Source: `mainkey` sections 8 and 25.
public struct Sealed<Value: SealableValue, Column: SealedColumn>: DatabaseValueConvertible, Hashable, Sendable {
    /// What the column holds. Anything but NULL is taken, so that what was never sealed fails in ``open(in:row:)`` and
    /// not in a conversion whose error would print it.
    public let databaseValue: DatabaseValue

    /// Seals a value.
    ///
    /// - Parameter row: ties the value to its row; the same is needed to open it.
    /// - Throws: `locked`; `configError` for a padding that there is not.
    public init(_ value: Value, in vault: borrowing UnlockedVault, row: RowBinding = .none) throws(MainKeyError) {
        databaseValue = Data(try vault.seal(value, Column.purpose, row: row, padding: Column.padding)).databaseValue
    }

    /// Seals a value if there is one.
    public init?(_ value: Value?, in vault: borrowing UnlockedVault, row: RowBinding = .none) throws(MainKeyError) {
        guard let value else { return nil }
        try self.init(value, in: vault, row: row)
    }

    private init(carrying databaseValue: DatabaseValue) {
        self.databaseValue = databaseValue
    }

    public static func fromDatabaseValue(_ databaseValue: DatabaseValue) -> Sealed? {
        databaseValue.isNull ? nil : Sealed(carrying: databaseValue)
    }

    /// Opens the value.
    ///
    /// - Throws: `authFailed` if it was changed, or belongs to another column or row; `malformed` if it is of another
    ///   type or was never sealed; `unknownEpoch`, `truncated`, `unsupportedVersion`, `wrongPurpose`, `locked`.
    public func open(in vault: borrowing UnlockedVault, row: RowBinding = .none) throws(MainKeyError) -> Value {
        let opened = try data.withUnsafeBytes { bytes in
            Result { () throws(MainKeyError) in try vault.open(bytes, as: Value.self, Column.purpose, row: row) }
        }
        return try opened.get()
    }

    /// The value as it is to be saved: itself where it is of the active epoch, else sealed anew. The blind index beside
    /// it is to be made anew with it.
    ///
    /// - Throws: as ``open(in:row:)``; `unknownEpoch` where a rotation has forgotten its key since it was fetched:
    ///   fetch the record again.
    public func renewed(in vault: borrowing UnlockedVault, row: RowBinding = .none) throws(MainKeyError) -> Sealed {
        if try vault.activeEpoch == epoch { return self }
        return try Sealed(try open(in: vault, row: row), in: vault, row: row)
    }

    /// The epoch that the value was sealed in; 0 for what was never sealed.
    public var epoch: UInt32 {
        (try? UnlockedVault.epoch(of: Array(data))) ?? 0
    }

    private var data: Data {
        get throws(MainKeyError) {
            guard case .blob(let data) = databaseValue.storage else {
                throw .malformed(
                    .sealedValue, reason: "\(Column.name) holds cleartext here; seal it with SealedRecordMigrator")
            }
            return data
        }
    }
}

/// Lets rows be fetched without a value of the database in between.
extension Sealed: StatementColumnConvertible {
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let value = DatabaseValue(sqliteStatement: sqliteStatement, index: index)
        if value.isNull { return nil }
        self.init(carrying: value)
    }
}

/// A sealed value is coded outside a database as `Data`, the BLOB.
extension Sealed: Codable {
    public init(from decoder: any Decoder) throws {
        databaseValue = try decoder.singleValueContainer().decode(Data.self).databaseValue
    }

    /// - Throws: `malformed` for what was never sealed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try data)
    }
}

extension Sealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Sealed(\(Column.name), epoch \(epoch))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Optional {
    /// Opens the value if there is one.
    public func open<Value, Column>(
        in vault: borrowing UnlockedVault, row: RowBinding = .none
    ) throws(MainKeyError) -> Value? where Wrapped == Sealed<Value, Column> {
        guard let sealed = self else { return nil }
        return try sealed.open(in: vault, row: row)
    }
}
