import Airgap
import Substrate

/// What the vault says to a payload (`signer-wire` section 1.11).
public struct Answer: Sendable {
    /// What can be done with a payload.
    public enum Action: Sendable {
        /// The payload may be signed after a yes.
        case sign(SignRequest)
        /// The payload may be signed after one yes to all of ``Answer/items``.
        case signBulk([SignRequest])
        /// Derived keys that may be imported.
        case importDerivations
        /// Paths of keys that may be made below a seed.
        case importPaths(PathImportPreview)
        /// Addresses that may be handed to a hot wallet.
        case shareDerivations(DynamicDerivationsPreview)
        /// Something new that the vault may take in.
        case update(UpdatePreview)
        /// The payload may be looked at; a warning or error card says why it is not signed.
        case read
    }

    /// What can be done with it.
    public var action: Action
    /// What a person reads.
    public var cards: CardSections
    /// The network that the payload names; nil for a message for any chain.
    public var network: NetworkSpecs?
    /// Whether the network is described by the payload's own proof alone: its name says nothing, its genesis does.
    package var isNetworkMadeUp = false
    /// Whether another network of the vault could be taken for it: titles say little then.
    package var isNetworkLookalike = false
    /// By which metadata a transaction was read; nil for everything else.
    package var metadata: MetadataVouching?
    /// The call of a transaction, as it stands in the payload.
    public var call: [UInt8]?
    /// BLAKE2b-256 of each call that goes to a multisig: what its other members compare.
    public var multisigCallHashes: [Hash256] = []
    /// The cards of the call with the calls in it that stand as bytes: what positions in ``effects`` count in.
    package var callCards: [Card] = []
    /// What the call does; nil where it could not be read.
    public var effects: TransactionEffects?
    /// What goes to whoever makes the block, beside what the call sends.
    package var tip: UInt128 = 0
    /// The vault's keys among the accounts that the call names.
    package var ownKeys = OwnKeys()
    /// The most severe first.
    public var risks: [Risk] = []
    /// The answers to several transactions at once, each with its own cards.
    public var items: [Answer] = []
    /// Why a transaction is only read.
    package var fault: ReadingFault?
    /// The member, from 0, that keeps a bulk from being signed.
    package var refusedMember: Int?

    /// BLAKE2b-256 of the call: what a multisig partner or a block explorer compares.
    public var callHash: Hash256? { call.map { CallHash.of($0) } }

    /// What signing takes, in order; empty where nothing may be signed.
    public var requests: [SignRequest] {
        switch action {
        case .sign(let request): [request]
        case .signBulk(let requests): requests
        case .importDerivations, .importPaths, .shareDerivations, .update, .read: []
        }
    }

    /// Whether nothing follows from it but looking.
    public var isReadOnly: Bool { if case .read = action { true } else { false } }

    /// What the person types before this is signed: each danger by itself.
    public var confirmations: [Confirmation] {
        var asked: [Confirmation] = []
        for (position, answer) in ([self] + items).enumerated() {
            for var confirmation in answer.risks.flatMap(\.confirmations) {
                if position > 0 { confirmation.member = position }
                asked.ask(confirmation)
            }
        }
        return asked
    }
}

/// Everything that signing needs, beside secrets.
public struct SignRequest: Sendable {
    /// What is signed.
    public enum Content: Sendable {
        /// Call and extensions, without length and genesis: what is signed.
        case transaction(signable: [UInt8], logged: [UInt8])
        /// A message with its tags.
        case message([UInt8])
    }

    /// What is signed.
    public var content: Content
    /// The key that signs.
    public var key: StoredKey
    /// The key that signs, as a screen shows it.
    public var author: AuthorInfo
    /// How it signs, as the payload asks for: one secp256k1 key can sign for two schemes.
    package var scheme: SignatureScheme
    /// The network that it is for; nil for a message for any.
    public var network: NetworkSpecs?
    /// The whole payload, which the pending item is bound to.
    public var payload: [UInt8]

    /// Whether the key's password is needed.
    public var needsPassword: Bool { key.details.hasPassword }
    package var isMessage: Bool { if case .message = content { true } else { false } }
}

/// Cards grouped as screens show them, in the order of `signer-wire` section 6.6.
public struct CardSections: Sendable {
    /// Who signs.
    public var author: [Card] = []
    /// Who signed an update.
    public var verifier: [Card] = []
    /// Why it cannot be read to its end.
    public var error: [Card] = []
    /// What a person should know before going on.
    public var warning: [Card] = []
    /// A message that is not a transaction, as text or bytes.
    public var message: [Card] = []
    /// The call with its arguments, indented by what lies in what.
    public var method: [Card] = []
    /// What belongs to the transaction beside the call.
    public var extensions: [Card] = []
    /// The metadata of an update.
    public var meta: [Card] = []
    /// The types of an update.
    public var typesInfo: [Card] = []
    /// The network that an update adds or changes.
    public var networkInfo: [Card] = []
    /// Keys to import.
    public var derivations: [Card] = []

    /// Sections that are not empty with their names, in the order in which their cards were made.
    package var ordered: [(name: String, cards: [Card])] {
        [
            ("author", author), ("verifier", verifier), ("error", error), ("warning", warning), ("message", message),
            ("method", method), ("extensions", extensions), ("meta", meta), ("types_info", typesInfo),
            ("new_specs", networkInfo), ("importing_derivations", derivations),
        ].filter { !$0.1.isEmpty }
    }
}
