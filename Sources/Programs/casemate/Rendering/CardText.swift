import Console
import Signer
import Substrate
import TextForms

/// A card as a line for people, with text and names from outside marked as such.
struct CardText {
    let answer: Answer

    private var pieces: PieceText { PieceText(answer: answer) }

    /// The cards of the call, in which other assets than the network's own have amounts too.
    var call: [Paragraph] { paragraphs(answer.callCards) { answer.effects?.asset(ofCard: $0) ?? .native } }

    /// - Parameter asset: what the amount on the card at a position is of.
    func paragraphs(_ cards: [Card], asset: (Int) -> Asset = { _ in .native }) -> [Paragraph] {
        cards.enumerated().flatMap { index, card -> [Paragraph] in
            if case .derivations(let groups) = card.kind { return DerivationsText.paragraphs(groups) }
            return [Paragraph(indent: 2 + 2 * card.indent, line(card.kind, asset: asset(index)))]
        }
    }

    private func line(_ kind: CardKind, asset: Asset) -> [Paragraph.Piece] {
        switch kind {
        case .warning(let warning): return [.words(Self.explain(warning), .warning)]
        case .error(let error): return [.words("\(error.message) [\(error.code)]", .danger)]
        case .pallet(let name), .method(let name, _):
            return [.words("\(kind.name): \(ForeignName.shown(name))", .bold)]
        case .varname(let name), .enumVariantName(let name, _), .identityField(let name):
            return [.words("\(kind.name): \(ForeignName.shown(name))")]
        case .fieldName(let field): return [.words("\(kind.name): \(ForeignName.shown(field.name))")]
        case .text(let text), .bytes(_, let text?): return [.words("\(kind.name): "), PieceText.text(text)]
        case .bytes(let bytes, nil): return [.words("bytes: ")] + PieceText.bytes(bytes)
        case .id(let address):
            let isKnown =
                answer.ownKeys.name(of: address) != nil || answer.ownKeys.contactName(of: address) != nil
            let mark = isKnown ? pieces.mark(address) : []
            return [.words("Id: "), .whole(address.text)] + mark
        case .balance(let amount), .tip(let amount):
            return [.words("\(kind.name): ")] + pieces.amount(AssetAmount(asset: asset, value: amount.value))
        case .nameVersion(let name, let version): return [.words("network: \(ForeignName.shown(name + version))")]
        case .blockHash(let hash): return [.words("block_hash: "), .whole(hash.hex)]
        case .newSpecs(let specs): return [.words("new_specs: \(ForeignName.shown(specs.title, as: .title))")]
        case .networkInfo(let title, _, _): return [.words("network_info: \(ForeignName.shown(title, as: .title))")]
        default: return [.words(kind.line)]
        }
    }

    static func explain(_ warning: CardWarning) -> String {
        switch warning {
        case .proofInfoMismatch(let field, let proof, let stored):
            "The metadata proof says \(field) \(ForeignName.shown(proof, as: .title)), this vault knows "
                + "\(ForeignName.shown(stored, as: .title)). What is shown follows the proof; if it lies, the chain will refuse "
                + "the signature."
        default: ScreenText.escape("\(warning)")
        }
    }
}
