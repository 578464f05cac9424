import ArgumentParser
import BasicFoundation
import Files

/// Where the vault is.
package struct VaultFolderOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the vault.",
            discussion: "Default: $CASEMATE_VAULT, else casemate in $XDG_DATA_HOME or ~/.local/share.",
            valueName: "folder"),
        completion: .directory)
    var vault: String?

    package init() {}

    package func validate() throws {
        guard vault != "" else { throw ValidationError("--vault names no folder.") }
    }

    package var folder: URL { vault.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? Self.usualFolder }

    /// The folder of who names none.
    package static var usualFolder: URL {
        let path = ProcessInfo.processInfo.variable("CASEMATE_VAULT") ?? UserPlaces.data("casemate")
        return URL(filePath: path, directoryHint: .isDirectory)
    }
}
