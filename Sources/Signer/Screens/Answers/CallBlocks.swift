import Signer
import Substrate
import TextForms

/// One call: its number, its name, for whom it acts, and its arguments, of which none is left out.
struct CallBlocks {
    let leaf: CallLeaf
    let number: Int
    let count: Int
    let place: String
    let answer: Answer

    /// Text that is long or has line breaks stands on lines of its own, below the rows before it.
    var blocks: [Block] {
        var blocks: [Block] = []
        var rows: [Row] = []
        var title: Text? = self.title
        func flush() {
            guard title != nil || !rows.isEmpty else { return }
            blocks.append(.group(title: title, rows))
            (title, rows) = (nil, [])
        }
        let said = SaidText(answer: answer)
        if let origin = AnswerWording.origin(leaf.origin) {
            rows.append(said.row("\(id)-for", "Acts for", says: origin))
        }
        for argument in AnswerWording(answer).arguments(of: leaf) {
            let name = Text(name: argument.name, as: .identifier)
            for (index, line) in argument.value.enumerated() {
                let id = "\(id)-\(argument.name)" + (argument.value.count > 1 ? "-\(index + 1)" : "")
                let parts = line.map { SaidPart($0) }
                guard let long = line.compactMap(\.longText).first else {
                    rows.append(said.row(id, name, says: parts))
                    continue
                }
                let around = said.text(parts.filter { $0 != .text(long) })
                rows.append(
                    Row(
                        id: id, title: name,
                        value: around + (around.isEmpty ? "" : " ") + "text of \(long.utf8.count) bytes:"))
                flush()
                blocks.append(.foreign(ForeignBlock(long, limits: .argument)))
            }
        }
        flush()
        return blocks
    }

    private var id: String { "\(place)call-\(number)" }

    private var title: Text {
        (count == 1 ? "Call \(number): " : "Call \(number) of \(count): ")
            + Text(own: AnswerWording.name(of: leaf), .strong)
    }
}

extension ValuePiece {
    /// Bytes of text that stands in a row with others.
    private static let inlineLimit = 48

    /// Text that takes lines of its own.
    fileprivate var longText: String? {
        guard case .text(let text) = self, text.utf8.count > Self.inlineLimit || !ForeignText(text).isInline else {
            return nil
        }
        return text
    }
}
