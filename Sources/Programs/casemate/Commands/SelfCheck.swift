import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import Signer
import TextForms

struct SelfCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selfcheck",
        abstract: "Look at program, machine and vault, and say what is not as it has to be.",
        discussion: """
            Each line is ok, warn or fail. Note the digests and the words of the executable, and compare them later, \
            or with those of another machine that has the same release. Exits with 21 if a line fails. Without a \
            vault, program and machine are looked at. After --isolated it proves from inside that there is no network: \
            casemate --isolated selfcheck
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    /// The longest code, with a gap behind it.
    private static let codeWidth = 20

    private struct LineJSON: Encodable {
        var code: String
        /// `ok`, `warn` or `fail`.
        var status: String
        var text: String
    }

    func run() throws {
        var lines = InstalledMachine.lines()
        if Vault.exists(in: vault.folder) { lines += try unlock.open(vault, for: .read).selfCheck() }
        let text = lines.map { line in
            let word: Paragraph.Piece =
                switch line.status {
                case .ok: .words("ok   ", .good)
                case .warn: .words("warn ", .warning)
                case .fail: .words("FAIL ", .danger)
                }
            let code = DisplayWidth.padded(line.code, to: Self.codeWidth)
            // A digest fits a line of its own.
            let said = [line.text, NextStep.step(after: line)].compactMap(\.self).joined(separator: " ")
            return Paragraph(hanging: 7, [word, .words(code), .words(ScreenText.escape(said))])
        }
        try output.show(
            lines.map { LineJSON(code: $0.code, status: $0.status.rawValue, text: $0.text) }, text: text.text)
        let failed = lines.filter { $0.status == .fail }.map(\.code)
        if !failed.isEmpty { throw Failure.selfCheck(failed) }
    }
}
