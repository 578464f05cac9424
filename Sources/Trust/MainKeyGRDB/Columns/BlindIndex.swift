import Foundation
import GRDB
import MainKey

/// What rows are found by without opening them: a code of the value, of the length and normalisation that the column
/// declares.
///
///     user.emailIndex = try BlindIndex("anna@example.org", in: vault)
///     let found = try User.filter(blindIndex: UserEmail.self, equals: "anna@example.org", in: vault).fetchOne(db)
///
/// Source: `mainkey` section 9.
public struct BlindIndex<Column: BlindIndexedColumn>: DatabaseValueConvertible, Hashable, Sendable {
    /// The content of the column.
    public let databaseValue: DatabaseValue

    /// The code in the active epoch, to be stored.
    ///
    /// - Throws: `configError` for a truth value or a length that there is not; `locked`.
    public init(_ value: some SealableValue, in vault: borrowing UnlockedVault) throws(MainKeyError) {
        try self.init(value, epoch: try vault.activeEpoch, in: vault)
    }

    /// The code of a value if there is one.
    public init?(_ value: (some SealableValue)?, in vault: borrowing UnlockedVault) throws(MainKeyError) {
        guard let value else { return nil }
        try self.init(value, in: vault)
    }

    private init(_ value: some SealableValue, epoch: UInt32, in vault: borrowing UnlockedVault) throws(MainKeyError) {
        databaseValue =
            Data(try Column.indexForm.code(value, of: Column.self, epoch: epoch, in: vault)).databaseValue
    }

    /// The codes in all epochs that the vault holds, oldest first, to be looked for: more than one while it is rotated.
    public static func all(
        of value: some SealableValue, in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> [BlindIndex] {
        var codes: [BlindIndex] = []
        for epoch in try vault.heldEpochs { codes.append(try BlindIndex(value, epoch: epoch, in: vault)) }
        return codes
    }

    private init(carrying databaseValue: DatabaseValue) {
        self.databaseValue = databaseValue
    }

    public static func fromDatabaseValue(_ databaseValue: DatabaseValue) -> BlindIndex? {
        databaseValue.isNull ? nil : BlindIndex(carrying: databaseValue)
    }
}

/// A blind index is coded outside a database as `Data`, the BLOB.
extension BlindIndex: Codable {
    public init(from decoder: any Decoder) throws {
        databaseValue = try decoder.singleValueContainer().decode(Data.self).databaseValue
    }

    /// - Throws: `malformed` if the column did not hold bytes.
    public func encode(to encoder: any Encoder) throws {
        guard case .blob(let code) = databaseValue.storage else {
            throw MainKeyError.malformed(.sealedValue, reason: "\(Column.indexColumn) holds no blind index here")
        }
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

extension BlindIndex: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "BlindIndex(\(Column.name))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
