import ArgumentParser
import Console
import MainKey
import TextForms

struct ListedFiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "The encrypted files that the vault lists, so that an older one is noticed: list, add, forget.",
        discussion: """
            A listed file that is put back as it was before is refused (31), alone or with the list. That the whole \
            vault is put back together with its files is noticed only where mainkey init --strict-anchor says so, \
            which takes a TPM. A file that is not listed is never noticed.

            A file is listed under its path, or under a name of your own (--listed-as). After it was moved:
              mainkey files add NEW/PLACE
              mainkey files forget OLD/PLACE
            """,
        subcommands: [List.self, Add.self, Forget.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List their names. Needs no PIN; to compare the files: mainkey verify")

        @OptionGroup var output: OutputOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let names = try place.look().listedFileNames()
            try output.show(["files": names], text: names.map { ScreenText.escape($0) }.joined(separator: "\n"))
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "List encrypted files as they are now, all in one commit.",
            discussion: """
                Also for a listed file that you restored from a backup: what is there now counts as what was written \
                last. To list what you encrypt, as soon as it is there: mainkey encrypt --listed
                """)

        @OptionGroup var context: ContextOptions

        @Argument(help: "Encrypted files.", completion: .file()) var files: [String]

        @Option(
            name: .customLong("listed-as"),
            help: ArgumentHelp("A name of your own, for one file.", valueName: "name"))
        var name: OwnName?

        @OptionGroup var output: OutputOptions
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var place: PlaceOptions

        func validate() throws {
            guard name == nil || files.count == 1 else { throw ValidationError("--listed-as names one file.") }
        }

        func run() throws {
            let vault = try credentials.unlocked(place)
            let listed = files.map { MainKeyVault.FileToList(path: $0, name: name?.text, context: context.bytes) }
            try vault.listFiles(listed)
            try output.show(["listed": listed.map(\.name)], text: "Listed: \(listed.count).")
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "List files no more, all in one commit. The files stay.",
            discussion: "By path, or by name as in: mainkey files list")

        @Argument(help: "Paths, or names of your own.", completion: .file()) var files: [String]

        @OptionGroup var output: OutputOptions
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let vault = try credentials.unlocked(place)
            let listed = Set(try vault.listedFileNames())
            let names = files.map { listed.contains($0) ? $0 : UnlockedVault.listedName(ofFileAt: $0) }
            try vault.forgetFiles(names)
            try output.show(["forgotten": names], text: "Listed no more: \(names.count). The files are as they were.")
        }
    }
}
