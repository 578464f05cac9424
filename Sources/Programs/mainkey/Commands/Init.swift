import ArgumentParser
import Console
import Foundation
import MainKey

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault.",
        discussion: """
            Asks for the PIN twice and says what the protection does not protect against. A recovery code (--recovery) is shown once,
            on the terminal or on the descriptor of --recovery-fd.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var typing: TypingOptions
    @OptionGroup(title: "Protection") var protection: ProtectionOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Make a recovery code too, which opens the vault when PIN or TPM are lost.")
    var recovery = false

    @Option(help: ArgumentHelp("Write the recovery code to this open descriptor.", valueName: "n"))
    var recoveryFd: Int32?

    @Option(help: ArgumentHelp("Lock after so many minutes without use: 1 to 10080, always, never.", valueName: "time"))
    var autolock = AutolockTimeout.never

    @Option(help: ArgumentHelp("Wrong attempts in a row, 1 to 100.", valueName: "n"))
    var maxAttempts = 10

    @Flag(help: "Wipe the vault when they are used up.")
    var wipeOnLimit = false

    @Flag(help: "Refuse the vault if its TPM protection is ever missing.")
    var requireHardware = false

    @Flag(help: "Move the TPM's counter with every change, so that any older copy is refused.")
    var strictAnchor = false

    func validate() throws {
        guard recoveryFd == nil || recovery else { throw ValidationError("--recovery-fd goes with --recovery.") }
    }

    func run() throws {
        // Asked before the PIN is: a folder that is taken needs none.
        guard !FileManager.default.fileExists(atPath: place.path + "/keyring.mk") else {
            throw MainKeyError.configError(reason: "there is a vault in \(place.path) already")
        }
        let shown = recovery ? try RecoveryOutput(descriptor: recoveryFd) : nil
        var protections = [try protection.protection(typing, place)]
        let code = recovery ? try RecoveryCode.generate() : nil
        if let code { protections.append(.recovery(code)) }
        let vault = try VaultEngine.create(at: place.path, protections, options, try place.openOptions())
        if let code, let shown { try shown.show(code.grouped()) }
        let status = try vault.status()
        try output.show(
            StatusJSON(status),
            text: """
                The vault is in \(place.path), opened by: \(status.ways.map(\.kind).joined(separator: ", ")).

                \(protection.caveat)
                """
                    + (recovery
                        ? ""
                        : "\n\nThere is no recovery code; whoever forgets the PIN or loses the machine loses the "
                            + "data. To make one: mainkey add-recovery"))
    }

    private var options: VaultOptions {
        var options = VaultOptions()
        options.attemptLimit = maxAttempts
        options.autolock = autolock
        options.wipesOnLimit = wipeOnLimit
        options.requiresHardware = requireHardware
        options.hasStrictAnchor = strictAnchor
        options.allowsNoRecovery = protection.allowNoRecovery
        options.cost = protection.cost?.cost
        return options
    }
}

extension AutolockTimeout: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "never": self = .never
        case "always": self = .always
        default:
            guard let minutes = Int(argument), let timeout = AutolockTimeout(rawValue: minutes) else { return nil }
            self = timeout
        }
    }

    public var defaultValueDescription: String { words }

    /// As the option takes it.
    var words: String {
        switch self {
        case .never: "never"
        case .always: "always"
        case .minutes(let minutes): "\(minutes)"
        }
    }
}
