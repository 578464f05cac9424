import ArgumentParser
import MainKey
import TextForms

/// The place of a value in a database.
struct ColumnOptions: ParsableArguments {
    @Option(help: "The table that the value belongs to.")
    var table: String

    @Option(help: "The column that the value belongs to.")
    var column: String

    var purpose: SealedPurpose { .column(table: table, column: column) }
}

/// The row that a value is tied to.
struct RowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Tie the value to the row with this name, so that it does not open in another.", valueName: "hex"))
    var row: String?

    @Option(help: ArgumentHelp("Tie the value to the row with this number.", valueName: "n"))
    var rowID: Int64?

    func validate() throws {
        guard row == nil || rowID == nil else { throw ValidationError("Give --row or --row-id, not both.") }
    }

    func binding() throws -> RowBinding {
        if let rowID { return .rowID(rowID) }
        guard let row else { return .none }
        guard let bytes = Hex.decode(row) else { throw Failure.notHex("The row") }
        return RowBinding(bytes)
    }
}
