import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import SecretMemory
import Signer
import SplitBackup
import TextForms

extension Seed {
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Recover a seed from shares of a split backup (Banana Split) and its passphrase.",
            discussion: """
                Shares come in any order, from any number of places: pictures, films, folders of pictures, a camera \
                like /dev/video0, text files (.txt, .json) and, as -, standard input, a share on each line. Reading \
                ends when there are enough. A share of another set is refused by name, and what is there is kept.

                The passphrase may be typed three times. What comes out must be a recovery phrase, which is stored as \
                'seed recover' does.

                  casemate seed join /dev/video0
                  casemate seed join share-1-of-3.png share-3-of-3.png --name savings
                """)

        @OptionGroup var pictures: PictureOptions

        @Argument(help: "Pictures, films, folders, cameras, text files, or - for standard input.", completion: .file())
        var places: [String]

        @Option(help: "A name for the seed, 1 to 64 characters. Default: the title of the shares.")
        var name: String?

        @Option(
            help: ArgumentHelp(
                "Read the passphrase from this open descriptor instead of the terminal; a line for each attempt.",
                valueName: "n"),
            transform: InputDescriptor.init(argument:))
        var passphraseFd: InputDescriptor?

        @OptionGroup var keys: SeedKeysOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            // Looked at before anything is read: what cannot be a name would be refused behind the last share.
            let given = try self.name.map { try SeedName.checked($0) }
            let opened = try unlock.open(vault, guarding: .splitRecovery)
            var set = try opened.whileWaiting { try shares(needingTitle: given == nil) }
            let name = try given ?? SeedName.checked(set.title)
            if try opened.keys().contains(where: { $0.details.seedName == name }) {
                Warning.show(
                    "A seed named \(name) is here already. If the shares hold another one, name it: --name NAME")
            }
            var wrong: ShareError?
            while true {
                let passphrase = try opened.whileWaiting { try self.passphrase(after: wrong) }
                try NetworkGate.check(.splitRecovery, in: opened)
                do {
                    try opened.recoverSeed(
                        named: name, from: &set, passphrase: passphrase, withRoots: self.keys.roots)
                    break
                } catch let error as ShareError {
                    guard case .decodingFailed(let left) = error, left > 0 else { throw error }
                    Warning.show("\(error) [DecodingFailed]")
                    wrong = error
                }
            }
            let keys = try opened.keys().filter { $0.details.seedName == name }
            if let seed = DevelopmentPhrase.seed(among: keys) { Warning.show(DevelopmentPhrase.notice(seed: seed)) }
            try output.show(
                keys, opened.networks(), of: opened, heading: "Seed \(ScreenText.escape(name)) stored.\n")
        }

        /// - Parameter wrong: of the attempt before; what is wrong too where a descriptor has no further one.
        private func passphrase(after wrong: ShareError?) throws -> SecretBytes {
            do {
                return try SecretInput.readFilled(
                    descriptor: passphraseFd, prompt: "Passphrase of the shares", option: "--passphrase-fd")
            } catch InteractionError.unreadable {
                throw wrong ?? InteractionError.noLine("--passphrase-fd")
            }
        }

        /// Reads until there are enough.
        ///
        /// - Parameter needsTitle: whether the seed is named by the title, which is looked at with the first share.
        private func shares(needingTitle needsTitle: Bool) throws -> ShareSet {
            var scan = ShareScan()
            for place in places where !scan.isComplete {
                try ShareSource(place, pictures: pictures).read { content in
                    tell(scan.take(content), from: place, scan.shares)
                    if needsTitle, let title = scan.shares?.title, (try? SeedName.checked(title)) == nil {
                        throw Failure.titleIsNoName(ForeignName.shown(title, as: .title))
                    }
                    return !scan.isComplete
                }
            }
            guard let set = scan.shares else { throw Failure.noShare }
            guard set.isComplete else { throw ShareError.shareSetIncomplete(have: set.count, need: set.required) }
            return set
        }

        private func tell(_ outcome: ShareScan.Outcome, from place: String, _ set: ShareSet?) {
            let shown = ScreenText.escape(place)
            switch outcome {
            case .repeated: break
            case .refused(let error): Warning.show("\(shown): \(error) [\(error.code)]")
            case .added(let number):
                guard let set else { break }
                let title = ForeignName.shown(set.title, as: .title)
                StandardError.write("\(shown): share \(number) of \(title): \(set.count) of \(set.required) needed\n")
            }
        }
    }
}
