import BigEndian
import Foundation
import GRDB
import MainKey

/// A column whose values are counted, with its SQL.
struct CountedColumn {
    let place: ColumnPlace
    private let number: Int
    private let names: TableNames
    private let quoted: String

    /// - Parameter number: of the column among those that are counted.
    /// - Throws: `noSuchTable`, `noSuchColumn`, `noRowIDs`; `unstableRowIDs`, since a value counts with its row.
    init(_ place: ColumnPlace, number: Int, in db: Database) throws {
        self.place = place
        self.number = number
        names = try TableNames(place.table, in: db)
        quoted = try names.quoted(place.column)
        guard try names.areRowIDsStable(in: db) else { throw SealedColumnError.unstableRowIDs(table: place.table) }
    }

    /// What all values amount to, as they lie in the file.
    func tally(epoch: UInt32, keys: EpochKeys, _ db: Database) throws -> Tally {
        var tally = Tally()
        let rows = try Row.fetchCursor(db, sql: "SELECT \(names.rowID), \(quoted) FROM main.\(names.quoted)")
        while let row = try rows.next() {
            if let code = try code(of: row[1], rowID: row[0], epoch: epoch, keys: keys) { tally.add(code) }
        }
        return tally
    }

    /// What a value adds to the tally of its column.
    ///
    /// - Returns: nil for NULL, which adds nothing.
    func code(of value: DatabaseValue, rowID: Int64, epoch: UInt32, keys: EpochKeys) throws -> RowCode? {
        if value.isNull { return nil }
        guard case .blob(let sealed) = value.storage else {
            throw SealedColumnError.notSealed(column: "\(place)", rowID: rowID)
        }
        let content = Data([UInt8](bigEndian: rowID)) + sealed
        // In one expression Swift 6.3.1 aborts while it optimises.
        let vault = UnlockedVault(keys: keys)
        // No name of a column has a zero byte.
        return RowCode(
            try vault.blindIndex(
                content, table: FreshRows.table, column: "\(place.table)\0\(place.column)", epoch: epoch, count: 32))
    }

    // MARK: Changes

    /// Refuses a value that nobody could ever open or seal anew: one of a record that was fetched before a rotation
    /// ended.
    func checkHeld(_ value: DatabaseValue, rowID: Int64, keys: EpochKeys) throws {
        guard case .blob(let sealed) = value.storage else { return }
        let epoch: UInt32
        do { epoch = try UnlockedVault.epoch(of: Array(sealed)) } catch {
            throw SealedColumnError.value(column: "\(place)", rowID: rowID, error)
        }
        guard keys.isHeld(epoch) else {
            throw SealedColumnError.forgottenEpoch(column: "\(place)", rowID: rowID, epoch: epoch)
        }
    }

    /// Triggers of the connection that count every value that goes and every one that comes.
    var triggers: [(name: String, sql: String)] {
        let old = counting("0, tally, OLD.\(names.rowID), OLD.\(quoted)")
        let new = counting("1, tally, NEW.\(names.rowID), NEW.\(quoted)")
        let differs = "OLD.\(quoted) IS NOT NEW.\(quoted) OR OLD.\(names.rowID) IS NOT NEW.\(names.rowID)"
        return [
            trigger("INSERT", running: new), trigger("DELETE", running: old),
            trigger("UPDATE", when: differs, running: old + new),
        ]
    }

    private func counting(_ arguments: String) -> String {
        "UPDATE \(CountedChanges.table) SET tally = \(CountedChanges.function)(\(number), \(arguments)) "
            + "WHERE number = \(number); "
    }

    private func trigger(_ event: String, when condition: String? = nil, running body: String) -> (
        name: String, sql: String
    ) {
        let name = "\(FreshRows.table)_\(number)_\(event.lowercased())"
        let when = condition.map { " WHEN \($0)" } ?? ""
        return (
            name,
            "CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(names.quoted) FOR EACH ROW\(when) BEGIN \(body)END"
        )
    }
}
