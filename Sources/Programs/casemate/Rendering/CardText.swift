import Console
import Signer
import Substrate
import TextForms

/// Cards on a terminal, each a line.
struct CardText {
    let answer: Answer

    /// The cards of the call, in which other assets than the network's own have amounts too.
    var call: [Paragraph] { paragraphs(answer.callCards) { answer.effects?.asset(ofCard: $0) ?? .native } }

    /// - Parameter asset: what the amount on the card at a position is of.
    func paragraphs(_ cards: [Card], asset: (Int) -> Asset = { _ in .native }) -> [Paragraph] {
        cards.enumerated().flatMap { index, card -> [Paragraph] in
            if case .derivations(let groups) = card.kind { return DerivationsText.paragraphs(groups) }
            let line = AnswerWording.line(card.kind, asset: asset(index))
            return [Paragraph(indent: 2 + 2 * card.indent, PieceText(answer: answer).pieces(line))]
        }
    }
}
