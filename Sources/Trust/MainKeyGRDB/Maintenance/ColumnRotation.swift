import Foundation
import GRDB
import MainKey

/// The rotation of one column, with its SQL.
struct ColumnRotation {
    private let column: RegisteredColumn
    private let active: UInt32
    private let countSQL: String
    private let countAllSQL: String
    private let selectSQL: String
    private let updateSQL: String

    /// A value that is not of the active epoch.
    private struct OldValue {
        var rowID: Int64
        var sealed: [UInt8]
        var index: [UInt8]?
    }

    /// - Throws: `noSuchTable`, `noSuchColumn`, `noRowIDs`.
    init(_ column: RegisteredColumn, to active: UInt32, in db: Database) throws {
        self.column = column
        self.active = active
        let names = try TableNames(column.place.table, in: db)
        let value = try names.quoted(column.place.column)
        let index = try column.index.map { try names.quoted($0.column) }
        let epoch =
            "x'" + withUnsafeBytes(of: active.bigEndian) { $0.map { String(format: "%02x", $0) }.joined() } + "'"
        // Bytes 2 to 5 of a sealed value are its epoch; SQLite counts from 1. Cleartext is unequal by its type.
        let isOld = "\(value) IS NOT NULL AND substr(\(value), 3, 4) <> \(epoch)"
        countSQL = "SELECT count(*) FROM \(names.quoted) WHERE \(isOld)"
        countAllSQL = "SELECT count(\(value)) FROM \(names.quoted)"
        selectSQL = """
            SELECT \(names.rowID), \(value), \(index ?? "NULL") FROM \(names.quoted)
            WHERE \(names.rowID) >= ? AND \(isOld) ORDER BY \(names.rowID) LIMIT ?
            """
        let assignments = [value, index].compactMap { $0 }.map { "\($0) = ?" }.joined(separator: ", ")
        updateSQL = "UPDATE \(names.quoted) SET \(assignments) WHERE \(names.rowID) = ?"
    }

    func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: countSQL)) ?? 0
    }

    func countAll(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: countAllSQL)) ?? 0
    }

    /// Seals the next values anew, within a transaction.
    ///
    /// - Returns: how many, and the row id to go on from; nil at the end.
    func sealBatch(
        from first: Int64, limit: Int, in vault: borrowing UnlockedVault, _ db: Database
    ) throws -> (count: Int, next: Int64?) {
        let batch = try oldValues(from: first, limit: limit, db)
        let update = try RawStatement(updateSQL, in: db)
        for old in batch {
            let (value, index) = try reseal(old, in: vault)
            update.bind(value, at: 1)
            if column.index != nil { update.bind(index, at: 2) }
            update.bind(old.rowID, at: column.index == nil ? 2 : 3)
            _ = try update.step()
        }
        if !batch.isEmpty { try update.notifyChanges(selectedBy: selectSQL) }
        guard batch.count == limit, let last = batch.last, last.rowID < .max else { return (batch.count, nil) }
        return (batch.count, last.rowID + 1)
    }

    private func oldValues(from first: Int64, limit: Int, _ db: Database) throws -> [OldValue] {
        var batch: [OldValue] = []
        batch.reserveCapacity(limit)
        let select = try RawStatement(selectSQL, in: db)
        select.bind(first, at: 1)
        select.bind(Int64(limit), at: 2)
        defer { select.reset() }
        while try select.step() {
            let rowID = select.integer(0)
            guard let sealed = select.bytes(1) else {
                throw SealedColumnError.notSealed(column: "\(column.place)", rowID: rowID)
            }
            batch.append(OldValue(rowID: rowID, sealed: sealed, index: select.bytes(2)))
        }
        return batch
    }

    // MARK: One value

    private enum NewIndex {
        case null
        case code([UInt8])
        case mismatch
    }

    private func reseal(_ old: OldValue, in vault: borrowing UnlockedVault) throws -> (value: [UInt8], index: [UInt8]?)
    {
        var index = Result<NewIndex, MainKeyError>.success(.null)
        do throws(MainKeyError) {
            let oldEpoch = try UnlockedVault.epoch(of: old.sealed)
            let value = try vault.reseal(old.sealed, column.place.purpose, row: column.tie.binding(old.rowID)) {
                form, payload in
                index = Result { () throws(MainKeyError) in
                    try newIndex(form, payload, replacing: old.index, of: oldEpoch, in: vault)
                }
            }
            switch try index.get() {
            case .null: return (value, nil)
            case .code(let code): return (value, code)
            case .mismatch: break
            }
        } catch .locked {
            throw MainKeyError.locked
        } catch {
            throw SealedColumnError.value(column: "\(column.place)", rowID: old.rowID, error)
        }
        throw SealedColumnError.indexMismatch(column: "\(column.place)", rowID: old.rowID)
    }

    private func newIndex(
        _ form: SealableForm, _ payload: UnsafeRawBufferPointer, replacing old: [UInt8]?, of oldEpoch: UInt32,
        in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> NewIndex {
        guard let index = column.index else { return .null }
        if let declared = index.form {
            return .code(try declared.code(form, payload, of: column.place, epoch: active, in: vault))
        }
        guard let old else { return .null }
        // Whichever normalisation gives the stored code was given the same text as the one that made it.
        let candidates: [TextNormalisation] =
            form == .text ? [.exact, .asciiLowercase, .compatibilityCaseFold] : [.exact]
        guard BlindIndexForm.byteCounts.contains(old.count) else { return .mismatch }
        for normalisation in candidates {
            let kept = BlindIndexForm(normalisation: normalisation, byteCount: old.count, allowLowEntropy: true)
            guard try kept.code(form, payload, of: column.place, epoch: oldEpoch, in: vault) == old else { continue }
            return .code(try kept.code(form, payload, of: column.place, epoch: active, in: vault))
        }
        return .mismatch
    }
}
