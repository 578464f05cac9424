import ArgumentParser
import GRDB
import MainKey
import MainKeyGRDB

/// What a rotation covers.
struct PlacesOptions: ParsableArguments {
    @Option(
        name: .customLong("db"),
        help: ArgumentHelp("An SQLite database with sealed columns. Can be repeated.", valueName: "file"),
        completion: .file())
    var databases: [String] = []

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp(
            "A sealed column of the database. Can be repeated.",
            discussion: """
                TABLE.COLUMN, then :index=TABLE.COLUMN for its blind index, :row if its values are tied to their rows' \
                numbers, and, where there are several databases, :db=FILE.
                """, valueName: "place"))
    var columns: [ColumnArgument] = []

    @Option(
        name: .customLong("files"),
        help: ArgumentHelp("A folder of encrypted files. Can be repeated.", valueName: "folder"), completion: .directory
    )
    var folders: [String] = []

    func validate() throws {
        guard columns.isEmpty || !databases.isEmpty else { throw ValidationError("--column goes with --db.") }
        for column in columns where column.database == nil && databases.count > 1 {
            throw ValidationError("Say which database \(column.table).\(column.column) is in: add :db=FILE.")
        }
        for column in columns where column.database.map({ !databases.contains($0) }) ?? false {
            throw ValidationError("\(column.database ?? "") is not among the databases of --db.")
        }
        for database in databases where columns(of: database).isEmpty {
            throw ValidationError("Name the sealed columns of \(database) with --column.")
        }
    }

    private func columns(of database: String) -> [ColumnArgument] {
        columns.filter { ($0.database ?? databases.first) == database }
    }

    func places() throws -> [any RotationPlace] {
        var places: [any RotationPlace] = []
        for database in databases {
            do {
                let registered = columns(of: database).map(\.registered)
                places.append(try SealedColumnRotator(path: database, columns: registered))
            } catch let error as DatabaseError {
                throw Failure.unusableDatabase(path: database, reason: error.message ?? "\(error.resultCode)")
            }
        }
        return places + folders.map { FileRotation(root: $0) }
    }
}

/// `TABLE.COLUMN[:index=TABLE.COLUMN][:row][:db=FILE]`
struct ColumnArgument: ExpressibleByArgument {
    var table: String
    var column: String
    var index: String?
    var isTiedToRow = false
    var database: String?

    init?(argument: String) {
        var parts = argument.split(separator: ":", omittingEmptySubsequences: false)[...]
        guard let place = parts.popFirst().flatMap(Self.place) else { return nil }
        (table, column) = place
        while let part = parts.popFirst() {
            if part == "row" {
                isTiedToRow = true
            } else if part.hasPrefix("index=") {
                guard let place = Self.place(part.dropFirst("index=".count)), place.0 == table else { return nil }
                index = place.1
            } else if part.hasPrefix("db=") {
                // The rest: a file's name may have colons.
                database = ([part.dropFirst("db=".count)] + parts).joined(separator: ":")
                parts = []
            } else {
                return nil
            }
        }
    }

    private static func place(_ text: Substring) -> (String, String)? {
        let names = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
        return (String(names[0]), String(names[1]))
    }

    var registered: RegisteredColumn {
        RegisteredColumn(table: table, column: column, index: index, tiedTo: isTiedToRow ? .rowID : .none)
    }
}
