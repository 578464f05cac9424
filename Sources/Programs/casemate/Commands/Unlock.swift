import ArgumentParser
import Console
import InstalledSigner
import Signer

struct Unlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Let commands of this login read the vault without asking, for a time.",
        discussion: """
            Addresses, names and the log are then shown without the PIN: to every program of this login, not only to \
            this one. Seeds are not opened by it: signing, deriving and showing words ask for the PIN all the same. \
            The key of the session is in the kernel and is gone after the time, with 'casemate lock', when the machine \
            has slept, and at logout. While the screen is locked it opens nothing.
            """)

    @Option(help: ArgumentHelp("How long; at most, and by default, the time of autolock.", valueName: "n"))
    var minutes: Int?

    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    func validate() throws {
        guard (1...10080).contains(minutes ?? 1) else {
            throw ValidationError("A session lasts 1 to 10080 minutes, which is a week.")
        }
    }

    func run() throws {
        try VaultKey(of: vault.folder, unlock.unlocking()).beginSession(minutes: minutes)
        print("Unlocked for this login. End it with: casemate lock")
    }
}

struct Lock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the vault: end the session, and make every running command forget the key.")

    @OptionGroup var vault: VaultFolderOptions

    func run() throws {
        try VaultKey(of: vault.folder, Unlocking { _ in throw SignerError.vaultKey(.locked) }).lock()
        print("Locked.")
    }
}
