import ArgumentParser
import MainKey
import SecretMemory

/// What the vault is opened with.
struct CredentialOptions: ParsableArguments {
    @Flag(name: .long, help: "Open the vault with its recovery code.")
    var recovery = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Open the vault in this way: none, pin, tpm, tpm+pin or recovery.",
            discussion: "Default: the first it has of tpm+pin, tpm, pin, none, recovery.", valueName: "way"))
    var with: Way?

    @OptionGroup var typing: TypingOptions

    func validate() throws {
        guard !recovery || with == nil else { throw ValidationError("Give --recovery or --with, not both.") }
    }

    /// The way that is asked for, or the best that the vault has.
    func way(for status: VaultStatus) throws(MainKeyError) -> Way {
        let available = status.ways.compactMap { Way(rawValue: $0.kind) }
        if let wanted = recovery ? .recovery : with {
            guard available.contains(wanted) else { throw .noSuchSlot(wanted.rawValue) }
            return wanted
        }
        guard let best = Way.allCases.first(where: available.contains) else { throw .noSuchSlot("any credential") }
        return best
    }

    /// Asks for what the vault is opened with.
    func credential(for vault: MainKeyVault) throws -> Credential {
        let status = try vault.status()
        let way = try way(for: status)
        // Who has to wait, or has no attempt left, is not asked first.
        if way.isTyped, status.secondsBeforeAsking > 0 {
            throw MainKeyError.throttled(seconds: status.secondsBeforeAsking)
        }
        return try credential(way)
    }

    private func credential(_ way: Way) throws -> Credential {
        switch way {
        case .none: .none
        case .hardware: .hardware
        case .pin, .hardwareAndPIN: try Credential(way, typing.credential("PIN"))
        case .recovery: try Credential(way, typing.credential("Recovery code"))
        }
    }

    /// Opens and unlocks the vault.
    func unlock(_ place: PlaceOptions) throws -> (vault: MainKeyVault, credential: Credential) {
        let vault = try place.open()
        return (vault, try unlock(vault))
    }

    /// Asks for what the vault is opened with, and unlocks it.
    func unlock(_ vault: MainKeyVault) throws -> Credential {
        let credential = try credential(for: vault)
        try vault.unlock(credential)
        return credential
    }

    /// The same for commands that read nothing else that is typed: a PIN that nobody asks for would be ignored, and
    /// with it that the vault is another.
    func unlocked(_ place: PlaceOptions) throws -> MainKeyVault { try unlocked(try place.open()) }

    func unlocked(_ vault: MainKeyVault) throws -> MainKeyVault {
        let credential = try credential(for: vault)
        if typing.pinFd != nil, credential.typed == nil {
            throw MainKeyError.configError(
                reason: "--pin-fd gives a PIN, and this vault opens without one; if that is right, leave the option out"
            )
        }
        try vault.unlock(credential)
        return vault
    }
}

/// A kind of slot, in the order in which they are tried.
enum Way: String, CaseIterable, ExpressibleByArgument {
    case hardwareAndPIN = "tpm+pin"
    case hardware = "tpm"
    case pin
    case none
    case recovery

    var isTyped: Bool { self == .hardwareAndPIN || self == .pin || self == .recovery }
}

extension Credential {
    /// - Parameter typed: not used by ways that ask for nothing.
    init(_ way: Way, _ typed: SecretBytes) throws(MainKeyError) {
        self =
            switch way {
            case .none: .none
            case .hardware: .hardware
            case .pin: .pin(typed)
            case .hardwareAndPIN: .hardwareAndPIN(typed)
            case .recovery: .recovery(try RecoveryCode(typed: typed))
            }
    }

    /// The secret that a person typed, if any.
    var typed: (way: Way, secret: SecretBytes)? {
        switch self {
        case .none, .hardware: nil
        case .pin(let pin): (.pin, pin)
        case .hardwareAndPIN(let pin): (.hardwareAndPIN, pin)
        case .recovery(let code): (.recovery, code.bytes)
        }
    }
}
