import Signer
import Substrate

/// The calls of a transaction one by one, without the wrapping around them, with full addresses.
struct EffectsText {
    let answer: Answer
    let style: Style

    var lines: [String] {
        guard let effects = answer.effects, let network = answer.network else { return [] }
        var lines = ["", style.bold("What it does")]
        for (index, leaf) in effects.leaves.enumerated() {
            lines += self.lines(leaf, number: index + 1, network)
        }
        if effects.leaves.count > 1, !effects.totals.isEmpty {
            let totals = effects.totals.map { Self.text($0, network) }.joined(separator: ", ")
            lines.append("  " + style.bold("together") + "  \(totals) in \(effects.leaves.count) calls")
        }
        return lines
    }

    private func lines(_ leaf: CallLeaf, number: Int, _ network: NetworkSpecs) -> [String] {
        var lines = ["  \(number). " + style.bold(ScreenText.escape(leaf.name))]
        for amount in leaf.amounts { lines.append("     amount  " + ScreenText.escape(Self.text(amount, network))) }
        if let destination = leaf.destination {
            lines.append("     to      \(destination.text)" + style.dim(isKnown(number) ? "  (yours)" : "  (unknown)"))
        }
        if let origin = Self.text(leaf.origin) {
            lines.append("     for     " + style.warning(ScreenText.escape(origin)))
        }
        return lines
    }

    private func isKnown(_ number: Int) -> Bool {
        !answer.risks.contains { $0.rule == .unknownDestination && $0.calls.contains(number) }
    }

    static func text(_ amount: AssetAmount, _ network: NetworkSpecs) -> String {
        switch amount.asset {
        case .native: "\(Amount(amount.value, decimals: network.decimals, unit: network.unit))"
        case .other(let pallet, let id): "\(amount.value) units of \(pallet) \(id)"
        }
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
