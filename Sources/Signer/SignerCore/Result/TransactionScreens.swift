import Signer
import Substrate
import TextForms

/// What was scanned.
package struct TransactionData: Sendable {
    /// What can be done with it: `Read`, `Sign`, `AddSpecs`, `LoadMeta`, `LoadTypes`, `Derivations`, `Dynamic`,
    /// `KeySets`.
    package var kind: String
    /// Binds it to the state of the vault that it was read with, in hex.
    package var itemID: String?
    /// All that the vault says of it; nil where it was refused as a whole.
    package var answer: Answer?
    /// Why it was refused as a whole.
    package var refusal: CoreFailure?
    /// Why a transaction that was taken apart is shown and not signed.
    package var fault: CoreFailure?
    /// Whether it was refused and can be signed for other vaults all the same.
    package var canBePublished: Bool
    /// The comment that is kept in the log.
    package var comment: String

    init(_ transaction: PendingTransaction) {
        kind = transaction.kind.rawValue
        itemID = transaction.proposal?.itemID.map { Hex.encode($0) }
        answer = transaction.proposal?.answer
        refusal = transaction.refusal
        canBePublished = transaction.refusedContent != nil
        fault = transaction.proposal?.answer.fault.map { CoreFailure($0) }
        comment = transaction.comment
    }
}

extension TransactionData: Encodable {
    private enum Key: String, CodingKey {
        case kind, itemID, refusal, fault, canBePublished, comment, network, callHash, authors, risks, cards
    }

    private struct CardText: Encodable {
        var section: String
        var indent: Int
        var text: String
    }

    private struct Danger: Encodable {
        var code: String
        var severity: String
        var message: String
        var confirm: [String]
    }

    private struct Author: Encodable {
        var address: String
        var seed: String
        var path: String
        var hasPassword: Bool
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(itemID, forKey: .itemID)
        try container.encodeIfPresent(refusal, forKey: .refusal)
        try container.encodeIfPresent(fault, forKey: .fault)
        if canBePublished { try container.encode(true, forKey: .canBePublished) }
        if !comment.isEmpty { try container.encode(comment, forKey: .comment) }
        guard let answer else { return }
        try container.encodeIfPresent(answer.network.map { NetworkCard($0) }, forKey: .network)
        try container.encodeIfPresent(answer.callHash?.hex, forKey: .callHash)
        try container.encode(
            answer.requests.map {
                Author(
                    address: $0.author.base58, seed: $0.author.seedName, path: $0.author.path,
                    hasPassword: $0.author.hasPassword)
            }, forKey: .authors)
        let all = [answer] + answer.items
        try container.encode(
            all.flatMap(\.risks).map {
                Danger(
                    code: $0.rule.rawValue, severity: $0.severity.rawValue, message: $0.message,
                    confirm: $0.confirmations.map(\.text))
            }, forKey: .risks)
        try container.encode(
            all.flatMap(\.cards.ordered).flatMap { name, cards in
                cards.map { CardText(section: name, indent: $0.indent, text: $0.kind.line) }
            }, forKey: .cards)
    }
}

/// Whose password is asked for.
package struct EnterPasswordData: Sendable, Encodable {
    /// The address of the key.
    package var address: String
    /// The seed's name.
    package var seed: String
    /// The path without its password.
    package var path: String
    /// Which attempt it is, from 1.
    package var attempt: Int
    /// How many attempts there are.
    package var attempts: Int
}

/// A danger that is confirmed by its own text.
package struct ConfirmRiskData: Sendable, Encodable {
    /// What a person types, in words; what exactly is on the screen below.
    package var question: String
    /// The rule that found the danger.
    package var code: String
    /// What was found.
    package var message: String
    /// How many dangers are still to be confirmed.
    package var left: Int

    /// - Parameter signer: what the screen below shows of the key that signs.
    init?(_ open: [Confirmation], signedBy signer: String = "address that signs") {
        guard let first = open.first else { return nil }
        code = first.rule.rawValue
        message = first.message
        left = open.count
        let (place, member) = (first.place, first.memberInWords)
        question =
            switch first.kind {
            case .account: "Type the last \(first.text.count) characters of the address that \(place) is about."
            case .difference(let position):
                "Type the \(first.text.count) characters of the destination of \(place), from place \(position) on."
            case .signer: "Type the last \(first.text.count) characters of the \(signer)\(member)."
            case .amount: "Type the amount\(member)\(first.networkInWords) in digits, as it is shown."
            case .method: "Type the name of the method of \(place)."
            }
    }
}
