import Console
import Signer
import Substrate
import TextForms

/// Parts of values on a terminal: accounts with whose they are, amounts with what they are of, text and bytes from
/// outside marked as such.
struct PieceText {
    let answer: Answer
    /// Characters and lines of a text that are shown before the rest is told by size and hash.
    var limits = ForeignText.Limits.usual
    /// Bytes that are shown before the rest is told by size and hash.
    var byteLimit = Self.usualByteLimit

    private static let usualByteLimit = 128
    /// Bytes of text in a list of calls that is read at a glance.
    private static let shortTextLimit = 24

    func pieces(_ line: [ValuePiece]) -> [Paragraph.Piece] { line.flatMap { pieces(SaidPart($0)) } }

    func pieces(_ line: [SaidPart]) -> [Paragraph.Piece] { line.flatMap(pieces) }

    /// The same without text and bytes that would take the eye off what counts.
    func short(_ line: [ValuePiece]) -> [Paragraph.Piece] {
        line.flatMap { piece -> [Paragraph.Piece] in
            switch piece {
            case .text(let text) where text.utf8.count > Self.shortTextLimit || !ForeignText(text).isInline:
                [.words("text of \(text.utf8.count) bytes")]
            case .indentation: []
            case .bytes(let bytes) where bytes.count > 32: [.words("\(bytes.count) bytes")]
            default: pieces(SaidPart(piece))
            }
        }
    }

    private func pieces(_ part: SaidPart) -> [Paragraph.Piece] {
        switch part {
        case .words(let words, let stress): [.words(words, stress?.emphasis)]
        case .whole(let text, let stress): [.whole(text, stress?.emphasis)]
        case .account(let address, let stress): [.whole(address.text, stress?.emphasis)] + mark(address)
        case .address(let address):
            [.whole(address.text)] + (AccountMark(of: address, in: answer.ownKeys).isKnown ? mark(address) : [])
        case .amount(let amount): pieces(AnswerWording(answer).amount(amount))
        case .text(let text): [Self.text(text, limits: limits)]
        case .bytes(let bytes): Self.bytes(bytes, limit: byteLimit)
        case .bits(let bits): Self.plain(SaidPart.line(ofBits: bits))
        }
    }

    /// The mark behind an account, which says whether it is the vault's own, or a contact.
    private func mark(_ address: AccountAddress) -> [Paragraph.Piece] {
        let mark = AccountMark(of: address, in: answer.ownKeys)
        return [.words("  "), .whole("(\(mark.words))", mark.isKnown ? .good : .dim)]
    }

    static func text(_ text: String, limits: ForeignText.Limits = .usual) -> Paragraph.Piece {
        .foreign(ForeignText(text), limits: limits) { plain(SaidPart.whole(of: Array(text.utf8))) }
    }

    /// A name or a sentence that was chosen outside, in quotes where it is not plain.
    static func title(_ text: String) -> Paragraph.Piece {
        text.isEmpty || ForeignName.shown(text, as: .title) == text ? .words(text) : self.text(text)
    }

    static func bytes(_ bytes: [UInt8], limit: Int = usualByteLimit) -> [Paragraph.Piece] {
        guard bytes.count > limit else { return [.whole("0x" + Hex.encode(bytes))] }
        return [.whole("0x" + Hex.encode(bytes.prefix(limit)) + "…"), .words(" ")]
            + plain(SaidPart.whole(of: bytes))
    }

    /// Parts that no answer is needed for.
    static func plain(_ line: [SaidPart]) -> [Paragraph.Piece] {
        line.compactMap { part in
            switch part {
            case .words(let words, let stress): .words(words, stress?.emphasis)
            case .whole(let text, let stress): .whole(text, stress?.emphasis)
            case .text(let text): Self.text(text)
            case .account, .address, .amount, .bytes, .bits: nil
            }
        }
    }
}

extension SaidPart.Stress {
    fileprivate var emphasis: Style.Emphasis {
        switch self {
        case .bold: .bold
        case .dim: .dim
        case .good: .good
        case .warning: .warning
        case .danger: .danger
        }
    }
}
