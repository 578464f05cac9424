import MainKey

/// A sealed column that a rotation covers. What is not registered cannot be opened any more when the old epoch ends.
public struct RegisteredColumn: Sendable {
    let place: ColumnPlace
    let index: Index?
    let tie: RowTie

    struct Index: Sendable {
        var column: String
        /// The form of the index; nil for whatever the stored one turns out to be made of.
        var form: BlindIndexForm?
    }

    /// A column that the application declares, with its blind index if it has one.
    public init<Column: SealedColumn>(_ column: Column.Type, tiedTo tie: RowTie = .none) {
        place = ColumnPlace(table: Column.table, column: Column.column)
        self.tie = tie
        // Asked of the type itself, so that generic code does not lose the index.
        index = (column as? any BlindIndexedColumn.Type).map {
            Index(column: $0.indexColumn, form: $0.indexForm)
        }
    }

    /// A column by its names, whatever type of values it holds.
    ///
    /// - Parameter index: the column of its blind index. Each stored index is made anew of what it was made of, which
    ///   its value tells; NULL stays.
    public init(table: String, column: String, index: String? = nil, tiedTo tie: RowTie = .none) {
        place = ColumnPlace(table: table, column: column)
        self.tie = tie
        self.index = index.map { Index(column: $0, form: nil) }
    }
}

/// How far sealing is.
public struct SealingProgress: Hashable, Sendable {
    /// The number of values that are sealed and committed.
    public var done: Int
    /// The number of values that there were to seal at the start.
    public var total: Int
}
