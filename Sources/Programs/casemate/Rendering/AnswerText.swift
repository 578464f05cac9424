import Console
import Signer
import Substrate
import TextForms

/// An answer as a person reads it on a terminal: first all of it, then, to be read last, what decides. Whatever comes
/// from outside is quoted or escaped, and the program breaks the lines.
struct AnswerText {
    let answer: Answer

    /// How much of a message is shown before it is decided on.
    private static let messageLimits = ForeignText.Limits(characters: 512, lines: 8)

    var text: String { (details + decision).text }

    // MARK: All of it

    /// Who signs what where, what it does, every value, and under which conditions.
    var details: [Paragraph] {
        if !answer.items.isEmpty {
            return [.heading("\(answer.items.count) transactions, signed together or not at all")]
                + answer.items.enumerated().flatMap { position, item in
                    [.blank, .heading("Transaction \(position + 1) of \(answer.items.count)")]
                        + AnswerText(answer: item).details
                }
        }
        switch answer.action {
        case .shareDerivations, .importDerivations, .importPaths, .update: return []
        case .sign, .signBulk, .read: break
        }
        var paragraphs = head
        let effects = EffectsText(answer: answer).paragraphs
        if !effects.isEmpty { paragraphs += [.blank, .heading("What it does")] + effects }
        for (name, cards) in answer.cards.ordered where !["author", "error", "warning"].contains(name) {
            let text = CardText(answer: answer, inFull: name)
            paragraphs += section(name, name == "method" ? text.call : text.paragraphs(cards))
        }
        if let hash = answer.callHash {
            paragraphs += [.blank, Paragraph([.words("Call hash  ", .bold), .whole("0x" + hash.hex)])]
        }
        return paragraphs
            + answer.multisigCallHashes.map { hash in
                Paragraph([.words("Multisig call hash  ", .bold), .whole("0x" + hash.hex)])
            }
    }

    private var head: [Paragraph] {
        var paragraphs: [Paragraph] = []
        if let member = answer.refusedMember {
            paragraphs.append(
                Paragraph([.words("Transaction \(member + 1) of several cannot be signed, so none is.", .danger)]))
        }
        if let network = answer.network {
            paragraphs.append(
                Paragraph([.words("Network    ", .bold), .words(ForeignName.shown(network.title, as: .title))]))
            // The name in a proof is chosen by its author.
            if answer.isNetworkMadeUp {
                paragraphs.append(
                    Paragraph(
                        indent: 11,
                        [.words("not in this vault; genesis ", .warning), .whole("0x" + network.genesisHash.hex)]))
            } else if answer.isNetworkLookalike {
                paragraphs.append(
                    Paragraph(
                        indent: 11,
                        [
                            .words("another network here looks like it; this is ", .warning),
                            .words(ForeignName.shown(network.name, as: .title)), .words(", genesis ", .warning),
                            .whole("0x" + network.genesisHash.hex),
                        ]))
            }
        }
        if let author { paragraphs.append(Paragraph(hanging: 11, author)) }
        let cards = CardText(answer: answer)
        if !answer.cards.error.isEmpty {
            paragraphs += section("error", cards.paragraphs(answer.cards.error))
        }
        return paragraphs + warnings
    }

    private var warnings: [Paragraph] {
        answer.cards.warning.isEmpty
            ? [] : section("warning", CardText(answer: answer).paragraphs(answer.cards.warning))
    }

    private func section(_ name: String, _ paragraphs: [Paragraph]) -> [Paragraph] {
        [.blank, .heading(AnswerWording.heading(ofSection: name))] + paragraphs
    }

    private var author: [Paragraph.Piece]? {
        if case .sign(let request) = answer.action {
            return [.words("Signed by  ", .bold)] + Self.author(request.author)
        }
        guard let card = answer.cards.author.first else { return nil }
        return switch card.kind {
        case .author(let author): [.words("Author     ", .bold)] + Self.author(author)
        case .authorPlain(let address): [.words("Author     ", .bold), .whole(address.text)]
        default: [.words("Author     ", .bold), .words(card.kind.line)]
        }
    }

    private static func author(_ author: AuthorInfo) -> [Paragraph.Piece] {
        let from = ForeignName.shown(author.seedName + author.path, as: .title)
        return [
            .whole(author.base58), .words("  "),
            .whole("(\(from)\(author.hasPassword ? " with password" : ""))", .dim),
        ]
    }

    // MARK: What decides

    /// The calls at a glance, the risks and the totals: what stands directly above the question.
    var decision: [Paragraph] {
        switch answer.action {
        case .shareDerivations(let preview): return DerivationsText.paragraphs(preview)
        case .importDerivations:
            return [.heading("Derived keys")]
                + CardText(answer: answer).paragraphs(answer.cards.derivations)
        case .importPaths(let preview): return DerivationsText.paragraphs(preview)
        case .update(let preview): return warnings + UpdateText.paragraphs(preview)
        case .sign, .signBulk, .read: break
        }
        let members = answer.items.isEmpty ? [answer] : answer.items
        let calls = members.enumerated().flatMap { position, member in
            AnswerText(answer: member).glance(number: answer.items.isEmpty ? nil : position + 1)
        }
        guard !calls.isEmpty else { return [] }
        let risks =
            (answer.items.isEmpty ? [] : RiskText(answer: answer).paragraphs)
            + members.enumerated().flatMap { position, member in
                RiskText(answer: member, member: answer.items.isEmpty ? nil : position + 1).paragraphs
            }
        let totals = EffectsText.totals(members)
        return [.blank, .heading("At a glance")] + calls
            + (risks.isEmpty ? [] : [.blank, .heading("Look at this")] + risks)
            + (totals.isEmpty ? [] : [.blank] + totals)
    }

    /// What one transaction or message does, in short.
    private func glance(number: Int?) -> [Paragraph] {
        let effects = EffectsText(answer: answer).short
        var lines: [Paragraph] = []
        if case .text(let text)? = answer.cards.message.first?.kind {
            let shown = Paragraph.Piece.foreign(ForeignText(text), limits: Self.messageLimits) {
                ForeignText.Limits.message.cuts(text)
                    ? [.words("It goes on, further than what stands above, under Message.", .warning)]
                    : [.words("It goes on: all of it stands above, under Message.", .warning)]
            }
            lines = [Paragraph(indent: 2, [.words("a message: "), shown])]
        } else if case .bytes(let bytes, _)? = answer.cards.message.first?.kind {
            lines = [Paragraph(indent: 2, [.words("a message of bytes: ")] + PieceText.bytes(bytes))]
        }
        guard let number, !effects.isEmpty || !lines.isEmpty else { return effects + lines }
        return [Paragraph(indent: 2, [.words("Transaction \(number)", .bold)])] + effects + lines
    }

    // MARK: Refusals

    /// What is dangerous about an answer, by the names of the rules.
    static func dangers(_ answer: Answer) -> [String] {
        (answer.risks + answer.items.flatMap(\.risks)).filter { $0.severity == .danger }.map(\.rule.rawValue)
    }

    /// Why an answer that can only be read is not signed.
    static func refusal(_ answer: Answer) -> String {
        switch answer.action {
        case .importDerivations, .importPaths: return "These are keys to import: casemate key import"
        default: break
        }
        if case .update = answer.action { return "This is an update of what the vault knows: casemate update" }
        for card in answer.cards.error {
            if case .error(let error) = card.kind { return ScreenText.escape(error.message) }
        }
        for card in answer.cards.warning {
            if case .warning(let warning) = card.kind { return ScreenText.escape(AnswerWording.explain(warning)) }
        }
        return "It can only be read."
    }
}
