import ArgumentParser
import Signer

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a payload asks for. Needs no secret and no vault.",
        discussion: """
            Reads the payload from --hex, --file, --qr or standard input and shows everything that would be signed, as cards,
            with the call hash. Changes nothing.
            """)

    @OptionGroup var payload: PayloadOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bytes = try payload.read()
        let answer = try Network.opened(vault).process(bytes)
        try output.show(AnswerJSON(answer), text: AnswerText(answer: answer, style: .output).text)
    }
}
