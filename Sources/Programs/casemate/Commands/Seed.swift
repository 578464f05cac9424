import ArgumentParser
import Console
import Foundation
import SecretMemory
import Signer
import Substrate
import TextForms

struct Seed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Recovery phrases: make, recover, list, remove.",
        subcommands: [New.self, Recover.self, List.self, Remove.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a new recovery phrase, with a key in every network.",
            discussion: """
                The words are shown once, on the terminal; write them down before you go on. Without a terminal, --phrase-fd names a
                descriptor that they are written to.
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var unlock: UnlockOptions
        @OptionGroup var output: OutputOptions

        @Argument(help: "A name for the seed, 1 to 64 characters.")
        var name: String

        @Option(help: "Number of words: 12, 15, 18, 21 or 24.")
        var words = 24

        @Option(help: ArgumentHelp("Write the words to this open descriptor instead of the terminal.", valueName: "n"))
        var phraseFd: Int32?

        func validate() throws {
            guard Mnemonic.wordCounts.contains(words) else {
                throw ValidationError("A phrase has 12, 15, 18, 21 or 24 words.")
            }
        }

        func run() throws {
            // Where the words go is settled before they exist.
            let terminal = phraseFd == nil ? Terminal() : nil
            guard phraseFd != nil || terminal != nil else {
                throw InteractionError.noTerminalForSecret(prompt: "A place for the words", option: "--phrase-fd")
            }
            let opened = try unlock.open(vault)
            let mnemonic = try opened.createSeed(named: name, wordCount: words)
            let phrase = try mnemonic.phrase()
            if let terminal {
                terminal.write(
                    "\nWrite these \(words) words down and keep them safe. They are the only backup.\n\n    ")
                terminal.write(secret: phrase)
                terminal.write("\n\n")
            } else if let phraseFd {
                try SecretOutput.write(phrase, to: phraseFd, option: "--phrase-fd")
            }
            let keys = try opened.keys().filter { $0.details.seedName == name }
            let networks = try opened.networks()
            try output.show(
                KeyJSON.list(keys, networks), text: "Seed \(name) made.\n" + KeyTable.text(keys, networks))
        }
    }

    struct Recover: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Store a recovery phrase that you have.",
            discussion: "The words are typed on the terminal without echo, or read from a descriptor with --phrase-fd.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var unlock: UnlockOptions
        @OptionGroup var output: OutputOptions

        @Argument(help: "A name for the seed, 1 to 64 characters.")
        var name: String

        @Option(help: ArgumentHelp("Read the words from this open descriptor.", valueName: "n"))
        var phraseFd: Int32?

        func run() throws {
            let opened = try unlock.open(vault)
            let phrase = try opened.whileWaiting {
                try SecretInput.read(descriptor: phraseFd, prompt: "Recovery phrase", option: "--phrase-fd")
            }
            try opened.recoverSeed(named: name, phrase: phrase)
            let keys = try opened.keys().filter { $0.details.seedName == name }
            let networks = try opened.networks()
            try output.show(
                KeyJSON.list(keys, networks), text: "Seed \(name) stored.\n" + KeyTable.text(keys, networks))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

        @OptionGroup var unlock: UnlockOptions
        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            struct Row: Encodable {
                var name: String
                var keys: Int
                /// Whether its phrase is here.
                var stored: Bool
            }
            let seeds = try unlock.open(vault, for: .read).seedSummaries()
            let rows = seeds.map { Row(name: $0.name, keys: $0.keyCount, stored: $0.isStored) }
            try output.show(rows, text: text(seeds))
        }

        private func text(_ seeds: [Vault.SeedSummary]) -> String {
            guard !seeds.isEmpty else { return "There are no seeds. Make one with: casemate seed new NAME" }
            let table = Table.text(["SEED", "KEYS"], seeds.map { [$0.name, String($0.keyCount)] })
            let strays = seeds.filter { !$0.isStored }.map { seed in
                "\nThe phrase of \(ScreenText.escape(seed.name)) is not here: it was removed, and its keys were not. They sign nothing; remove "
                    + "them with: casemate seed remove"
            }
            let bare = seeds.filter { $0.isStored && $0.keyCount == 0 }.map { seed in
                "\nSeed \(ScreenText.escape(seed.name)) has no keys: something ended while it was stored. The next seed new or recover gives "
                    + "it the default ones."
            }
            return table + (strays + bare).joined()
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a seed and all its keys from this vault.",
            discussion: "Without the written words nothing brings it back. Asks first, unless --yes is given.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var unlock: UnlockOptions
        @OptionGroup var output: OutputOptions

        @Argument(help: "The name of the seed.")
        var name: String

        @Flag(help: "Do not ask.")
        var yes = false

        func run() throws {
            let opened = try unlock.open(vault)
            if !yes {
                try opened.whileWaiting {
                    try Question.confirm("Remove seed \(name)? Only its written words can bring it back.")
                }
            }
            try opened.removeSeed(named: name)
            try output.show(["removed": name], text: "Seed \(name) removed.")
        }
    }
}
