import ArgumentParser
import Console
import MainKey

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "How well this machine, its TPM and the vault keep a secret, and what to do about it.",
        discussion: """
            Works without a vault and without a TPM and needs no PIN. Nothing is changed on the disk. Exits with 0 \
            whatever it finds.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let address = try place.tpmAddress()
        var findings = MemoryExamination.findings() + FolderExamination.findings(at: place.path)
        var status: VaultStatus?
        do {
            status = try place.look().status(asksHardware: true)
            if let status { findings += Self.findings(status) }
        } catch MainKeyError.notFound {
        } catch {
            findings.append(Finding("vault", .bad, found: NextStep.text(of: error)))
        }
        findings += PINExamination.findings(status)
        findings += TPMExamination.findings(at: address, try place.openOptions().knownVaults)
        if address.isSoftware { findings.append(Self.software("the TPM at \(address)")) }
        struct Answer: Encodable {
            var worst: Finding.Grade
            var findings: [Finding]
        }
        try output.show(
            Answer(worst: findings.map(\.grade).max() ?? .good, findings: findings),
            text: findings.map { $0.text(Style.output) }.joined(separator: "\n"))
    }

    /// What the vault says of itself that its owner should know.
    private static func findings(_ status: VaultStatus) -> [Finding] {
        (status.hasSoftwareTPM ? [software("the TPM that the vault is sealed to")] : [])
            + (status.refusal.map { [Finding("vault", .bad, found: "\($0)")] } ?? [])
            + (status.isHardwareLimitRaised ? [raisedLimit(status.attemptLimit)] : [])
    }

    private static func raisedLimit(_ limit: Int) -> Finding {
        Finding(
            "limit of PINs", .bad,
            found: "the TPM allows more wrong PINs than the \(limit) that the vault was made for: somebody was between",
            advice: "Have the PIN kept anew: mainkey change-pin")
    }

    private static func software(_ what: String) -> Finding {
        Finding(
            "software TPM", .bad, found: "\(what) is a program: whoever has its files has what it keeps",
            advice: "Protect the vault with the machine's own: mainkey protect --tpm-pin --hard-limit")
    }
}
