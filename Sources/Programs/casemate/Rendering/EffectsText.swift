import Console
import Signer
import Substrate
import TextForms

/// The calls of a transaction one by one, without the wrapping around them, with full addresses.
struct EffectsText {
    let answer: Answer
    let style: Style

    var lines: [String] {
        guard let effects = answer.effects, let network = answer.network else { return [] }
        var lines = ["", style.bold("What it does")]
        for (index, leaf) in effects.leaves.enumerated() {
            lines += self.lines(leaf, number: index + 1, effects, network)
        }
        if effects.leaves.count > 1, !effects.totals.isEmpty {
            let totals = effects.totals.map { $0.text(on: network) }.joined(separator: ", ")
            lines.append("  " + style.bold("together") + "  \(totals) in \(effects.leaves.count) calls")
        }
        return lines
    }

    private func lines(
        _ leaf: CallLeaf, number: Int, _ effects: TransactionEffects, _ network: NetworkSpecs
    ) -> [String] {
        var lines = ["  \(number). " + style.bold(ScreenText.escape(leaf.name))]
        var rows = ArgumentText.rows(leaf, answer.cards.method, effects, network).map { name, value in
            (ScreenText.escape(name), ScreenText.escape(value) + mark(value, leaf, number))
        }
        if let origin = Self.text(leaf.origin) { rows.append(("for", style.warning(ScreenText.escape(origin)))) }
        let width = min(rows.map(\.0.count).max() ?? 0, 20)
        for (name, value) in rows {
            lines.append("     " + name + String(repeating: " ", count: max(0, width - name.count)) + "  " + value)
        }
        return lines
    }

    /// Whether the destination is one of the vault's addresses.
    private func mark(_ value: String, _ leaf: CallLeaf, _ number: Int) -> String {
        guard let destination = leaf.destination, destination.text == value else { return "" }
        return style.dim(isKnown(number) ? "  (yours)" : "  (unknown)")
    }

    private func isKnown(_ number: Int) -> Bool {
        !answer.risks.contains { $0.rule == .unknownDestination && $0.calls.contains(number) }
    }

    /// For whom a call acts, if not for the account that signs.
    static func text(_ origin: CallOrigin) -> String? {
        switch origin {
        case .signer: nil
        case .account(let address): "\(address.text), which lets the signer act for it"
        case .multisig(let address): "the multisig \(address?.text ?? "whose address cannot be computed")"
        case .derivative(let address): "the derived account \(address?.text ?? "whose address cannot be computed")"
        case .root: "the chain itself (root)"
        case .named(let name): name
        }
    }
}
