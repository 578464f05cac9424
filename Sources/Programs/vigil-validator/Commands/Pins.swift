import ArgumentParser
import Console
import TextForms
import Vigil

struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Takes a pinned key back for ever. Whoever has it is refused from now on.")

    @OptionGroup var pin: PinOptions

    func run() throws {
        let (store, id) = try pin.load()
        try store.revoke(id)
        print("Revoked \(pin.keyID).")
    }
}

struct Unpin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Forgets a key, so that another can be pinned: after a lost TPM, or an installation from scratch.")

    @OptionGroup var pin: PinOptions

    func run() throws {
        let (store, id) = try pin.load()
        try store.unpin(id)
        print("Unpinned \(pin.keyID). Next: vigil-validator provision")
    }
}

/// What every change of a pinned key takes.
struct PinOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @Option(name: .long, help: "The key's id, from vigil-validator status.")
    var keyID: String

    /// The store of a validator that has been started before, and the key's id.
    func load() throws -> (store: AttestationStore, id: Bytes32) {
        guard let state = try installation.load().storedState() else {
            throw Failure(.configuration, "This validator has no key yet; its first run makes it. Nobody is pinned.")
        }
        guard let id = Hex.decode(keyID).flatMap({ Bytes32($0) }) else {
            throw Failure(.usage, "A key's id is 64 hexadecimal digits; vigil-validator status lists them.")
        }
        return (state.store, id)
    }
}
