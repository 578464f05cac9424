import ArgumentParser
import Console
import InstalledSigner
import Signer
import TextForms

extension Seed {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the words of a stored seed, for a backup.",
            discussion: """
                Asks for the PIN, also within a session. The log says that the words were shown before they are. On \
                the terminal they are on a screen of their own, which is gone with the next key, after a minute, or \
                when the vault is locked ('casemate lock', the screen's lock, sleep), and leaves nothing in the \
                scroll-back.
                """)

        @OptionGroup var phrase: PhraseOptions

        @Argument(help: "The name of the seed.")
        var name: String

        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let place = try phrase.place()
            let opened = try unlock.open(vault, guarding: .seedBackup)
            let mnemonic = try opened.revealSeed(named: name)
            try place.show(stored: mnemonic, of: name, in: opened)
            print("The words of seed \(ScreenText.escape(name)) were shown; the log says so.")
        }
    }
}
