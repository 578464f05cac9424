import Foundation
import GRDB
import MainKey

/// A column that holds cleartext and is to be sealed in place: under its name, in its table, with its blind index if
/// the declaration has one (the index column exists already, and is NULL).
public struct CleartextColumn: Sendable {
    let place: ColumnPlace
    let indexColumn: String?
    let tie: RowTie
    /// The name of the type, for errors.
    let type: String
    /// Seals the cleartext of a row; nil if it is of another type.
    let seal: @Sendable (DatabaseValue, borrowing UnlockedVault, RowBinding) throws(MainKeyError) -> Replacement?

    /// What takes the cleartext's place.
    struct Replacement {
        var value: [UInt8]
        var index: [UInt8]?
    }

    /// - Parameters:
    ///   - tie: what the values are tied to from now on.
    ///   - read: makes the value of what the column holds; nil if it is none. What it throws away is lost.
    public init<Value: SealableValue, Column: SealedColumn>(
        _ column: Column.Type, tiedTo tie: RowTie = .none,
        reading read: @escaping @Sendable (DatabaseValue) -> Value?
    ) {
        place = ColumnPlace(table: Column.table, column: Column.column)
        let indexed = column as? any BlindIndexedColumn.Type
        indexColumn = indexed?.indexColumn
        self.tie = tie
        type = "\(Value.self)"
        seal = { (stored, vault, row) throws(MainKeyError) in
            guard let value = read(stored) else { return nil }
            let sealed = try vault.seal(value, Column.purpose, row: row, padding: Column.padding)
            let epoch = try UnlockedVault.epoch(of: sealed)
            let index = try indexed?.indexForm.code(value, of: Column.self, epoch: epoch, in: vault)
            return Replacement(value: sealed, index: index)
        }
    }

    /// A column of values that GRDB reads.
    public init<Value: SealableValue & DatabaseValueConvertible, Column: SealedColumn>(
        _ column: Column.Type, of type: Value.Type, tiedTo tie: RowTie = .none
    ) {
        self.init(column, tiedTo: tie) { Value.fromDatabaseValue($0) }
    }
}
