import Signer
import Substrate

/// An answer as a person reads it on a terminal. Everything that comes from outside is escaped.
struct AnswerText {
    let answer: Answer
    let style: Style

    /// All sections, then what they are about and whether they can be signed.
    var text: String {
        var lines: [String] = []
        if let network = answer.network { lines.append(style.bold("Network    ") + ScreenText.escape(network.title)) }
        lines += authorLines
        for (name, cards) in answer.cards.ordered where name != "author" {
            lines.append("")
            lines.append(style.bold(Self.titles[name] ?? name))
            lines += cards.map { "  " + self.line($0) }
        }
        if let hash = answer.callHash {
            lines.append("")
            lines.append(style.bold("Call hash  ") + "0x" + hash.hex)
        }
        return lines.joined(separator: "\n")
    }

    private static let titles = [
        "error": "Cannot be shown in full", "warning": "Warnings", "message": "Message", "method": "What it does",
        "extensions": "Under these conditions", "new_specs": "Network",
    ]

    private var authorLines: [String] {
        if case .sign(let request) = answer.action {
            let author = request.author
            let password = author.hasPassword ? " with password" : ""
            let from = ScreenText.escape(author.seedName + author.path)
            return [style.bold("Signed by  ") + author.base58 + style.dim("  (\(from)\(password))")]
        }
        return answer.cards.author.map { style.bold("Author     ") + ScreenText.escape(Self.value($0.kind)) }
    }

    private static func value(_ kind: CardKind) -> String {
        switch kind {
        case .author(let author): "\(author.base58) (\(author.seedName)\(author.path))"
        case .authorPlain(let address): address.text
        default: kind.line
        }
    }

    private func line(_ card: Card) -> String {
        let indent = String(repeating: "  ", count: card.indent)
        return switch card.kind {
        case .warning(let warning): indent + style.warning(Self.explain(warning))
        case .error(let error): indent + style.danger("\(error.message) [\(error.code)]")
        case .pallet, .method: indent + style.bold(ScreenText.escape(card.kind.line))
        default: indent + ScreenText.escape(card.kind.line)
        }
    }

    private static func explain(_ warning: CardWarning) -> String {
        switch warning {
        case .authorNotFound: "The author's key is not in this vault."
        case .noNetworkID: "The author's key is in this vault, but not enabled in this network."
        case .newerVersion(let used, let latest):
            "Read with metadata of version \(used); version \(latest) is held too. Reload the wallet if this surprises you."
        default: warning.code
        }
    }

    /// Why an answer that can only be read is not signed.
    static func refusal(_ answer: Answer) -> String {
        for card in answer.cards.error {
            if case .error(let error) = card.kind { return error.message }
        }
        for card in answer.cards.warning {
            if case .warning(let warning) = card.kind { return explain(warning) }
        }
        return "It can only be read."
    }
}
