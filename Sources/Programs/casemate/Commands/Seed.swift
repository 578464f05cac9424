import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import SecretMemory
import Signer
import Substrate
import TextForms

struct Seed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Recovery phrases: make, recover, show, split, join, list, rename, remove.",
        subcommands: [New.self, Recover.self, Show.self, Split.self, Join.self, List.self, Rename.self, Remove.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a new recovery phrase, with a key in every network.",
            discussion: """
                The words are shown once, on a screen of the terminal that leaves nothing behind, until you say that \
                you wrote them down. Without a terminal, --phrase-fd names a descriptor that they are written to. Only \
                then is the seed stored: if anything fails before, there is none, and words that were shown are worth \
                nothing.

                Their bytes come from two random sources, the kernel's and the processor's, mixed so that one good one \
                is enough. With --dice or --coins you throw a third one yourself, typed without echo:

                  casemate seed new savings --dice        50 throws of a die or more, 1 to 6
                """)

        @Argument(help: "A name for the seed, 1 to 64 characters.")
        var name: String

        @Option(help: "Number of words: 12, 15, 18, 21 or 24.")
        var words = 24

        @OptionGroup var keys: SeedKeysOptions
        @OptionGroup var phrase: PhraseOptions
        @OptionGroup var thrown: ThrowsOptions
        @OptionGroup var options: OpeningOptions

        func validate() throws {
            guard Mnemonic.wordCounts.contains(words) else {
                throw ValidationError("A phrase has 12, 15, 18, 21 or 24 words.")
            }
        }

        func run() throws {
            let place = try phrase.place()
            let opened = try options.open(guarding: .newSeed)
            let random = try thrown.source(waiting: opened)
            var isShown = false
            do {
                try opened.createSeed(
                    named: name, wordCount: words, from: random.source, withRoots: self.keys.roots
                ) { mnemonic in
                    let show = { try place.show(new: mnemonic, for: opened) }
                    try place.waits ? opened.whileWaiting(show) : show()
                    isShown = true
                    try NetworkGate.check(.newSeed, in: opened)
                }
            } catch {
                if isShown { Warning.show("The words that were shown are not stored: forget them.") }
                throw error
            }
            let keys = try opened.keys().filter { $0.details.seedName == name }
            try options.output.show(keys, opened.networks(), of: opened, heading: "Seed \(name) made.\n" + random.told)
        }
    }

    struct Recover: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Store a recovery phrase that you have.",
            discussion: """
                The words are typed one by one, on a screen of the terminal that leaves nothing behind: the first \
                letters of a word are enough where only one begins so, and the last word is checked against the \
                others. --phrase-fd reads them from a descriptor instead. With --json, or where the output is no \
                terminal, they are typed in one line without echo.
                """)

        @Argument(help: "A name for the seed, 1 to 64 characters.")
        var name: String

        @Option(
            help: ArgumentHelp("Read the words from this open descriptor.", valueName: "n"),
            transform: InputDescriptor.init(argument:))
        var phraseFd: InputDescriptor?

        @OptionGroup var keys: SeedKeysOptions
        @OptionGroup var options: OpeningOptions

        func run() throws {
            let opened = try options.open(guarding: .recoverSeed)
            // What is wrong with the name is said before a word is typed.
            _ = try opened.checkedSeedName(name)
            if let terminal = editorTerminal() {
                let heading = "The words of seed \(ScreenText.escape(name)). Let nobody and no camera see them."
                let mnemonic = try opened.whileWaiting {
                    try PhraseEditor(terminal: terminal, heading: heading, isWithdrawn: opened.lockRequested()).run()
                }
                try NetworkGate.check(.recoverSeed, in: opened)
                try opened.addSeed(mnemonic, named: name, withRoots: self.keys.roots)
            } else {
                let phrase = try opened.whileWaiting {
                    try SecretInput.read(descriptor: phraseFd, prompt: "Recovery phrase", option: "--phrase-fd")
                }
                try NetworkGate.check(.recoverSeed, in: opened)
                try opened.recoverSeed(named: name, phrase: phrase, withRoots: self.keys.roots)
            }
            let keys = try opened.keys().filter { $0.details.seedName == name }
            if let seed = DevelopmentPhrase.seed(among: keys) { Warning.show(DevelopmentPhrase.notice(seed: seed)) }
            try options.output.show(keys, opened.networks(), of: opened, heading: "Seed \(name) stored.\n")
        }

        /// Where the words are typed one by one, if a person sits there and looks at the output.
        private func editorTerminal() -> Terminal? {
            phraseFd == nil && !options.output.json && Terminal.isDrawable ? Terminal() : nil
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            struct Row: Encodable {
                var name: String
                var keys: Int
                /// Whether its phrase is here.
                var stored: Bool
                /// Whether it is the public development phrase, whose keys are known to all.
                var isPublic: Bool
            }
            let opened = try unlock.open(vault, for: .read)
            let seeds = try opened.seedSummaries()
            let development = DevelopmentPhrase.seed(among: try opened.keys())
            if let development { Warning.show(DevelopmentPhrase.notice(seed: development)) }
            let rows = seeds.map { seed in
                Row(name: seed.name, keys: seed.keyCount, stored: seed.isStored, isPublic: seed.name == development)
            }
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
                "\nSeed \(ScreenText.escape(seed.name)) has no keys: it was being stored or renamed when something ended. The next seed new, "
                    + "recover or rename puts that right."
            }
            return table + (strays + bare).joined()
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a seed and all its keys from this vault.",
            discussion: "Without the written words nothing brings it back. Asks first, unless --yes is given.")

        @Argument(help: "The name of the seed.")
        var name: String

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var options: OpeningOptions

        func run() throws {
            let opened = try options.open()
            if !yes {
                try opened.whileWaiting {
                    try Question.confirm("Remove seed \(name)? Only its written words can bring it back.")
                }
            }
            try opened.removeSeed(named: name)
            try options.output.show(["removed": name], text: "Seed \(name) removed.")
        }
    }
}
