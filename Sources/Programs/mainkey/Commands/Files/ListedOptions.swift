import ArgumentParser
import MainKey

/// Whether the vault lists a file, and under which name.
struct ListedOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "The vault lists the file under its path: an older one in its place is refused (31).",
            discussion: """
                When it is written, it is listed from then on, and needs no option later; when it is read, one that is \
                not listed is refused (10). A file that is moved is not the listed one any more: see mainkey files.
                """))
    var listed = false

    @Option(
        name: .customLong("listed-as"),
        help: ArgumentHelp(
            "The same, under a name of your own, which has to be given to read it, too. It does not begin with /.",
            valueName: "name"))
    var name: OwnName?

    func validate() throws {
        guard !listed || name == nil else { throw ValidationError("Give --listed or --listed-as, not both.") }
    }

    /// The name for the file at a path; nil if nothing is said of it.
    func name(forFileAt path: String) -> String? {
        name?.text ?? (listed ? UnlockedVault.listedName(ofFileAt: path) : nil)
    }

    /// Refuses streams, which have no place that anything could be put back to.
    func checkIsFile(_ paths: String...) throws {
        guard !(listed || name != nil) || !paths.contains("-") else {
            throw Failure.usage("Only files are listed: give a file in place of -")
        }
    }
}

/// A name that a file is listed under, which is not its path.
struct OwnName: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        // As paths begin.
        guard !argument.isEmpty, !argument.hasPrefix("/") else { return nil }
        text = argument
    }
}
