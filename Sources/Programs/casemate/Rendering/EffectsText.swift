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

    /// Each call with its arguments in lines of their own.
    var paragraphs: [Paragraph] {
        answer.effects?.leaves.enumerated().flatMap { paragraphs($1, number: $0 + 1) } ?? []
    }

    /// Each call with its arguments behind each other.
    var short: [Paragraph] {
        answer.effects?.leaves.enumerated().map { short($1, number: $0 + 1) } ?? []
    }

    private func paragraphs(_ leaf: CallLeaf, number: Int) -> [Paragraph] {
        var rows = LeafArguments(leaf: leaf, cards: answer.cards.method).all.map { argument in
            (ForeignName.shown(argument.name), argument.lines.map { pieces.pieces($0) })
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
        for (index, argument) in LeafArguments(leaf: leaf, cards: answer.cards.method).all.enumerated() {
            paragraph.pieces.append(.words("\(index == 0 ? "  " : ", ")\(ForeignName.shown(argument.name)) "))
            let lines = argument.lines.prefix(Self.shortLines).map { pieces.short($0) }
            paragraph.pieces += lines.joined(separator: [.words(", ")])
            let rest = argument.lines.count - lines.count
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

    /// For whom a call acts, if not for the account that signs.
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
        var sums: [AssetAmount] = []
        for amount in members.compactMap(\.effects?.totals).joined() {
            if let index = sums.firstIndex(where: { $0.asset == amount.asset }) {
                // A sum that 128 bits cannot hold stays at their largest number.
                let (sum, overflow) = sums[index].value.addingReportingOverflow(amount.value)
                sums[index].value = overflow ? .max : sum
            } else {
                sums.append(amount)
            }
        }
        guard calls > 1, !sums.isEmpty, let first = members.first else { return nil }
        let pieces = PieceText(answer: first)
        let amounts = sums.map { pieces.amount($0) }.joined(separator: [.words(", ")])
        return Paragraph(
            indent: 2, [.words("together  ", .bold)] + amounts + [.words(" in \(calls) calls")])
    }
}
