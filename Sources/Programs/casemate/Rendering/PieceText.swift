import Console
import Signer
import Substrate
import TextForms

/// Parts of values on the screen: accounts with whose they are, amounts with what they are of, text and bytes from
/// outside marked as such.
struct PieceText {
    let answer: Answer

    /// Bytes that are shown before the rest is told by size and hash.
    private static let byteLimit = 128
    /// Bytes of text in a list of calls that is read at a glance.
    private static let shortTextLimit = 24

    func pieces(_ line: [ValuePiece]) -> [Paragraph.Piece] {
        line.flatMap(pieces)
    }

    /// The same without text and bytes that would take the eye off what counts.
    func short(_ line: [ValuePiece]) -> [Paragraph.Piece] {
        line.flatMap { piece -> [Paragraph.Piece] in
            switch piece {
            case .text(let text) where text.utf8.count > Self.shortTextLimit || !ForeignText(text).isInline:
                [.words("text of \(text.utf8.count) bytes")]
            case .bytes(let bytes) where bytes.count > 32: [.words("\(bytes.count) bytes")]
            default: pieces(piece)
            }
        }
    }

    private func pieces(_ piece: ValuePiece) -> [Paragraph.Piece] {
        switch piece {
        case .words(let words): [.words(ForeignName.shown(words, as: .sentence))]
        case .account(let address): [.whole(address.text)] + mark(address)
        case .amount(let amount): self.amount(amount)
        case .number(let text): [.words(text)]
        case .text(let text): [Self.text(text)]
        case .bytes(let bytes): Self.bytes(bytes)
        }
    }

    /// The mark behind an account, which says whether it is the vault's own, or a contact.
    func mark(_ address: AccountAddress) -> [Paragraph.Piece] {
        if let name = answer.ownKeys.contactName(of: address) {
            return [.words("  "), .whole("(contact: \(ForeignName.shown(name, as: .title)))", .good)]
        }
        guard let name = answer.ownKeys.name(of: address) else { return [.words("  "), .whole("(unknown)", .dim)] }
        return [.words("  "), .whole("(yours: \(ForeignName.shown(name, as: .title)))", .good)]
    }

    func amount(_ amount: AssetAmount) -> [Paragraph.Piece] {
        guard let network = answer.network else { return [.whole("\(amount.value)")] }
        let text = amount.text(on: network)
        guard amount.asset == .native else { return [.words(ForeignName.shown(text, as: .sentence))] }
        if ForeignName.isPlainSymbol(network.unit) { return [.whole(text)] }
        let shown = Amount(amount.value, decimals: network.decimals, unit: network.unit)
        return [.whole(shown.number), .words(" " + ForeignName.shown(shown.units))]
    }

    static func text(_ text: String, limits: ForeignText.Limits = .usual) -> Paragraph.Piece {
        .foreign(ForeignText(text), limits: limits) { whole("all of it: ", Array(text.utf8)) }
    }

    /// A name or a sentence that was chosen outside, in quotes where it is not plain.
    static func title(_ text: String) -> Paragraph.Piece {
        text.isEmpty || ForeignName.shown(text, as: .title) == text ? .words(text) : self.text(text)
    }

    static func bytes(_ bytes: [UInt8]) -> [Paragraph.Piece] {
        guard bytes.count > byteLimit else { return [.whole("0x" + Hex.encode(bytes))] }
        return [.whole("0x" + Hex.encode(bytes.prefix(byteLimit)) + "…"), .words(" ")] + whole("all of it: ", bytes)
    }

    /// What stands for bytes that are not all shown.
    private static func whole(_ lead: String, _ bytes: [UInt8]) -> [Paragraph.Piece] {
        [.words("\(lead)\(bytes.count) bytes, BLAKE2b-256 ", .dim), .whole("0x" + Blake2b.hash256(bytes).hex, .dim)]
    }
}
