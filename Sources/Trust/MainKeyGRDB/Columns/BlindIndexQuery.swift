import GRDB
import MainKey

extension FilteredRequest {
    /// The rows whose blind index is that of a value, in whichever epoch they were sealed.
    ///
    /// - Throws: `configError`, `locked`.
    public func filter<Column: BlindIndexedColumn>(
        blindIndex: Column.Type, equals value: some SealableValue, in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> Self {
        let codes = try BlindIndex<Column>.all(of: value, in: vault)
        return filter(codes.contains(GRDB.Column(Column.indexColumn)))
    }
}

extension TableRecord {
    /// Does the same as ``FilteredRequest/filter(blindIndex:equals:in:)``.
    public static func filter<Column: BlindIndexedColumn>(
        blindIndex: Column.Type, equals value: some SealableValue, in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> QueryInterfaceRequest<Self> {
        try all().filter(blindIndex: blindIndex, equals: value, in: vault)
    }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord {
    /// The records whose sealed value is the one looked for, after a second look at what was found: a short blind index
    /// finds others too, and one that was moved from another row is not believed.
    ///
    ///     let found = try User.all().fetchAll(db, where: \.email, equals: "anna@example.org", in: vault)
    ///
    /// - Parameters:
    ///   - sealed: the record's value of the column.
    ///   - row: what the value is tied to, if it is.
    /// - Throws: what opening a found value throws, and `DatabaseError`.
    public func fetchAll<Value: SealableValue, Column: BlindIndexedColumn>(
        _ db: Database, where sealed: (RowDecoder) -> Sealed<Value, Column>?, equals value: Value,
        in vault: borrowing UnlockedVault, row: (RowDecoder) -> RowBinding = { _ in .none }
    ) throws -> [RowDecoder] {
        // Equal is what has the same code, normalised in the same way, at full length.
        let epoch = try vault.activeEpoch
        let full = BlindIndexForm.fullByteCount
        let wanted = try Column.indexForm.code(value, of: Column.self, epoch: epoch, byteCount: full, in: vault)
        var found: [RowDecoder] = []
        let candidates = try filter(blindIndex: Column.self, equals: value, in: vault).fetchCursor(db)
        while let candidate = try candidates.next() {
            guard let opened = try sealed(candidate).open(in: vault, row: row(candidate)) else { continue }
            let code = try Column.indexForm.code(opened, of: Column.self, epoch: epoch, byteCount: full, in: vault)
            if code == wanted { found.append(candidate) }
        }
        return found
    }
}
