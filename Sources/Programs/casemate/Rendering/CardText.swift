import Console
import Signer
import Substrate
import TextForms

/// A card as a line for people, with text and names from outside marked as such.
struct CardText {
    let answer: Answer

    private var pieces: PieceText { PieceText(answer: answer) }

    /// - Parameter assets: what the amounts among the cards of calls are of.
    func paragraphs(_ cards: [Card], assets: CardAssets) -> [Paragraph] {
        cards.enumerated().flatMap { index, card -> [Paragraph] in
            if case .derivations(let groups) = card.kind { return DerivationsText.paragraphs(groups) }
            return [Paragraph(indent: 2 + 2 * card.indent, line(card.kind, asset: assets.asset(ofCard: index)))]
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
            let mark = answer.ownKeys.name(of: address) == nil ? [] : pieces.mark(address)
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
        case .authorNotFound: "The author's key is not in this vault."
        case .noNetworkID: "The author's key is in this vault, but not enabled in this network."
        case .newerVersion(let used, let latest):
            "Read with metadata of version \(used); version \(latest) is held too. Reload the wallet if this surprises you."
        case .proofInfoMismatch(let field, let proof, let stored):
            "The metadata proof says \(field) \(ForeignName.shown(proof, as: .title)), this vault knows "
                + "\(ForeignName.shown(stored, as: .title)). What is shown follows the proof; if it lies, the chain will refuse "
                + "the signature."
        default: warning.code
        }
    }
}

/// What the amounts on the cards of a call are of: metadata give every balance the network's unit.
struct CardAssets {
    private let leaves: [(cards: Range<Int>, asset: Asset)]

    init(_ answer: Answer) {
        leaves = answer.effects?.leaves.map { ($0.cards, $0.assetOfCards) }.filter { $1 != .native } ?? []
    }

    /// For cards of other sections than the method's.
    static let native = CardAssets(leaves: [])

    private init(leaves: [(cards: Range<Int>, asset: Asset)]) {
        self.leaves = leaves
    }

    func asset(ofCard index: Int) -> Asset {
        leaves.first { $0.cards.contains(index) }?.asset ?? .native
    }
}
