import ArgumentParser
import BasicFoundation
import Console
import Files
import InstalledSigner
import MainKey
import SecretMemory
import Signer
import TextForms
import VaultArguments

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault.",
        discussion: """
            Seeds, addresses and the log are sealed under a key that a PIN protects (6 to 128 characters, none of \
            those that are tried first), a PIN with this machine's TPM, or nothing. Ten wrong PINs are taken, slower \
            with each.

            Where a validator is pinned for this program, the vault is bound to it: the PIN then opens nothing without \
            its word. Without one, whoever changes the program gets at the seeds once the PIN is typed; see: casemate \
            vigil --help

            Nothing with secrets is done while the machine is connected to a network, this included: disconnect it \
            first, or run casemate --isolated init, or let the vault allow it (--network-allowed), which its log and \
            status say.

            Without a terminal, --pin-fd gives the new PIN, and --recovery-fd takes the recovery code.
            """)

    @Flag(help: "What protects the key. Default: --pin")
    var protection: ProtectionKind = .pin

    @OptionGroup var details: ProtectionOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Lock after so many minutes of waiting: 1 to 10080, always (with each wait; a program that stays open, as \
            the window, after a minute), never.
            """, valueName: "time"))
    var autolock = Vault.usualAutolock

    @Option(
        name: .long,
        help: ArgumentHelp("Read the new PIN from this open descriptor instead of the terminal.", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var pinFd: InputDescriptor?

    @OptionGroup var cost: CostOptions

    @Flag(help: "Make a vault that needs no validator, also where one is pinned for this program.")
    var noVigil = false

    @Flag(
        help: """
            Follow no general verifier: unsigned updates are taken by a yes, and the first key that signs one is \
            followed from then on.
            """)
    var noVerifier = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var tpm: TPMOptions

    func validate() throws {
        try details.check(with: protection)
        guard cost.argon2 == nil || protection != .none || details.recovery == true else {
            throw ValidationError("--cost goes with a PIN.")
        }
    }

    func run() throws {
        // Asked before the PIN is: a folder that is taken needs none.
        guard try !Vault.isPresent(in: vault.folder) else { throw SignerError.vaultExists(folder: vault.folder.path) }
        guard try isFree(vault.folder) else { throw Failure.folderTaken(path: vault.folder.path) }
        try NetworkGate.check(.onboarding, in: vault.folder, allowing: network.allowance)
        var bundle = try NetworkBundle.shipped()
        if noVerifier { bundle.generalVerifier = .none }
        var options = MainKey.VaultOptions()
        options.autolock = autolock
        options.allowsNoRecovery = true
        options.cost = cost.argon2
        let hasCode = details.wantsRecovery(with: protection)
        try MainKeyVault.check(cost.argon2, ofWays: (protection == .none ? 0 : 1) + (hasCode ? 1 : 0))
        let place = hasCode ? try details.place() : nil
        let protections = [try details.plan(protection).protection(pin: newPIN)]
        let verdict: Verdict.Account?
        if let place {
            let change = WaysChange("The recovery code that was shown") {
                try Vault.isPresent(in: vault.folder) ? [1] : []
            }
            verdict = try change.make {
                let code = try RecoveryCode.generate()
                return try make(protections + [.recovery(code)], options: options, bundle: bundle) {
                    try change.show(code.grouped(), at: place)
                }
            }
        } else {
            verdict = try make(protections, options: options, bundle: bundle)
        }
        struct Made: Encodable {
            var folder: String
            var networks: [String]
            var protection: String
            var recovery: Bool
            /// What it lets pass of a connected machine; empty for nothing.
            var networkPolicy: [String]
            /// `release` or `none`.
            var follows: String
            /// The key of the validator that the vault is bound to.
            var boundTo: String?
        }
        let titles = bundle.networks.map(\.specs.title)
        let hasRecovery = place != nil
        let offer = protection == .pin && !hasRecovery ? "\nFor a forgotten PIN: casemate protect --add-recovery" : ""
        try output.show(
            Made(
                folder: vault.folder.path, networks: titles, protection: protection.rawValue, recovery: hasRecovery,
                networkPolicy: network.allowance.names, follows: noVerifier ? "none" : "release",
                boundTo: verdict?.validatorKeyID),
            text: """
                The vault is in \(ScreenText.escape(vault.folder.path)), with the networks \
                \(titles.joined(separator: ", ")).
                \(details.limits(protection))\(offer)
                \(Self.text(verdict, isLeftOut: noVigil, hasRecovery: hasRecovery))
                Its network policy is \(network.allowance.line).\(noVerifier ? Self.followsNobody : "")
                Next: casemate seed new NAME
                """)
    }

    private static let followsNobody = "\nIt follows nobody, until somebody signs an update that it takes."

    /// Whether there is no such folder, or an empty one.
    private func isFree(_ folder: URL) throws -> Bool {
        guard (try? Stat(FilePath(folder.path))) != nil else { return true }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
    }

    private func make(
        _ protections: [Protection], options: MainKey.VaultOptions, bundle: NetworkBundle,
        beforeItAppears: () throws -> Void = {}
    ) throws -> Verdict.Account? {
        try Vault.create(
            in: vault.folder, protections: protections, options: options, bundle: bundle, opening: try tpm.opening(),
            binding: try binding(),
            isReleased: noVigil, network: network.allowance, beforeItAppears: beforeItAppears)
    }

    /// What the vault is bound to: a validator that is pinned, unless that is not wanted or there is no PIN to bind.
    private func binding() throws -> NewBinding? {
        guard !noVigil, protection != .none, let installed = InstalledValidator.current, try installed.verdict() != nil
        else { return nil }
        return NewBinding(to: installed)
    }

    private static func text(_ verdict: Verdict.Account?, isLeftOut: Bool, hasRecovery: Bool) -> String {
        guard let verdict else {
            return isLeftOut
                ? "It needs no validator. \(ValidatorState.meaning)"
                : "\(ValidatorState.none) \(ValidatorState.meaning)"
        }
        return
            "It is bound to the validator \(verdict.validatorKeyID.prefix(16)): the PIN opens nothing without its word"
            + (hasRecovery
                ? "; the recovery code does."
                : ".\nWithout the validator it is lost: make a recovery code with: casemate protect --add-recovery")
            + (verdict.isUserShared ? "\n\(ValidatorState.sharedUser)" : "")
    }

    /// Reads a new PIN; a weak one is refused before anything is made.
    private func newPIN() throws -> SecretBytes {
        let pin = try SecretInput.readNew(descriptor: pinFd, prompt: "New PIN or passphrase", option: "--pin-fd")
        try PINPolicy.standard.check(pin)
        return pin
    }
}
