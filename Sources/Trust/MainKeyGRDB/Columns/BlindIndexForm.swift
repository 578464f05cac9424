import MainKey

/// How the blind index of a column is made, as the column declares it.
struct BlindIndexForm: Sendable {
    static let byteCounts = 4...32
    /// The bytes of the whole code, which finds rows without a second look.
    static let fullByteCount = byteCounts.upperBound

    var normalisation: TextNormalisation
    var byteCount: Int
    var allowLowEntropy: Bool

    /// - Throws: `configError` for a truth value, `locked`, `unknownEpoch`.
    func code(
        _ value: some SealableValue, of column: any SealedColumn.Type, epoch: UInt32, byteCount: Int? = nil,
        in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> [UInt8] {
        guard allowLowEntropy || !(value is Bool) else { throw Self.lowEntropy(column.name) }
        let count = byteCount ?? self.byteCount
        guard let text = value as? String else {
            return try vault.blindIndex(
                value, table: column.table, column: column.column, epoch: epoch, count: count)
        }
        return try vault.blindIndex(
            normalisation(text), table: column.table, column: column.column, epoch: epoch, count: count)
    }

    /// The same for content that is lent.
    func code(
        _ form: SealableForm, _ payload: UnsafeRawBufferPointer, of place: ColumnPlace, epoch: UInt32,
        in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> [UInt8] {
        guard allowLowEntropy || form != .bool else { throw Self.lowEntropy(place.description) }
        guard form == .text, normalisation != .exact else {
            return try vault.blindIndex(
                of: form, payload, table: place.table, column: place.column, epoch: epoch, count: byteCount)
        }
        let text = normalisation(String(decoding: payload, as: UTF8.self))
        return try vault.blindIndex(
            text, table: place.table, column: place.column, epoch: epoch, count: byteCount)
    }

    private static func lowEntropy(_ column: String) -> MainKeyError {
        .configError(
            reason: "the blind index of \(column) would tell its truth values; declare allowLowEntropy if it may")
    }
}
