import ArgumentParser
import BasicFoundation
import Console
import MainKey
import SecretMemory
import TextForms

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Access and refresh tokens, sealed in the vault: set, get, rm, list.",
        subcommands: [Set.self, Get.self, Remove.self, List.self])

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Store a token.",
            discussion:
                "It is typed on the terminal without echo, or one line of the descriptor of --token-fd (0 is standard input)."
        )

        @Argument(help: "Its name.")
        var name: String

        @Option(
            help: ArgumentHelp("Read the token from this open descriptor.", valueName: "n"),
            transform: InputDescriptor.init(argument:))
        var tokenFd: InputDescriptor?

        @OptionGroup var output: OutputOptions
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let vault = try credentials.unlocked(place)
            let token = try SecretInput.readFilled(
                descriptor: tokenFd, prompt: "Token \(name)", option: "--token-fd", limit: 16 << 10)
            try vault.setToken(name, token)
            try output.show(["set": name], text: "Stored.")
        }
    }

    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Write a token to standard output, and nothing else.")

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let vault = try credentials.unlocked(place)
            guard let token = try vault.token(name) else { throw MainKeyError.notFound("token \(name)") }
            guard output.json else { return try token.withUnsafeBytes { try StandardOutput.write($0) } }
            try output.printJSON([
                "name": name, "token": token.withUnsafeBytes { String(decoding: $0, as: UTF8.self) },
            ])
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rm",
            abstract: "Remove a token. Needs no PIN, but with --strict-anchor.",
            discussion: """
                Without the PIN the vault cannot take note of it: whoever kept a copy of the token's file can put it \
                back until something else is stored or removed. To give the PIN: --pin-fd.
                """)

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let vault = try place.open()
            // Names are bytes: what reads the same may be another one.
            guard try vault.tokenNames().contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw MainKeyError.notFound("token \(name)")
            }
            let isAsked = try vault.status().hasAnchoredItems || credentials.typing.pinFd != nil
            if isAsked { _ = try credentials.unlocked(vault) }
            try vault.removeToken(name)
            try output.show(["removed": name], text: "Removed.")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the names of tokens. Needs no PIN.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var place: PlaceOptions

        func run() throws {
            let names = try place.look().tokenNames()
            try output.show(["tokens": names], text: names.map { ScreenText.escape($0) }.joined(separator: "\n"))
        }
    }
}
