import SecretMemory

/// A validator's fresh word that this program is the one of its vendor.
public struct Verdict: Sendable {
    /// What the validator found.
    public var account: Account
    /// The validator's secret for this program; nil where it keeps none.
    public var grant: SecretBytes?
    /// What goes on behind it; nil where each word takes a new conversation.
    public var vouching: (any Vouching)?

    /// What can be shown of it.
    public struct Account: Equatable, Sendable {
        /// The product whose validator it is.
        public var product: String
        /// The ID of the validator's key, 64 hexadecimal digits.
        public var validatorKeyID: String
        /// What the validator looked at in this program, as `L0`.
        public var levels: [String]
        /// What this program looked at in the validator.
        public var validatorLevels: [String]
        /// Whether it runs as this program's user, whose other programs then read its secret too.
        public var isUserShared: Bool
        /// Whether the validator looked at this program by itself, and not through what this program sent it.
        public var isFirsthand: Bool
        /// How long the answer took.
        public var latency: Duration

        /// Makes it of its parts.
        public init(
            product: String, validatorKeyID: String, levels: [String], validatorLevels: [String], isUserShared: Bool,
            isFirsthand: Bool, latency: Duration
        ) {
            self.product = product
            self.validatorKeyID = validatorKeyID
            self.levels = levels
            self.validatorLevels = validatorLevels
            self.isUserShared = isUserShared
            self.isFirsthand = isFirsthand
            self.latency = latency
        }
    }

    /// Makes it of its parts.
    public init(_ account: Account, grant: SecretBytes?, vouching: (any Vouching)? = nil) {
        self.account = account
        self.grant = grant
        self.vouching = vouching
    }
}

/// A session with a validator that has given its word, and looks on for as long as it lasts.
public protocol Vouching: Sendable {
    /// Asks once more, after taking what the validator said unasked.
    ///
    /// - Returns: false where the session's time is over and nothing was said against this program.
    /// - Throws: ``VigilRefusal/noVerdict(reason:)`` where it took its word back or the session was lost.
    func goesOn() throws(VigilRefusal) -> Bool

    /// - Parameters:
    ///   - lost: called, on any thread, when that is found out without having been asked for.
    ///   - over: the same where the session's time is over and nothing was said against this program: nobody looks on
    ///     then.
    func onEnd(lost: @escaping @Sendable () -> Void, over: @escaping @Sendable () -> Void)

    func end()
}

/// Asks the validator that is pinned for this program.
public protocol VerdictSource: Sendable {
    /// Asks anew; nothing is kept from one call to the next.
    ///
    /// - Returns: nil where no validator is pinned.
    /// - Throws: ``VigilRefusal/noVerdict(reason:)`` for every answer but yes, for none, and where it is not known
    ///   whether one is pinned.
    func verdict() throws(VigilRefusal) -> Verdict?
}

/// Why a vault is not opened, or not bound: what happened and what to do.
///
/// Source: `vigil` sections 1.3 and 8.
public enum VigilRefusal: Error, Equatable, Sendable {
    /// The validator says no, or nothing.
    case noVerdict(reason: String)
    /// The vault needs a validator, and this program knows none.
    case noValidator(bound: String)
    /// The vault needs a validator, and another one vouches.
    case otherValidator(bound: String, answering: String)
    /// What the vault says under its own key is not what its folder says.
    case bindingDiffers(Difference)
    /// No validator is pinned for this program, so that there is nothing to bind to.
    case notProvisioned
    /// The validator vouches and has no secret to give.
    case noGrant
    /// The vault has no PIN that a grant could be joined to.
    case needsPIN
    /// The vault is bound to a validator.
    case alreadyBound
    /// The vault is bound to no validator.
    case notBound
    /// The vault would lose its PIN, and with it the binding.
    case unbindFirst
    /// A wrong PIN, or one that opens only together with a grant.
    case wrongPIN(attemptsLeft: Int?, Suspicion)
    /// The record of the binding does not decode.
    case recordDamaged(path: String)

    /// What else than the PIN may be wrong.
    public enum Suspicion: Equatable, Sendable {
        /// The vault's folder does not say that it is bound.
        case recordMissing
        /// Another validator answers than the vault is bound to.
        case otherValidator(bound: String, answering: String)
    }

    /// What differs from what was written.
    public enum Difference: Equatable, Sendable {
        /// The vault is bound, and the record is missing.
        case recordMissing
        /// The vault is not bound, and there is a record.
        case recordInvented
        /// The mark under the key is missing, or of another time than the key file.
        case mark
    }

    /// The name by which programs tell the cases apart.
    public var code: String {
        switch self {
        case .otherValidator: "OtherValidator"
        case .bindingDiffers: "BindingDiffers"
        case .noVerdict: "NoVerdict"
        case .noValidator: "NoValidator"
        case .notProvisioned: "NotProvisioned"
        case .noGrant: "NoGrant"
        case .needsPIN: "BindingNeedsPIN"
        case .alreadyBound: "AlreadyBound"
        case .notBound: "NotBound"
        case .unbindFirst: "UnbindFirst"
        case .wrongPIN: "WrongCredential"
        case .recordDamaged: "BindingDamaged"
        }
    }
}

extension VigilRefusal: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .noVerdict(let reason):
            "The validator does not vouch for this program: \(reason). Nothing was opened. Without the "
                + "validator only the recovery code opens the vault."
        case .noValidator(let bound):
            "This vault opens only with the word of the validator \(bound.prefix(16)), and this program knows none. Use "
                + "the installed program; the recovery code opens the vault without."
        case .otherValidator(let bound, let answering):
            "This vault opens only with the word of the validator \(bound.prefix(16)), and \(answering.prefix(16)) answered. Where that "
                + "is right, unbind the vault with the recovery code, then bind it again."
        case .bindingDiffers(.recordMissing):
            "This vault is bound to a validator, and the record of it in its folder, key/vigil.json, is gone: somebody changed the folder. "
                + "Nothing was changed. Put the record back, or give the binding up with the recovery code."
        case .bindingDiffers(.recordInvented):
            "The record in the vault's folder, key/vigil.json, says that it is bound to a validator, and the vault itself says that it is "
                + "not: somebody changed the folder. Nothing was changed. Remove the file, or unbind the vault with the recovery code."
        case .bindingDiffers(.mark):
            "What this vault says of validators under its own key is missing, or older than its key file: somebody changed the folder. "
                + "Nothing was changed. Restore the folder from a backup, or unbind the vault with the recovery code."
        case .notProvisioned: "No validator is pinned for this program."
        case .noGrant:
            "The validator vouches for this program and gives it no secret of 32 bytes or more, which binding takes. Name one as grantFile "
                + "in the validator's configuration."
        case .needsPIN:
            "Binding joins the validator's secret to a PIN, and this vault has none. Set one first."
        case .alreadyBound: "The vault is bound already."
        case .notBound: "The vault is not bound to a validator."
        case .unbindFirst:
            "This would leave the vault without the PIN that binds it. Unbind it first."
        case .wrongPIN(let left, .recordMissing):
            "\(Self.wrong(left)) If the vault was bound to the validator, its record is missing; put it back."
        case .wrongPIN(let left, .otherValidator(let bound, let answering)):
            "\(Self.wrong(left)) Or the secret is another one: the vault is bound to the validator \(bound.prefix(16)), and "
                + "\(answering.prefix(16)) answered."
        case .recordDamaged(let path):
            "\(path) cannot be read. If the vault is bound, remove the file and put the record back."
        }
    }

    private static func wrong(_ attemptsLeft: Int?) -> String {
        switch attemptsLeft {
        case nil: "Wrong PIN."
        case 1: "Wrong PIN; one attempt is left."
        case let left?: "Wrong PIN; \(left) attempts are left."
        }
    }
}
