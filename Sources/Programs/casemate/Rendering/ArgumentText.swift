import Signer
import Substrate
import TextForms

/// The arguments of a call in a line each.
enum ArgumentText {
    /// Values of one argument in a line at the most; the cards below hold all of them.
    private static let valueLimit = 16

    static func rows(
        _ leaf: CallLeaf, _ cards: [Card], _ effects: TransactionEffects, _ network: NetworkSpecs
    ) -> [(name: String, value: String)] {
        CallArguments(of: leaf, in: cards, effects: effects, network: network).all.map { argument in
            let values = argument.value.map { line in line.map { text($0, network) }.joined() }
            let shown = values.prefix(valueLimit).joined(separator: ", ")
            let more = values.count > valueLimit ? ", and \(values.count - valueLimit) more below" : ""
            return (argument.name, shown + more)
        }
    }

    private static func text(_ piece: ValuePiece, _ network: NetworkSpecs) -> String {
        switch piece {
        case .words(let words): words
        case .account(let address): address.text
        case .amount(let amount): amount.text(on: network)
        case .number(let number): number
        case .text(let text): "\"\(text)\""
        case .bytes(let bytes): "0x" + Hex.encode(bytes)
        }
    }
}
