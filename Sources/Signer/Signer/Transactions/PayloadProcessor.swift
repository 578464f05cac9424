import Airgap
import Substrate

/// Turns a payload into an answer, with what the database holds. Writes nothing.
///
/// Source: `signer-wire` sections 1, 5.1, 6.6; `signer-product` section 7.1. Where the two differ about keys of other
/// networks, the stricter holds: a key signs only in networks that it is enabled in.
struct PayloadProcessor {
    let trees: TreesSnapshot
    let cache: MetadataCache
    /// nil while the vault is locked.
    let phrases: OpenPhrases?
    let expander: MetadataExpander?
    let ownAccounts: OwnAccountsByNetwork
    let ownKeys: OwnKeys

    init(trees: TreesSnapshot, cache: MetadataCache, phrases: OpenPhrases?, expander: MetadataExpander? = nil) {
        self.trees = trees
        self.cache = cache
        self.phrases = phrases
        self.expander = expander
        ownAccounts = OwnAccountsByNetwork(trees.keys(), trees.contacts())
        ownKeys = OwnKeys(trees.keys(), trees.contacts())
    }

    func process(_ bytes: [UInt8]) throws -> Answer {
        let payload: Payload
        do throws(PayloadError) { payload = try Payload(bytes) } catch { throw RefusedPayload.payload(error) }
        switch payload {
        case .transaction(let transaction): return try process(transaction)
        case .message(let message): return try process(message, payload: bytes)
        case .bulk(let bulk): return try process(bulk)
        case .derivations(let export): return try process(export)
        case .paths(let record): return try process(record)
        case .dynamicDerivations(let request): return try process(request)
        case .update(let update): return try process(update)
        }
    }

    /// All or nothing: the outcome of the first member that cannot be signed is the outcome of the whole.
    private func process(_ bulk: BulkPayload) throws -> Answer {
        var items: [Answer] = []
        var requests: [SignRequest] = []
        for (position, member) in bulk.members.enumerated() {
            var answer: Answer
            do { answer = try process(member) } catch let refused as RefusedPayload {
                throw RefusedPayload.bulkMember(position: position, refused)
            }
            guard case .sign(let request) = answer.action else {
                answer.refusedMember = position
                return answer
            }
            items.append(answer)
            requests.append(request)
        }
        return Answer(
            action: .signBulk(requests), cards: CardSections(), risks: Risk.ofTips(in: items), items: items)
    }

    private func process(_ transaction: TransactionPayload) throws -> Answer {
        let author = try author(of: transaction)
        return if let proof = transaction.proof {
            try process(transaction, by: author, proof: proof)
        } else {
            try process(transaction, by: author)
        }
    }

    func warning(_ warning: CardWarning) -> Card {
        Card(indent: 0, kind: .warning(warning))
    }
}
