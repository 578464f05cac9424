import ArgumentParser
import Console
import MainKey

struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Seal all data under a new key and forget the old one.",
        discussion: """
            Tokens and items of the vault are always covered; databases and folders only if they are named. What is \
            not named cannot be opened any more afterwards, unless --keep-old-epoch is given. Interrupted at any \
            moment, run it again: the data tells how far it is.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var data: PlacesOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Go on with a rotation that is under way, and begin none.")
    var resume = false

    @Flag(help: "Say how much is still under old keys, and do nothing. Needs no PIN.")
    var status = false

    @Flag(help: "Keep the old keys, for data that is not named here.")
    var keepOldEpoch = false

    @Flag(help: "Do not ask where no database and no folder is named.")
    var yes = false

    func validate() throws {
        guard !resume || !status else { throw ValidationError("Give --resume or --status, not both.") }
    }

    func run() throws {
        let places = try data.places()
        guard !status else { return try show(places) }
        let vault = try place.open()
        // Before a PIN is asked for.
        try vault.checkOwner(nil)
        if resume, try !vault.status().isRotating {
            throw MainKeyError.configError(reason: "no rotation is under way")
        }
        let credential = try credentials.credential(for: vault)
        if places.isEmpty, !keepOldEpoch, !yes {
            try Question.confirm(
                "Only the vault's own tokens and items are sealed anew; sealed columns and files anywhere are lost.")
        }
        try vault.unlock(credential)
        var progress = PlaceProgress()
        defer { progress.end() }
        try vault.rotate(places, keepsOldEpoch: keepOldEpoch) { progress.show($0.place, $0.done, of: $0.total) }
        progress.end()
        struct Rotated: Encodable {
            var epoch: UInt32
            var epochs: [UInt32]
            var sealed: [String: Int]
        }
        let status = try vault.status()
        let epochs = status.epochs.map(\.number)
        try output.show(
            Rotated(epoch: epochs.last ?? 0, epochs: epochs, sealed: progress.sealed),
            text: (progress.text
                + [
                    keepOldEpoch
                        ? "Epoch \(epochs.last ?? 0) is active; the old keys are kept."
                        : "Epoch \(epochs.last ?? 0) is active; the old keys are forgotten."
                ]).joined(separator: "\n"))
    }

    private func show(_ places: [any RotationPlace]) throws {
        let vault = try place.look()
        let status = try vault.status()
        let epoch = status.epochs.last?.number ?? 0
        let counts = try (places + [vault.itemRotation]).map { place in
            let (total, old) = try place.count(active: epoch)
            return RotationState.Place(place.title, total: total, old: old)
        }
        let state = RotationState(isRotating: status.isRotating, epoch: epoch, places: counts)
        try output.show(state, text: state.text(goOnWith: "mainkey rotate --resume"))
    }
}
