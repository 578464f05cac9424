import Console
import Signer
import Substrate
import TextForms

/// Cards on a terminal, each a line.
struct CardText {
    /// How texts and bytes on the cards are shown.
    private let pieces: PieceText
    private var answer: Answer { pieces.answer }

    init(answer: Answer) { pieces = PieceText(answer: answer) }

    /// The cards of a section that is shown in full.
    init(answer: Answer, inFull section: String) {
        pieces =
            section == "message"
            ? PieceText(answer: answer, limits: .message, byteLimit: ForeignText.Limits.messageByteCount)
            : PieceText(answer: answer, limits: .argument)
    }

    /// The cards of the call, in which other assets than the network's own have amounts too.
    var call: [Paragraph] { paragraphs(answer.callCards) { answer.effects?.asset(ofCard: $0) ?? .native } }

    /// - Parameter asset: what the amount on the card at a position is of.
    func paragraphs(_ cards: [Card], asset: (Int) -> Asset = { _ in .native }) -> [Paragraph] {
        cards.enumerated().flatMap { index, card -> [Paragraph] in
            if case .derivations(let groups) = card.kind { return DerivationsText.paragraphs(groups) }
            let line = AnswerWording.line(card.kind, asset: asset(index))
            return [Paragraph(indent: 2 + 2 * card.indent, pieces.pieces(line))]
        }
    }
}
