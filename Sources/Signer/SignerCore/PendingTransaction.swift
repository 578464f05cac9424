import Airgap
import SecretMemory
import Signer
import Substrate

/// What was scanned, until it is signed, taken in or dropped.
struct PendingTransaction: Sendable {
    /// The kinds of `signer-product` section 7.1.
    enum Kind: String, Sendable {
        case read = "Read"
        case sign = "Sign"
        case addSpecs = "AddSpecs"
        case loadMetadata = "LoadMeta"
        case loadTypes = "LoadTypes"
        case derivations = "Derivations"
        case dynamic = "Dynamic"
        case keySets = "KeySets"
    }

    /// What the vault said of it; nil where it was refused as a whole.
    var proposal: Proposal?
    /// Why it was refused as a whole.
    var refusal: CoreFailure?
    /// The content of an update that was refused, where it can be signed for others. It is nowhere stored.
    var refusedContent: UpdatePayload.Content?
    var comment = ""
    /// Passwords that fit their keys.
    var passwords: [MultiSigner: SecretBytes] = [:]
    /// Wrong passwords so far.
    var attempts = 0
    /// Texts that confirmed a danger.
    var confirmations: [String] = []
    /// What is shown behind a yes.
    var answer: CodeData?

    var kind: Kind {
        switch proposal?.answer.action {
        case .sign?, .signBulk?: .sign
        case .importDerivations?: .keySets
        case .importPaths?: .derivations
        case .shareDerivations?: .dynamic
        case .update(let preview)?:
            switch preview.content {
            case .network: .addSpecs
            case .metadata: .loadMetadata
            case .types: .loadTypes
            }
        case .read?, nil: .read
        }
    }

    /// The first item whose key has a password that is not known yet.
    var nextWithPassword: (index: Int, request: SignRequest)? {
        guard let requests = proposal?.answer.requests else { return nil }
        return requests.enumerated().first { $0.element.needsPassword && passwords[$0.element.key.signer] == nil }
            .map { (index: $0.offset, request: $0.element) }
    }
}

/// A signature of content for other vaults, under way.
struct ContentSigning: Sendable {
    var key: MultiSigner
    /// What was typed for its dangers.
    var confirmations: [String] = []
    /// Wrong passwords so far.
    var attempts = 0
    /// What is shown behind a yes.
    var answer: CodeData?
}
