import Signer
import Substrate
import TextForms

/// A part of a value for machines: its kind says what it is, so that text from outside passes for nothing else.
struct PieceJSON: Encodable {
    /// `indentation`, `words`, `account`, `amount`, `number`, `text` or `bytes`.
    var kind: String
    /// An amount in the smallest unit, decimal; bytes as hex.
    var value: String
    /// The seed and path of an account that is the vault's own.
    var key: String?
    /// The name of the contact that an account is.
    var contact: String?
    /// The asset of an amount.
    var asset: String?
    /// An amount with its unit.
    var text: String?

    /// The words without the blanks that keep the pieces of a line apart on a screen.
    private static func trimmed(_ words: String) -> String {
        String(words.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    init(_ piece: ValuePiece, _ answer: Answer) {
        switch piece {
        case .words(let words): (kind, value) = ("words", Self.trimmed(words))
        case .account(let address):
            (kind, value) = ("account", address.text)
            key = answer.ownKeys.name(of: address)
            contact = answer.ownKeys.contactName(of: address)
        case .amount(let amount):
            let json = AnswerJSON.CallJSON.AmountJSON(amount, answer.network)
            (kind, value, asset, text) = ("amount", json.value, json.asset, json.text)
        case .indentation(let depth): (kind, value) = ("indentation", "\(depth)")
        case .number(let number): (kind, value) = ("number", number)
        case .text(let text): (kind, value) = ("text", text)
        case .bytes(let bytes): (kind, value) = ("bytes", "0x" + Hex.encode(bytes))
        }
    }
}
