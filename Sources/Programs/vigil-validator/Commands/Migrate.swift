import ArgumentParser
import Console
import HardwareKeys
import Vigil

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract:
            "Moves the store of an earlier release over: the counter of the TPM becomes a part of what is signed.",
        discussion: """
            Earlier releases kept the counter in a file beside the store, which nobody signed, so that whoever could \
            write to the folder could put an older store back, with keys that were revoked. Such a store is refused \
            until this was run, once for each side. It believes what lies there now: compare the pins that it prints \
            with those that you know.

              vigil-validator migrate                                    the validator's store
              vigil-validator migrate --app --config etc/vigil-app.json  the app's, as its user
            """)

    @OptionGroup var installation: InstallationOptions
    @Flag(help: "The app's store; --config names the app's configuration.")
    var app = false

    func run() throws {
        let installation = try installation.load(as: app ? .app : .validator)
        guard let store = try installation.storedState()?.store else {
            throw Failure(.configuration, "There is no key yet, and so no store.")
        }
        switch try store.migrate() {
        case .nothingCounts: print("The key is in no TPM, and the store is guarded by no counter. Nothing was done.")
        case .isDone: print("The store names its counter itself already. Nothing was done.")
        case .done:
            print("Done. These pins are believed from now on; revoke or unpin what you do not know:")
            for peer in try store.content().peers {
                print("  \(peer.keyID)  \(peer.role == .app ? "app" : "validator")  \(peer.state.rawValue)")
            }
        }
    }
}
