import ArgumentParser
import BasicFoundation

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

    package var folder: URL { vault.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? Self.usualFolder }

    /// The folder of who names none.
    package static var usualFolder: URL {
        let process = ProcessInfo.processInfo
        if let path = process.variable("CASEMATE_VAULT") { return URL(filePath: path, directoryHint: .isDirectory) }
        if let data = process.variable("XDG_DATA_HOME") {
            return URL(filePath: data, directoryHint: .isDirectory).appending(path: "casemate")
        }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/casemate")
    }
}
