import ArgumentParser
import Console
import MainKey

struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Compare a damaged key file with a complete newer one beside it, or accept restored items.",
        discussion: """
            Shows both. With --use-new the newer one takes the place of the damaged one. This is never done without \
            being asked for: whoever can write the folder could have put it there.

            With --accept-items the items and tokens that are there now count as those that were written last, for \
            somebody who restored some of them from a backup. Asks for the PIN. For encrypted files: mainkey files add.
            """)

    @Flag(help: "Use the newer key file.")
    var useNew = false

    @Flag(help: "Take items and tokens as they are now, also older ones.")
    var acceptItems = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard !useNew || !acceptItems else { throw ValidationError("Give --use-new or --accept-items, not both.") }
    }

    func run() throws {
        guard !acceptItems else {
            let (count, keepsFiles) = try credentials.unlocked(place).acceptItems()
            return try output.show(
                Accepted(accepted: count, keepsFiles: keepsFiles),
                text: "Items and tokens are taken as they are: \(count)."
                    + (keepsFiles
                        ? ""
                        : " The list was not the vault's, so no encrypted file is listed any more: mainkey files add"))
        }
        let files = try MainKeyVault.keyFiles(at: place.path)
        let current = KeyFileJSON(files.current)
        let new = KeyFileJSON(files.new)
        if useNew { try MainKeyVault.repair(at: place.path, try place.openOptions()) }
        struct Answer: Encodable {
            var current: KeyFileJSON
            var new: KeyFileJSON
            var repaired: Bool
        }
        try output.show(
            Answer(current: current, new: new, repaired: useNew),
            text: """
                keyring.mk      \(current.words)
                keyring.mk.new  \(new.words)
                """ + (useNew ? "\nThe newer one is used from now on. Check it: mainkey verify" : ""))
    }
}

private struct Accepted: Encodable {
    var accepted: Int
    /// Whether encrypted files are still listed that were.
    var keepsFiles: Bool
}

/// What a key file says of itself.
private struct KeyFileJSON: Encodable {
    var generation: UInt64?
    var slots: Int?
    /// The error: `notFound`, or why the file cannot be read.
    var error: String?
    var words: String

    private enum CodingKeys: CodingKey { case generation, slots, error }

    init(_ file: Result<KeyFile, MainKeyError>) {
        switch file {
        case .success(let file):
            generation = file.generation
            slots = file.slots.count
            words = "whole: generation \(file.generation), \(file.slots.count) ways to open it"
        case .failure(let error):
            self.error = error.code
            words = "\(error)"
        }
    }
}
