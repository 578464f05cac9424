import ArgumentParser
import BasicFoundation
import Console
import Files
import HotSide

/// Where the database is, and how nodes are asked.
struct HotOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database.",
            discussion:
                "Default: $GENERATE_MESSAGE_DB, else generate-message/hot.sqlite in $XDG_DATA_HOME or ~/.local/share.",
            valueName: "file"),
        completion: .file())
    var hotDbPath: String?

    @Flag(help: "Ask nodes on other machines also without TLS, by ws:// and http://.")
    var allowPlain = false

    @Option(help: ArgumentHelp("Seconds that a node may take to answer.", valueName: "seconds"))
    var patience = 120

    func validate() throws {
        guard 1...3600 ~= patience else { throw ValidationError("--patience is 1 to 3600 seconds.") }
    }

    var path: FilePath {
        let named = hotDbPath ?? ProcessInfo.processInfo.variable("GENERATE_MESSAGE_DB")
        return FilePath(named ?? UserPlaces.data("generate-message/hot.sqlite"))
    }

    func open() throws -> HotSide {
        var limits = NodeLimits()
        limits.answer = .seconds(patience)
        limits.notification = .seconds(patience)
        limits.connection = min(limits.connection, .seconds(patience))
        return HotSide(database: try HotDatabase(at: path), nodes: Nodes(limits: limits), allowsPlain: allowPlain)
    }

    func url(_ text: String) throws -> NodeURL { try NodeURL(text, allowsPlain: allowPlain) }
}

/// Where files go.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where files go that are to be signed.", valueName: "folder"), completion: .directory)
    var filesDir = "."

    /// Writes a file that is to be signed.
    ///
    /// - Returns: its path.
    func write(_ bytes: [UInt8], named name: String) throws -> String {
        try HotFile.write(bytes, named: name, in: filesDir)
    }
}

/// Files whose names hold what came from a node.
enum HotFile {
    /// - Returns: the path.
    static func write(_ bytes: [UInt8], named name: String, in folder: String) throws -> String {
        // The letters of names are those of files, and no others.
        guard HotSide.isPlain(name.replacing(".", with: "_")) else { throw Failure.fileName(name) }
        let path = FilePath(folder).appending(name)
        try PreparedFile.replace(path, with: bytes)
        return path.string
    }
}
