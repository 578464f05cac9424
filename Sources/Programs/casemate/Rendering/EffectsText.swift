import Console
import Signer
import Substrate
import TextForms

/// The calls of a transaction one by one, without the wrapping around them, with full addresses.
struct EffectsText {
    let answer: Answer

    private var pieces: PieceText { PieceText(answer: answer) }

    /// Columns that names of arguments have at the most.
    private static let nameWidth = 20
    /// Lines of one argument in a list that is read at a glance.
    private static let shortLines = 4

    /// The calls, each with its arguments in lines of their own, of which none is left out.
    var paragraphs: [Paragraph] {
        answer.effects?.leaves.enumerated().flatMap { paragraphs($1, number: $0 + 1) } ?? []
    }

    /// The calls, each with its arguments behind each other; where that leaves lines out, with what it comes to in all.
    var short: [Paragraph] {
        answer.effects?.leaves.enumerated().flatMap { short($1, number: $0 + 1) } ?? []
    }

    private func paragraphs(_ leaf: CallLeaf, number: Int) -> [Paragraph] {
        var rows = arguments(of: leaf).map { argument in
            (ForeignName.shown(argument.name), argument.value.map { pieces.pieces($0) })
        }
        if let origin = origin(leaf) { rows.append(("for", [origin])) }
        let width = min(rows.map { DisplayWidth.of($0.0) }.max() ?? 0, Self.nameWidth)
        let column = 5 + width + 2
        return [head(leaf, number: number)]
            + rows.flatMap { name, lines in
                let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(name)) + 2)
                let first = [.words(name + padding)] + (lines.first ?? [])
                return [Paragraph(indent: 5, hanging: column, first)]
                    + lines.dropFirst().map { Paragraph(indent: column, hanging: column, $0) }
            }
    }

    private func short(_ leaf: CallLeaf, number: Int) -> [Paragraph] {
        var paragraph = head(leaf, number: number)
        var isCut = false
        for (index, argument) in arguments(of: leaf).enumerated() {
            paragraph.pieces.append(.words("\(index == 0 ? "  " : ", ")\(ForeignName.shown(argument.name)) "))
            let lines = argument.value.prefix(Self.shortLines).map { pieces.short($0) }
            paragraph.pieces += lines.joined(separator: [.words(", ")])
            let rest = argument.value.count - lines.count
            guard rest > 0 else { continue }
            isCut = true
            let more = "and \(rest) line\(rest == 1 ? "" : "s") more"
            paragraph.pieces.append(.words(" \(more), under What it does above", .warning))
        }
        if let origin = origin(leaf) { paragraph.pieces += [.words(", for ")] + origin }
        guard isCut else { return [paragraph] }
        return [paragraph]
            + CallSum(of: leaf).lines.map { line in
                Paragraph(indent: 5, hanging: 7, [.words("in all it ", .bold)] + pieces.pieces(line))
            }
    }

    private func head(_ leaf: CallLeaf, number: Int) -> Paragraph {
        Paragraph(
            indent: 2, hanging: 5, [.words("\(number). "), .words(AnswerWording.name(of: leaf), .bold)])
    }

    private func arguments(of leaf: CallLeaf) -> [CallArgument] {
        AnswerWording(answer).arguments(of: leaf)
    }

    /// The account or origin that a call acts for; nil if that is the account that signs.
    private func origin(_ leaf: CallLeaf) -> [Paragraph.Piece]? {
        AnswerWording.origin(leaf.origin).map { pieces.pieces($0) }
    }

    /// What one transaction or several send in all, for each network; nothing where there is one amount, and it counts.
    static func totals(_ members: [Answer]) -> [Paragraph] { MemberTotals.all(of: members).compactMap(total) }

    private static func total(_ total: MemberTotals) -> Paragraph? {
        let (sums, leftOut) = (total.sums, total.leftOut)
        guard total.calls > 1 || total.hasSeveralAmounts || !sums.leftOut.isEmpty,
            !sums.amounts.isEmpty || !sums.leftOut.isEmpty || total.tips > 0
        else { return nil }
        let pieces = PieceText(answer: total.member)
        let amounts = sums.amounts.map { pieces.pieces([SaidPart.amount($0)]) }.joined(separator: [.words(", ")])
        return Paragraph(
            indent: 2, hanging: 12,
            [.words("together  ", .bold)] + (sums.amounts.isEmpty ? [.words("nothing")] : Array(amounts))
                + [.words(" in \(total.calls) call\(total.calls == 1 ? "" : "s")")]
                + (total.tips == 0 ? [] : [.words("; tips ")] + pieces.pieces([SaidPart.amount(total.tipAmount)]))
                + (leftOut.isEmpty ? [] : [.words("; not counted: \(leftOut)", .warning)]))
    }
}
