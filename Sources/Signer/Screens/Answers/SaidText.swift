import Identicons
import Signer
import Substrate
import TextForms

/// What is said of an answer as it stands on a page.
struct SaidText {
    let answer: Answer

    /// Bytes that are shown before the rest is told by size and hash.
    static let byteLimit = 128

    func text(_ line: [SaidPart]) -> Text { line.reduce(into: Text()) { $0 += text($1, marks: true) } }

    private func text(_ part: SaidPart, marks: Bool) -> Text {
        switch part {
        case .account(let address, _):
            return Text(address: address.text) + (marks ? " (\(own: mark(address).words))" : "")
        case .address(let address):
            let mark = mark(address)
            return Text(address: address.text) + (mark.isKnown ? " (\(own: mark.words))" : "")
        case .amount(let amount): return self.amount(amount)
        default: return Self.plain([part])
        }
    }

    func amount(_ amount: AssetAmount) -> Text { Self.plain(AnswerWording(answer).amount(amount)) }

    func mark(_ address: AccountAddress) -> AccountMark { AccountMark(of: address, in: answer.ownKeys) }

    /// Parts that no answer is needed for.
    static func plain(_ line: [SaidPart]) -> Text {
        line.reduce(into: Text()) { text, part in
            switch part {
            case .words(let words, let stress): text += Text(own: words, stress?.style ?? .plain)
            case .whole(let words, _): text += Text(own: words, .monospaced)
            case .text(let foreign): text += Text(quoting: foreign)
            case .bytes(let bytes): text += hex(bytes)
            case .bits(let bits): text += plain(SaidPart.line(ofBits: bits))
            case .account(let address, _), .address(let address): text += Text(address: address.text)
            case .amount(let amount): text += "\(amount.value)"
            }
        }
    }

    static func hex(_ bytes: [UInt8], limit: Int = byteLimit) -> Text {
        guard bytes.count > limit else { return Text(hex: Hex.encode(bytes)) }
        return Text(hex: Hex.encode(bytes.prefix(limit)) + "…") + " " + plain(SaidPart.whole(of: bytes))
    }

    // MARK: Rows

    /// A row of a line that is about one account: its picture, the whole address, and beside it whose it is.
    func row(_ id: String, _ title: Text, says line: [SaidPart]) -> Row {
        let accounts = line.compactMap(\.account)
        guard accounts.count == 1, let account = accounts.first else {
            return Row(id: id, title: title, value: text(line))
        }
        let mark = mark(account)
        return Row(
            id: id, picture: .identicon(Identicon(account.identicon)), title: title,
            value: line.reduce(into: Text()) { $0 += text($1, marks: false) },
            detail: Text(own: mark.words))
    }
}

extension SaidPart {
    var account: AccountAddress? { if case .account(let address, _) = self { address } else { nil } }
}

extension SaidPart.Stress {
    fileprivate var style: Text.Style {
        switch self {
        case .bold, .warning, .danger: .strong
        case .dim: .dim
        case .good: .plain
        }
    }
}
