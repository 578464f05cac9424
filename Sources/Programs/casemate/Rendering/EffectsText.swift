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

    /// The calls, each with its arguments in lines of their own.
    var paragraphs: [Paragraph] {
        answer.effects?.leaves.enumerated().flatMap { paragraphs($1, number: $0 + 1) } ?? []
    }

    /// The calls, each with its arguments behind each other.
    var short: [Paragraph] {
        answer.effects?.leaves.enumerated().map { short($1, number: $0 + 1) } ?? []
    }

    private func paragraphs(_ leaf: CallLeaf, number: Int) -> [Paragraph] {
        var rows = answer.arguments(of: leaf).map { argument in
            (ForeignName.shown(argument.name), argument.value.map { pieces.pieces($0) })
        }
        if let origin = origin(leaf.origin) { rows.append(("for", [origin])) }
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

    private func short(_ leaf: CallLeaf, number: Int) -> Paragraph {
        var paragraph = head(leaf, number: number)
        for (index, argument) in answer.arguments(of: leaf).enumerated() {
            paragraph.pieces.append(.words("\(index == 0 ? "  " : ", ")\(ForeignName.shown(argument.name)) "))
            let lines = argument.value.prefix(Self.shortLines).map { pieces.short($0) }
            paragraph.pieces += lines.joined(separator: [.words(", ")])
            let rest = argument.value.count - lines.count
            if rest > 0 { paragraph.pieces.append(.words(" and \(rest) more")) }
        }
        if let origin = origin(leaf.origin) { paragraph.pieces += [.words(", for ")] + origin }
        return paragraph
    }

    private func head(_ leaf: CallLeaf, number: Int) -> Paragraph {
        let method = leaf.method.isEmpty ? "" : "." + ForeignName.shown(leaf.method)
        return Paragraph(
            indent: 2, hanging: 5, [.words("\(number). "), .words(ForeignName.shown(leaf.pallet) + method, .bold)])
    }

    /// The account or origin that a call acts for; nil if that is the account that signs.
    private func origin(_ origin: CallOrigin) -> [Paragraph.Piece]? {
        func account(_ address: AccountAddress?) -> [Paragraph.Piece] {
            guard let address else { return [.words("whose address cannot be computed", .warning)] }
            return [.whole(address.text, .warning)] + pieces.mark(address)
        }
        return switch origin {
        case .signer: nil
        case .account(let address): account(address) + [.words(", which lets the signer act for it", .warning)]
        case .multisig(let address): [.words("the multisig ", .warning)] + account(address)
        case .derivative(let address): [.words("the derived account ", .warning)] + account(address)
        case .root: [.words("the chain itself (root)", .warning)]
        case .named(let name): [.words(ForeignName.shown(name, as: .phrase), .warning)]
        }
    }
}

extension EffectsText {
    /// What one transaction or several send in all, for each network; nothing where there is one call.
    static func totals(_ members: [Answer]) -> [Paragraph] {
        var networks: [Hash256] = []
        for member in members {
            if let genesis = member.network?.genesisHash, !networks.contains(genesis) { networks.append(genesis) }
        }
        return networks.compactMap { genesis in total(members.filter { $0.network?.genesisHash == genesis }) }
    }

    /// - Parameter members: of one network.
    private static func total(_ members: [Answer]) -> Paragraph? {
        let calls = members.reduce(0) { $0 + ($1.effects?.leaves.count ?? 0) }
        let sums = TransactionEffects.totals(of: members.compactMap(\.effects))
        guard calls > 1, !sums.amounts.isEmpty || !sums.leftOut.isEmpty, let first = members.first else { return nil }
        let pieces = PieceText(answer: first)
        let amounts = sums.amounts.map { pieces.amount($0) }.joined(separator: [.words(", ")])
        let leftOut = sums.leftOut.map { ForeignName.shown("\($0)", as: .sentence) }.joined(separator: ", ")
        return Paragraph(
            indent: 2, hanging: 12,
            [.words("together  ", .bold)] + (sums.amounts.isEmpty ? [.words("nothing")] : Array(amounts))
                + [.words(" in \(calls) calls")]
                + (leftOut.isEmpty ? [] : [.words("; not counted: \(leftOut)", .warning)]))
    }
}
