import ArgumentParser
import Console
import MainKey

struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Seal all data under a new key and forget the old one.",
        discussion: """
            Tokens and items of the vault are always covered; databases and folders only if they are named. What is \
            not named cannot be opened any more afterwards, unless --keep-old-epoch is given. Interrupted at any \
            moment, run it again: the data tells how far it is. A rotation that is under way, interrupted or with \
            --keep-old-epoch, goes on in the key that it began with.
            """)

    @OptionGroup var data: PlacesOptions

    @Flag(help: "Go on with a rotation that is under way, and begin none.")
    var resume = false

    @Flag(help: "Say how much is still under old keys, and do nothing. Needs no PIN.")
    var status = false

    @Flag(help: "Keep the old keys, for data that is not named here, and the rotation under way.")
    var keepOldEpoch = false

    @Flag(help: "Do not ask where no database and no folder is named.")
    var yes = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

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
        let isUnderWay = try vault.status().isRotating
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
            text: (progress.text + outcome(epoch: epochs.last ?? 0, wasUnderWay: isUnderWay)).joined(separator: "\n"))
    }

    /// What a person does next.
    ///
    /// - Parameter wasUnderWay: whether no epoch was begun for it.
    private func outcome(epoch: UInt32, wasUnderWay: Bool) -> [String] {
        guard !keepOldEpoch else {
            return [
                "Epoch \(epoch) is active; the old keys are kept, and the rotation stays under way.",
                "No newer key comes before 'mainkey rotate' without --keep-old-epoch ends it.",
            ]
        }
        let forgotten = "Epoch \(epoch) is active; the old keys are forgotten."
        guard wasUnderWay, !resume else { return [forgotten] }
        return [forgotten, "That ended the rotation that was under way. Run it again for a newer key."]
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
