import ArgumentParser
import Console
import MainKey

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "How well this machine, its TPM and the vault keep a secret, and what to do about it.",
        discussion: """
            Works without a vault and without a TPM and needs no PIN. Like every command that opens a vault it puts right what a crash
            left of a change; nothing else is written. Exits with 0 whatever it finds.
            """
    )

    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let address = try place.tpmAddress()
        var findings = MemoryExamination.findings() + FolderExamination.findings(at: place.path)
        var status: VaultStatus?
        do {
            status = try place.open().status()
        } catch MainKeyError.notFound {
        } catch {
            findings.append(Finding("vault", .bad, "\(error)"))
        }
        findings += PINExamination.findings(status) + TPMExamination.findings(at: address)
        struct Answer: Encodable {
            var worst: Finding.Grade
            var findings: [Finding]
        }
        try output.show(
            Answer(worst: findings.map(\.grade).max() ?? .good, findings: findings),
            text: findings.map { $0.text(Style.output) }.joined(separator: "\n"))
    }
}
