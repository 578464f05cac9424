import ArgumentParser
import Console
import Files
import InstalledSigner
import SecretMemory
import Signer
import SplitBackup
import TextForms

extension Seed {
    struct Split: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "split",
            abstract: "Split a stored seed into shares on paper, of which a few and a passphrase give it back.",
            discussion: """
                The shares are QR codes in the format of Banana Split, and are read by 'casemate seed join' and by \
                Banana Split itself. Fewer than required say nothing; enough of them hold what the passphrase \
                protects. Keep the passphrase apart from the shares: without it they are worth nothing.

                The passphrase is drawn here, shown once and typed back. Only then are there shares: one after the \
                other on the terminal, or as pictures in a folder (--out), which are for this user alone and never \
                take the place of a file. The log says that the seed was split; nothing else of it is stored.

                  casemate seed split savings  2 of 3, on the terminal
                  casemate seed split savings --shares 5 --required 3 --out shares
                """)

        @Argument(help: "The name of the seed.")
        var name: String

        @Option(help: ArgumentHelp("How many shares, 2 to 255.", valueName: "n"))
        var shares = 3

        @Option(
            help: ArgumentHelp(
                "How many of them recover the seed, from 2 on. Default: one more than half.", valueName: "r"))
        var required: Int?

        @Option(help: "Words of the passphrase: 4, 5 or 6.")
        var words = 4

        @Option(help: "What every share says in clear, 1 to 64 characters. Default: the seed's name, if it fits.")
        var title: String?

        @Option(
            help: ArgumentHelp(
                "Write the shares as pictures into this folder, which is made if it is missing.", valueName: "folder"),
            completion: .directory)
        var out: String?

        @Flag(help: "With --out: show the shares on the terminal too.")
        var show = false

        @OptionGroup var passphrase: NewPassphraseOptions
        @OptionGroup var options: OpeningOptions

        func validate() throws {
            guard out != nil || !show else { throw ValidationError("--show goes with --out.") }
            guard Passphrase.wordCounts ~= words else {
                throw ValidationError("A passphrase has 4, 5 or 6 words (--words).")
            }
            do throws(ShareError) { _ = try SplitPlan(total: shares, required: required) } catch {
                throw ValidationError("\(error)")
            }
        }

        func run() throws {
            let plan = try SplitPlan(total: shares, required: required)
            // All that can be refused is refused before there is a passphrase.
            let place = try passphrase.place()
            let screen = out == nil || show ? try ShareScreen() : nil
            let files = try out.map { try ShareFiles(folder: FilePath($0), plan: plan) }
            let (split, paths) = try orDiscarding(files) {
                let opened = try options.open(guarding: .splitBackup)
                let split = try opened.split(seed: name, title: title, plan: plan, wordCount: words)
                let made = try place.confirm(split.passphrase, waiting: opened) { typed in
                    try opened.shares(of: split, confirming: typed)
                }
                let paths = try files?.write(made) ?? []
                try screen?.show(made, until: opened.lockRequested())
                return (split, paths)
            }
            let result = Result(
                seed: name, title: split.title, shares: plan.total, required: plan.required, files: paths)
            try options.output.show(result, text: result.text)
        }

        private func orDiscarding<R>(_ files: ShareFiles?, _ body: () throws -> R) throws -> R {
            do { return try body() } catch {
                files?.discard()
                throw error
            }
        }
    }
}

extension Seed.Split {
    /// What was made, without anything of a share.
    private struct Result: Encodable {
        var seed: String
        var title: String
        var shares: Int
        var required: Int
        var files: [String]

        var text: String {
            let lines = files.map { "  " + ScreenText.escape($0) + "\n" }.joined()
            return "Seed \(ScreenText.escape(seed)) is split into \(shares) shares.\n" + lines
                + "Any \(required) of them and the passphrase give it back: casemate seed join"
        }
    }
}
