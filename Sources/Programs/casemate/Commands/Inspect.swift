import ArgumentParser
import Console
import InstalledSigner
import Signer

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what a payload asks for. Needs no vault; with one, its PIN.",
        discussion: """
            Reads the payload from --hex, --file, --qr or standard input. Shows what it does call by call with full \
            addresses, every value that would be signed, and the call hash. It ends with a summary, directly \
            above the prompt: the calls at a glance, what is risky about them and what is sent in all. Text that \
            somebody else chose stands in quotes, cut after 512 characters or 12 lines; --json gives all of it. Lines \
            are as wide as the terminal, else 80 columns. Changes nothing. The PIN tells which addresses are yours; \
            within a session ('casemate unlock') it is asked only for a payload whose key is derived on the fly.
            """)

    @OptionGroup var payload: PayloadOptions
    @OptionGroup var options: OpeningOptions

    func run() throws {
        let bytes = try payload.read()
        var opened =
            Vault.exists(in: options.vault.folder)
            ? try options.open(for: .read) : try Vault.lookOnly(NetworkBundle.shipped(for: bytes))
        opened.metadataExpander = payload.pictures.expander
        let answer = try opened.process(bytes)
        try options.output.show(AnswerJSON(answer), text: AnswerText(answer: answer).text)
    }
}
