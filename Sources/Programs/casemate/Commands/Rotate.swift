import ArgumentParser
import Console
import InstalledSigner
import MainKey
import Signer

struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Seal all that is private under a new key, and forget the old one.",
        discussion: """
            Addresses, log and seeds are sealed anew; what they say stays as it is. Others can look at the vault \
            meanwhile, and not change it. Interrupted at any moment nothing is lost: run it again.

            After a PIN became known to somebody, or a copy of the vault and its PIN may have been:

              casemate rotate --rekey

            It asks for a new PIN (not the one of before), makes a new recovery code if there was one, and a new key \
            for everything. An old copy with its old PIN then opens nothing that is written from now on. It still \
            opens what was in it: if somebody may have both, the seeds are known, and what they hold has to be moved \
            to new ones.
            """)

    @Flag(help: "Make a new MainKey too, with a new PIN and a new recovery code. It ends the session.")
    var rekey = false

    @Flag(help: "Say how much is still under old keys, and do nothing. Needs no PIN.")
    var status = false

    @OptionGroup var newPIN: NewPINOptions
    @OptionGroup var recoveryCode: RecoveryCodeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    func validate() throws {
        guard !rekey || !status else { throw ValidationError("Give --rekey or --status, not both.") }
        guard rekey || (newPIN.newPinFd == nil && newPIN.cost.argon2 == nil && recoveryCode.recoveryFd == nil) else {
            throw ValidationError("A new PIN, its cost and a new recovery code go with --rekey.")
        }
    }

    func run() throws {
        guard !status else { return try showStatus() }
        try NetworkGate.checkProtectionChange(in: vault.folder)
        let unlocking = try unlock.unlocking(cost: newPIN.cost.argon2)
        var progress = PlaceProgress()
        defer { progress.end() }
        let rotation = try rotate(unlocking) { progress.show($0.place, $0.done, of: $0.total) }
        progress.end()
        struct Rotated: Encodable {
            var epoch: UInt32
            var sealed: [String: Int]
            var rekeyed: Bool
        }
        let keys =
            rotation.isRekeyed
            ? "The MainKey is new. Old PINs, recovery codes and keys of data open nothing any more."
            : "The old key of the data is forgotten. The ways to open the vault are those of before."
        try output.show(
            Rotated(epoch: rotation.epoch, sealed: rotation.sealed, rekeyed: rotation.isRekeyed),
            text: (progress.text + ["Everything is in epoch \(rotation.epoch).", keys]).joined(separator: "\n"))
    }

    private func rotate(
        _ unlocking: Unlocking, progress: (RotationProgress) throws -> Void
    ) throws -> Vault.Rotation {
        guard rekey else { return try Vault.rotate(vault.folder, unlocking: unlocking, progress: progress) }
        let key = try VaultKey(of: vault.folder, unlocking)
        // Settled before anything is changed.
        let place = try key.status().ways.contains { $0.kind == "recovery" } ? try recoveryCode.place() : nil
        let change = WaysChange(
            place == nil ? "What was chosen anew" : "The new recovery code, with the new PIN if there is one,",
            next: "Go on with: casemate rotate", of: key)
        let pin = NetworkGate.forProtectionChange(in: vault.folder, newPIN.newPIN)
        let renewal = KeyRenewal(newPIN: pin) { code, commit in
            guard let place else { return }
            try change.show(code.grouped(), at: place)
            try NetworkGate.checkProtectionChange(in: vault.folder)
            try commit()
        }
        return try change.make {
            try Vault.rotate(vault.folder, unlocking: unlocking, renewal: renewal, progress: progress)
        }
    }

    private func showStatus() throws {
        let nobody = Unlocking(try unlock.tpm.opening()) { _ in throw SignerError.vaultKey(.locked) }
        let status = try Vault.open(vault.folder, for: .publicData, unlocking: nobody).rotationStatus()
        let state = RotationState(
            isRotating: status.isUnderWay, epoch: status.epoch,
            places: status.places.map { .init($0.title, total: $0.total, old: $0.old) })
        try output.show(state, text: state.text(goOnWith: "casemate rotate"))
    }
}
