import ArgumentParser
import InstalledSigner

struct Isolated: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Isolation.command,
        abstract: "Run a command that reaches no network.",
        discussion: """
              casemate isolated -- casemate sign --qr photo.png
              casemate --isolated sign --qr photo.png

            Both run in a network namespace of their own, with no interface but a loopback that is switched off, and \
            no route. Files, terminal, descriptors, signals and exit status are those of the command; rights are not \
            added, and set-user-ID programs gain none. Where the system allows no such namespace, nothing is run.

            The command gets the environment as casemate keeps it (see casemate --help), without PATH: give a path, or \
            the name of a program in the system's folders.

            It keeps casemate from leaking: the machine stays connected if it is, and whoever controls it from there \
            sees what it shows. What counts for the vault is what is seen from inside: no interface, no route, but \
            radios and USB cables of the machine, which no namespace hides. A connection that was seen before has to \
            be acknowledged all the same.
            """)

    @Argument(parsing: .captureForPassthrough, help: "-- and the command with its arguments.")
    var words: [String] = []

    /// What is behind `--` was run before the arguments were read.
    func run() throws {
        if words.contains(where: { $0 == "--help" || $0 == "-h" }) { throw CleanExit.helpRequest(self) }
        throw ValidationError("Say what to run: casemate isolated -- COMMAND")
    }
}
