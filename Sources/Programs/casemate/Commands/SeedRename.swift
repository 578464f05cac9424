import ArgumentParser
import Console
import InstalledSigner
import Signer

extension Seed {
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a seed another name.",
            discussion: """
                All its keys go with it; addresses and words stay as they are. A name that is taken, or looks like the \
                name of another seed, is refused. Earlier entries of the log keep the old name. Paper that says the \
                old name is not changed: note the new one there.
                """)

        @Argument(help: "The name that it has.")
        var name: String

        @Argument(help: "The name that it is to have, 1 to 64 characters.")
        var newName: String

        @OptionGroup var options: OpeningOptions

        func run() throws {
            let opened = try options.open(guarding: .seedRenaming)
            try NetworkGate.check(.seedRenaming, in: opened)
            try opened.renameSeed(named: name, to: newName)
            try options.output.show(["renamed": name, "to": newName], text: "Seed \(name) is now named \(newName).")
        }
    }
}
