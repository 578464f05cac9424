import ArgumentParser
import Console
import TextForms
import Vigil

struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes a pinned key back for ever. Whoever has it is refused from now on.")

    @OptionGroup var installation: InstallationOptions
    @Option(name: .long, help: "The key's id, from vigil-validator status.")
    var keyID: String

    func run() throws {
        let installation = try installation.load()
        try installation.storedStore().revoke(KeyID.parse(keyID))
        print("Revoked \(keyID).")
    }
}

struct Unpin: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forgets a key, so that another can be pinned: after a lost TPM, or an installation from scratch.")

    @OptionGroup var installation: InstallationOptions
    @Option(name: .long, help: "The key's id, from vigil-validator status.")
    var keyID: String

    func run() throws {
        let installation = try installation.load()
        try installation.storedStore().unpin(KeyID.parse(keyID))
        print("Unpinned \(keyID). Next: vigil-validator provision")
    }
}

extension Installation {
    /// The store of a validator that has been started before.
    fileprivate func storedStore() throws -> AttestationStore {
        guard let state = try storedState() else {
            throw Failure(.configuration, "This validator has no key yet; its first run makes it. Nobody is pinned.")
        }
        return state.store
    }
}

enum KeyID {
    static func parse(_ text: String) throws -> Bytes32 {
        guard let id = Hex.decode(text).flatMap({ Bytes32($0) }) else {
            throw Failure(.usage, "A key's id is 64 hexadecimal digits; vigil-validator status lists them.")
        }
        return id
    }
}
