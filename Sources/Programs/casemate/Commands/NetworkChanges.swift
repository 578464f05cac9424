import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate
import TextForms

extension Network {
    /// What every change of networks takes.
    struct ChangeOptions: ParsableArguments {
        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var opening: OpeningOptions

        struct Done: Encodable {
            var changed: String
            var name: String
        }

        /// Asks, changes, and says so.
        ///
        /// - Parameters:
        ///   - kind: what is done, for machines.
        ///   - name: of what it is done to.
        ///   - question: what a person is asked first.
        ///   - done: what a person is told.
        ///   - body: does it.
        func run(
            kind: String, name: String, question: String, done: String, in opened: Vault, body: () throws -> Void
        ) throws {
            if !yes { try opened.whileWaiting { try Question.confirm(question) } }
            try body()
            try opening.output.show(Done(changed: kind, name: name), text: done)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a network with its metadata; keys leave it.",
            discussion: """
                All records of its genesis go, for every scheme of keys, with all metadata; keys leave it and stay in \
                their other networks. Whom it follows stays known: only its verifier, or the general one, can bring it \
                back. See: casemate network list --absent
                """)

        @Argument(help: "Name, title or genesis hash.")
        var network: String

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.opening.open()
            let specs = try opened.network(named: network, forAnyScheme: true)
            let title = ForeignName.shown(specs.title, as: .title)
            try options.run(
                kind: "network_removed", name: specs.name,
                question: "Remove \(title), its metadata, and all keys from it?",
                done: "\(title) is removed. To take it in again: casemate update", in: opened
            ) { try opened.removeNetwork(specs.genesisHash) }
        }
    }

    struct RemoveMetadata: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-metadata",
            abstract: "Remove one version of a network's metadata.",
            discussion: "Transactions of that version cannot be read any more, nor entries of the log about them.")

        @Argument(help: "Name, title or genesis hash of the network.")
        var network: String

        @Argument(help: "The version.")
        var version: UInt32

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.opening.open()
            let specs = try opened.network(named: network, forAnyScheme: true)
            let name = "\(specs.name)\(version)"
            try options.run(
                kind: "metadata_removed", name: name, question: "Remove the metadata \(name)?",
                done: "The metadata \(name) are removed.", in: opened
            ) { try opened.removeMetadata(name: specs.name, version: version) }
        }
    }

    struct RemoveTypes: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-types",
            abstract: "Remove the types of old networks, whose metadata are of format 12 or 13.")

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.opening.open()
            try options.run(
                kind: "types_removed", name: "types", question: "Remove the types of old networks?",
                done: "The types are removed.", in: opened
            ) { try opened.removeTypes() }
        }
    }

    struct Block: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Remove a network and take nothing for it any more, whoever signs.",
            discussion: "Undone by: casemate network unblock GENESIS, which makes the network unknown.")

        @Argument(help: "Name, title or genesis hash.")
        var network: String

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.opening.open()
            let specs = try opened.network(named: network, forAnyScheme: true)
            let title = ForeignName.shown(specs.title, as: .title)
            try options.run(
                kind: "network_blocked", name: specs.name,
                question: "Remove \(title) and refuse every update of it?",
                done: "\(title) is blocked. Undo: casemate network unblock \(specs.genesisHash.hex)", in: opened
            ) { try opened.blockNetwork(specs.genesisHash) }
        }
    }

    struct Unblock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unblock",
            abstract: "Forget a blocked network: it is unknown from then on.")

        @Argument(help: "The genesis hash, as 'casemate network list --absent' shows it.")
        var genesis: String

        @OptionGroup var options: ChangeOptions

        func run() throws {
            guard let hash = Hex.decode(genesis).flatMap({ Hash256($0) }) else {
                throw SignerError.networkNotFound(genesis)
            }
            let opened = try options.opening.open()
            try options.run(
                kind: "network_unblocked", name: hash.hex,
                question: "Forget that the network is blocked, and whom it followed?",
                done: "The network is unknown now. To take it in: casemate update", in: opened
            ) { try opened.unblockNetwork(hash) }
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Put a network at another place in lists.")

        @Argument(help: "Name, title or genesis hash.")
        var network: String

        @Argument(help: "The place, from 1.")
        var place: Int

        @OptionGroup var options: OpeningOptions

        func validate() throws {
            guard place >= 1 else { throw ValidationError("Places are counted from 1.") }
        }

        func run() throws {
            let opened = try options.open()
            let specs = try opened.network(named: network)
            try opened.moveNetwork(specs.key, to: place - 1)
            let rows = try opened.networkList().map(NetworkJSON.init)
            try options.output.show(rows, text: Table.text(["NETWORK", "SCHEME"], rows.map { [$0.title, $0.scheme] }))
        }
    }
}
