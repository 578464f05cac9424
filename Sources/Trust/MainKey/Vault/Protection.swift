import HardwareKeys
import SecretMemory

/// A way to open a vault that is to be made.
public enum Protection: Sendable {
    /// A key beside the vault, readable by this user only. It protects backups that leave the key out, and nothing
    /// else.
    case none
    case pin(SecretBytes)
    case hardware(HardwareBinding)
    /// The hardware counts wrong PINs; the PIN is also part of the key, so that broken hardware alone opens nothing.
    case hardwareAndPIN(SecretBytes, HardwareBinding)
    case recovery(RecoveryCode)

    var kind: Slot.Kind {
        switch self {
        case .none: .none
        case .pin: .pin
        case .hardware: .hardware
        case .hardwareAndPIN: .hardwareAndPIN
        case .recovery: .recovery
        }
    }

    var pin: SecretBytes? {
        switch self {
        case .pin(let pin), .hardwareAndPIN(let pin, _): pin
        default: nil
        }
    }
}

/// How a secret is bound to the hardware (`mainkey` section 17).
public struct HardwareBinding: Hashable, Sendable {
    /// What the hardware checks beside the PIN.
    public enum Template: UInt8, Sendable {
        case lockout = 1
        case counter = 2
        case hardLimit = 3
    }

    /// What the hardware checks beside the PIN.
    public var template: Template
    /// Registers of the TPM (PCRs) that have to hold what they held when the binding was made: 7 is what Secure Boot
    /// let start. Usually none, since an update of the firmware changes them, and then only another way opens the
    /// vault.
    public var registers: TPMRegisterSelection

    /// Binds to the hardware, and to registers of it.
    public init(_ template: Template, registers: TPMRegisterSelection = .none) {
        self.template = template
        self.registers = registers
    }

    /// Wrong PINs count against the lockout of the whole TPM. All that a Secure Enclave is bound by, which has a
    /// lockout for faces and fingers alone.
    public static let lockout = HardwareBinding(.lockout)
    /// The same, and a counter makes every older state of the vault useless for ever. The usual choice.
    public static let counter = HardwareBinding(.counter)
    /// The same, and after the vault's own limit of wrong PINs the hardware refuses for ever. Needs a PIN.
    public static let hardLimit = HardwareBinding(.hardLimit)

    /// What of the binding a Secure Enclave cannot keep, as it has keys alone; nil if nothing.
    ///
    /// Source: `mainkey` section 18.
    var objectionOfEnclave: String? {
        guard registers.isEmpty else { return "the Secure Enclave keeps no registers to bind to" }
        switch template {
        case .lockout: return nil
        case .counter: return "the Secure Enclave keeps no counter against older states. Bind by .lockout"
        case .hardLimit:
            return "the Secure Enclave keeps no limit of wrong PINs. Bind by .lockout, and let the vault count"
        }
    }
}

extension HardwareBinding: CustomStringConvertible {
    /// The binding as a status names it: `counter`, `counter, registers 7`.
    public var description: String { "\(template)" + (registers.isEmpty ? "" : ", registers \(registers)") }
}

/// How a vault is made.
public struct VaultOptions: Sendable {
    /// The most wrong credentials in a row: 1 to 100.
    public var attemptLimit: Int = 10
    /// After how long the vault locks by itself.
    public var autolock: AutolockTimeout = .never
    /// Whether the vault is wiped when a wrong credential reaches the limit. An attempt that was interrupted counts,
    /// and wipes nothing.
    public var wipesOnLimit = false
    /// Whether the vault is refused when its hardware protection is missing.
    public var requiresHardware = false
    /// Whether the hardware's counter moves with every change of the vault, its items and tokens too, and not only with
    /// those of the protections. Files and values elsewhere that are put back are not noticed by it.
    public var hasStrictAnchor = false
    /// Whether hardware may be the only way in: a defect of the machine then loses the data.
    public var allowsNoRecovery = false
    /// The cost of Argon2id; nil measures the machine.
    public var cost: Argon2Cost?
    /// What a PIN has to be like.
    public var pinPolicy = PINPolicy.standard
    /// The program that alone knows where its sealed data lies: rotating without it would lose that data, and is
    /// refused. It is named as it is called, by 1 to 64 of a-z, 0-9 and ._- that begin with a letter or digit, and has
    /// a command `rotate`.
    public var owner: String?

    public init() {}
}

/// How a vault is opened.
public struct OpenOptions: Sendable {
    /// The address of the TPM; nil takes `/dev/tpmrm0`.
    public var tpm: TPMAddress?
    /// Whether a TPM that is a program may be used (``TPMAddress/isSoftware``): whoever has its files has its keys. A
    /// vault that was made with one says so, and uses one without this.
    public var allowsSoftwareTPM = false
    /// Whether another TPM than the one that the account knows at this address may protect the vault, which is known
    /// from then on.
    public var acceptsOtherTPM = false
    /// What the time until it locks is counted from.
    public var autolockMode = AutolockMode.idle
    /// The time that counts where the vault is to lock `always`: a program that waits between any two uses would lose
    /// what it opened before it used it.
    package var alwaysCountsAs = AutolockTimeout.always
    /// Whether to lock when the program tells that the machine goes to sleep. This holds for this opening only: the
    /// vault does not keep it.
    public var locksOnSleep = true
    /// What hears of the screen and of sleep, so that the vault locks by them; nil where only the program tells
    /// (`note`).
    public var lockSignals: (any LockSignals)?
    /// Whether folders of a network may be used: locks and renames are not sure there.
    public var allowsNetworkFileSystem = false
    /// Whether the vault's folder is watched, so that what another process changes is seen at once.
    public var watching = FolderWatching.required
    /// How long to wait for another process.
    public var lockTimeout: Duration = .seconds(10)
    /// What tells an old copy of the vault, where the application has such a thing. A vault that is made with one, and
    /// one without an anchor from its next change on, opens with this one only: one of before is refused. One that a
    /// counter of the TPM anchors takes none.
    public var externalAnchor: (any RollbackAnchor)?
    /// What the account remembers of its vaults outside their folders; nil remembers nothing: then an interrupted wipe
    /// is not finished by the next opening.
    public var knownVaults: KnownVaults?
    /// The place of a session's key; nil takes the kernel's session keyring.
    package var sessionKeys: (any KeyItemStore)?

    public init() {}
}

/// A number that only goes up, kept where whoever can restore the vault's files cannot restore it.
public protocol RollbackAnchor: Sendable {
    func value() throws -> UInt64
    /// Called with one more than the value, when a change of the vault becomes final.
    func advance(to value: UInt64) throws
}

/// Whether a vault's folder is watched.
public enum FolderWatching: Sendable {
    /// A vault that cannot be watched is not opened.
    case required
    /// Where the system has no watch left, changes of other processes are seen with the next use of the disk.
    case whereAvailable
    /// Changes of other processes are seen with the next use of the disk: for programs that are over soon.
    case none
}

/// What the time until a vault locks by itself is counted from.
public enum AutolockMode: Sendable {
    /// The mode for programs with a window: the time in the background counts.
    case foreground
    /// The mode for services and terminals: the time since the last use counts.
    case idle
}
