import Console
import Signer
import Substrate
import TextForms

/// An answer as a person reads it on a terminal. Everything that comes from outside is escaped.
struct AnswerText {
    let answer: Answer
    let style: Style

    /// Who signs what where, what to look at first, what it does, and all of it in full.
    var text: String {
        if !answer.items.isEmpty { return bulk }
        if case .shareDerivations(let preview) = answer.action { return DerivationsText.text(preview, style) }
        var lines: [String] = []
        if let member = answer.refusedMember {
            lines.append(style.danger("Transaction \(member + 1) of several cannot be signed, so none is."))
        }
        if let network = answer.network { lines.append(style.bold("Network    ") + ScreenText.escape(network.title)) }
        lines += authorLines
        lines += RiskText(answer: answer, style: style).lines
        lines += EffectsText(answer: answer, style: style).lines
        for (name, cards) in answer.cards.ordered where name != "author" {
            lines += ["", style.bold(title(name))] + cards.flatMap { self.lines($0).map { "  " + $0 } }
        }
        if let hash = answer.callHash { lines += ["", style.bold("Call hash  ") + "0x" + hash.hex] }
        lines += answer.multisigCallHashes.map { style.bold("Multisig call hash  ") + "0x" + $0.hex }
        return lines.joined(separator: "\n")
    }

    private var bulk: String {
        let head = style.bold("\(answer.items.count) transactions, signed together or not at all")
        let items = answer.items.enumerated().map { position, item in
            style.bold("Transaction \(position + 1) of \(answer.items.count)") + "\n"
                + AnswerText(answer: item, style: style).text
        }
        return ([head] + items).joined(separator: "\n\n")
    }

    private func title(_ section: String) -> String {
        switch section {
        case "error": "Cannot be signed"
        case "warning": "Warnings"
        case "message": "Message"
        case "method": "In full"
        case "extensions": "Under these conditions"
        case "new_specs": "Network"
        case "importing_derivations": "Derived keys"
        default: section
        }
    }

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

    private func lines(_ card: Card) -> [String] {
        let indent = String(repeating: "  ", count: card.indent)
        return switch card.kind {
        case .warning(let warning): [indent + style.warning(ScreenText.escape(Self.explain(warning)))]
        case .error(let error): [indent + style.danger("\(ScreenText.escape(error.message)) [\(error.code)]")]
        case .pallet, .method: [indent + style.bold(ScreenText.escape(card.kind.line))]
        case .derivations(let groups): DerivationsText.lines(groups)
        default: [indent + ScreenText.escape(card.kind.line)]
        }
    }

    private static func explain(_ warning: CardWarning) -> String {
        switch warning {
        case .authorNotFound: "The author's key is not in this vault."
        case .noNetworkID: "The author's key is in this vault, but not enabled in this network."
        case .newerVersion(let used, let latest):
            "Read with metadata of version \(used); version \(latest) is held too. Reload the wallet if this surprises you."
        case .proofInfoMismatch(let field, let proof, let stored):
            "The metadata proof says \(field) \(proof), this vault knows \(stored). What is shown follows the proof; "
                + "if it lies, the chain will refuse the signature."
        default: warning.code
        }
    }

    /// What is dangerous about an answer, by the names of the rules.
    static func dangers(_ answer: Answer) -> [String] {
        (answer.risks + answer.items.flatMap(\.risks)).filter { $0.severity == .danger }.map(\.rule.rawValue)
    }

    /// Why an answer that can only be read is not signed.
    static func refusal(_ answer: Answer) -> String {
        if case .importDerivations = answer.action { return "These are keys to import: casemate key import" }
        for card in answer.cards.error {
            if case .error(let error) = card.kind { return ScreenText.escape(error.message) }
        }
        for card in answer.cards.warning {
            if case .warning(let warning) = card.kind { return ScreenText.escape(explain(warning)) }
        }
        return "It can only be read."
    }
}
