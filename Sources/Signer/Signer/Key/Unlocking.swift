import MainKey
import SecretMemory

/// What a person types to open a vault.
public enum TypedCredential: Sendable {
    /// A PIN.
    case pin(SecretBytes)
    /// The recovery code as it was shown, in groups or without.
    case recoveryCode(SecretBytes)
}

/// Why something has to be typed, and what is taken.
public struct CredentialRequest: Sendable {
    /// What a credential is asked for.
    public enum Reason: Sendable {
        /// The vault is opened.
        case opening
        /// A session opened the vault; seeds take the person.
        case seeds
        /// The vault locked while it was open.
        case lockedMeanwhile
        /// The ways to open the vault are to be changed.
        case protections
        /// A vault of the first kind is opened for the last time as what it was.
        case migration
    }

    /// What it is asked for.
    public var reason: Reason
    /// Whether a PIN opens the vault.
    public var takesPIN: Bool
    /// Whether a recovery code opens the vault.
    public var takesRecoveryCode: Bool
}

/// How a vault gets at its key. The person is asked only where nothing else opens the vault: not without protection,
/// and not within a session of this login.
public struct Unlocking: Sendable {
    /// How the vault's key is opened.
    public var options: OpenOptions
    /// The cost for keys that are made anew; nil measures the machine.
    public var cost: Argon2Cost?
    /// The validator of this program; nil where none is installed. With one that is pinned, vaults are opened only with
    /// its word, and seeds only with a fresh one.
    public var vigil: (any VerdictSource)?
    /// A handler that is called when a vault is opened for the first time with a validator's word, without which it
    /// does not open from then on.
    public var validatorRequired: @Sendable (Verdict.Account) -> Void
    /// Asks a person for what opens the vault.
    public var credential: @Sendable (CredentialRequest) throws -> TypedCredential

    /// - Parameter options: what the time of autolock is counted from is set here: the time in which the program waits.
    public init(
        _ options: OpenOptions = OpenOptions(), cost: Argon2Cost? = nil, vigil: (any VerdictSource)? = nil,
        validatorRequired: @escaping @Sendable (Verdict.Account) -> Void = { _ in },
        credential: @escaping @Sendable (CredentialRequest) throws -> TypedCredential
    ) {
        self.validatorRequired = validatorRequired
        self.options = options
        self.options.autolockMode = .foreground
        // Where the system has no watch left, only this process's own clock locks.
        self.options.watching = .whereAvailable
        self.cost = cost
        self.vigil = vigil
        self.credential = credential
    }
}
