import ArgumentParser
import Console
import MainKey

struct Wipe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Destroy the keys, and with them everything that is sealed under them.",
        discussion: """
            Needs no PIN: logging out must always be possible. What cannot be removed from the TPM is told. Unlocked \
            first (--unlock, or by itself where nothing is asked for), it also moves the TPM's counter, so that copies \
            of the vault die even where the TPM's indexes cannot be removed. A wipe that was interrupted is finished \
            by the next command that opens the vault, or by this one, which then takes the paths of --data again: they \
            are nowhere written down.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Unlock first.")
    var unlock = false

    @Option(help: ArgumentHelp("A file or folder to remove too. Can be repeated.", valueName: "path"))
    var data: [String] = []

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let options = try place.openOptions()
        // What is left of one is wiped whoever began it, and needs no key file.
        let isBegun = try MainKeyVault.isWipeBegun(at: place.path, options)
        let vault = isBegun ? nil : try place.open()
        if !yes {
            try Question.confirm(
                "Wipe the vault in \(place.path)\(data.map { ", \($0)" }.joined())? Nothing brings it back.")
        }
        if let vault { try unlock(vault) }
        let leftovers = try vault?.wipe(data: data) ?? MainKeyVault.finishWipe(at: place.path, data: data, options)
        struct Wiped: Encodable {
            var wiped: String
            /// What is still in the TPM, in words.
            var leftovers: [String]
        }
        try output.show(
            Wiped(wiped: place.path, leftovers: leftovers), text: Self.text(leftovers))
    }

    /// Unlocks the vault, for the counter only unless it was asked for: what cannot be unlocked is wiped all the same.
    private func unlock(_ vault: MainKeyVault) throws {
        if unlock {
            try vault.unlock(try credentials.credential(for: vault))
        } else if try vault.status().ways.contains(where: { $0.kind == Way.hardware.rawValue }) {
            try? vault.unlock(.hardware)
        }
    }

    private static func text(_ leftovers: [String]) -> String {
        let done = "The keys are destroyed."
        guard !leftovers.isEmpty else { return done }
        return """
            \(done)

            \(Style.output.warning("These were not removed from the TPM:"))
            \(leftovers.map { "  \($0)" }.joined(separator: "\n"))
            Until those are that could not be, a copy of the folder may still open where the TPM is that has them. \
            Remove each of them as soon as
            that can be used, but none that another vault needs:
            tpm2_nvundefine -C o INDEX
            """
    }
}
