import ArgumentParser
import Console
import Signer

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a payload asks for. Needs no vault, and no secret but for derived keys.",
        discussion: """
            Reads the payload from --hex, --file, --qr or standard input. Shows what is risky about it, what it does call by call
            with full addresses, for whom each call acts and what is sent in all; then every value that would be signed, and the
            call hash. Changes nothing. A payload for a key that is derived on the fly takes the PIN.
            """)

    @OptionGroup var payload: PayloadOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PinOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bytes = try payload.read()
        let answer = try UnlockedPayload(bytes, in: Network.opened(vault), pin).answer
        try output.show(AnswerJSON(answer), text: AnswerText(answer: answer, style: .output).text)
    }
}
