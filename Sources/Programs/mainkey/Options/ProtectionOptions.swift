import ArgumentParser
import Console
import HardwareKeys
import MainKey
import VaultArguments

/// How a vault is to be protected.
struct ProtectionOptions: ParsableArguments {
    @Flag(name: .customLong("none"), help: "No protection: opens by itself, for this user on this machine.")
    var unprotected = false

    @Flag(name: .long, help: "A PIN or passphrase. This is what is taken if nothing is said.")
    var pin = false

    @Flag(name: .long, help: "The TPM of this machine, without a PIN.")
    var tpm = false

    @Flag(name: .long, help: "The TPM, and a PIN that it counts wrong attempts of.")
    var tpmPin = false

    @Flag(name: .long, help: "With --tpm-pin: after --max-attempts wrong PINs the TPM refuses for ever.")
    var hardLimit = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --tpm or --tpm-pin: open only where these registers of the TPM (PCRs) hold what they hold now.",
            discussion:
                "Of 0 to 15, with commas: 7 is what Secure Boot let start. After an update of the firmware or its keys only another way "
                + "opens the vault, until it is bound anew.",
            valueName: "numbers"))
    var pcrs: TPMRegisterSelection?

    @Flag(name: .long, help: "Allow the TPM as the only way in: a defect of the machine then loses the data.")
    var allowNoRecovery = false

    @OptionGroup var cost: CostOptions

    func validate() throws {
        guard [unprotected, pin, tpm, tpmPin].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --none, --pin, --tpm and --tpm-pin.")
        }
        guard !hardLimit || tpmPin else { throw ValidationError("--hard-limit goes with --tpm-pin.") }
        guard pcrs == nil || tpm || tpmPin else { throw ValidationError("--pcrs goes with --tpm or --tpm-pin.") }
    }

    var way: Way {
        if unprotected { .none } else if tpm { .hardware } else if tpmPin { .hardwareAndPIN } else { .pin }
    }

    /// Makes sure of the TPM, then asks for the PIN.
    func protection(_ typing: TypingOptions, _ place: PlaceOptions) throws -> Protection {
        switch way {
        case .none, .recovery: return .none
        case .pin: return .pin(try typing.newPIN())
        case .hardware:
            try checkTPM(place)
            return .hardware(HardwareBinding(.counter, registers: pcrs ?? .none))
        case .hardwareAndPIN:
            try checkTPM(place)
            let binding = HardwareBinding(hardLimit ? .hardLimit : .counter, registers: pcrs ?? .none)
            return .hardwareAndPIN(try typing.newPIN(), binding)
        }
    }

    /// Checks that the TPM answers, before a PIN is asked for in vain.
    private func checkTPM(_ place: PlaceOptions) throws {
        _ = try TPM(at: try place.tpmAddress())
    }

    /// A caveat in plain words: what the protection does not protect against.
    ///
    /// - Parameter hasRecovery: whether a recovery code opens the vault too.
    func caveat(hasRecovery: Bool) -> String {
        wayCaveat(hasRecovery) + (pcrs.map { Self.caveat(of: $0, hasRecovery) } ?? "")
    }

    private static func caveat(of registers: TPMRegisterSelection, _ hasRecovery: Bool) -> String {
        let later =
            hasRecovery
            ? "open it with the recovery code and run protect again." : "nothing opens it: make a recovery code before."
        return """


            It opens only on this machine as it was started now (register \(registers) of its TPM). After an update
            of the firmware or of the keys of Secure Boot, \(later)
            Whoever starts a system that the same keys vouch for is not kept out by that.
            """
    }

    private func wayCaveat(_ hasRecovery: Bool) -> String {
        switch way {
        case .none, .recovery:
            """
            It opens without asking. This protects backups that leave out the folder items/ (its CACHEDIR.TAG says so) and nothing
            else: whoever reads this user's files reads the data.
            """
        case .pin:
            """
            Whoever copies the folder can guess the PIN elsewhere, as fast as their machines are: six digits are about six days of
            one core. Take a long passphrase, or a TPM. A single item or listed file that is put back is noticed; an older
            copy of the whole folder is not.
            """
        case .hardware:
            """
            A copy of the disk opens nothing without this machine. On this machine it opens without asking, also for a thief who
            starts it.
            """
        case .hardwareAndPIN where hardLimit:
            """
            A copy of the disk opens nothing without this machine, and on it the TPM takes only so many wrong PINs, ever. Whoever may
            use the TPM can use them up, to annoy you: \(hasRecovery ? "keep the recovery code." : "all is lost then.")
            See: mainkey doctor
            """
        case .hardwareAndPIN:
            """
            A copy of the disk opens nothing without this machine. How often a thief may guess on it depends on the TPM's lockout,
            which root or another system can reset if its authorisation is not set. See: mainkey doctor
            """
        }
    }
}

extension TPMRegisterSelection: ExpressibleByArgument {}
