import ArgumentParser
import Console
import HotSide
import Substrate

struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a network or one version of its metadata.",
        subcommands: [RemoveTitle.self, RemoveVersion.self])

    struct RemoveTitle: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "title",
            abstract: "Remove an entry of the address book with its record.",
            discussion:
                "With the last entry of a network's name, its metadata and the blocks at which they were seen go too.")

        @Argument(help: "The title in the address book.")
        var title: String

        @OptionGroup var hot: HotOptions

        func run() throws { try hot.open().remove(title: title) }
    }

    struct RemoveVersion: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "spec-name-version", abstract: "Remove one version of a network's metadata.")

        @Argument(help: "The network's name.")
        var name: String

        @Argument(help: "The version.")
        var version: UInt32

        @OptionGroup var hot: HotOptions

        func run() throws { try hot.open().remove(metadata: MetadataName(name: name, version: version)) }
    }
}

struct RestoreDefaults: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-defaults",
        abstract: "Put the defaults of a release in the place of all that is stored.",
        discussion: "The defaults are Polkadot, Kusama and Westend with one node each, and no metadata.")

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var hot: HotOptions

    func run() throws {
        if !yes { try Question.confirm("Forget all networks and metadata in \(hot.path)?") }
        try HotDatabase.restoreDefaults(at: hot.path)
    }
}
