import Identicons
import Signer
import SignerCore
import Substrate
import TextForms

/// What a transaction or a message does, from top to bottom: what counts most, risks, who signs, every call, totals,
/// conditions, what vouches for it, hashes, and all of it decoded.
///
/// Source: `signer-product` section 11.2.
struct AnswerBlocks {
    let answer: Answer
    /// What the ids of rows begin with.
    var place = ""
    /// Whether it is one of several, whose totals stand together.
    var isMember = false

    var said: SaidText { SaidText(answer: answer) }

    /// All of it.
    var all: [Block] {
        guard !answer.items.isEmpty else { return headlines + refusals + riskCards + details }
        return headlines + refusals + riskCards
            + answer.items.enumerated().flatMap { index, item in
                let blocks = AnswerBlocks(
                    answer: item, place: "\(place)transaction-\(index + 1)-", isMember: true)
                return [Block.heading("Transaction \(index + 1) of \(answer.items.count)")]
                    + blocks.refusals + blocks.details
            } + totals
    }

    /// What decides once more, to be read last; nothing for a message without risks.
    var decision: [Block] {
        let blocks = riskCards + totals(at: "again-")
        return blocks.isEmpty ? [] : [.heading("Before you sign")] + blocks
    }

    private var members: [Answer] { answer.items.isEmpty ? [answer] : answer.items }

    private var details: [Block] {
        signer + message + calls + (isMember ? [] : totals) + conditions + vouching + hashes + decoded
    }

    // MARK: What counts most

    private var headlines: [Block] {
        let totals = MemberTotals.all(of: members).filter { $0.calls > 0 }
        guard !totals.isEmpty else { return messageHeadline }
        return totals.flatMap { total -> [Block] in
            let said = SaidText(answer: total.member)
            let network = total.member.network.map { " on \($0.title)" as Text } ?? ""
            let count = Text(total.calls, "call", plural: "calls")
            let caption =
                answer.items.isEmpty
                ? count + network
                : count + " in " + Text(answer.items.count, "transaction", plural: "transactions") + network
            guard !total.sums.amounts.isEmpty else {
                let name = total.member.effects?.leaves.first.map { AnswerWording.name(of: $0) } ?? ""
                return [.headline(total.calls == 1 ? Text(own: name) : count, caption: caption)]
            }
            return total.sums.amounts.map { .headline(said.amount($0).styled(.plain), caption: caption) }
        }
    }

    private var messageHeadline: [Block] {
        let messages = members.count { !$0.cards.message.isEmpty }
        guard messages > 0 else { return [] }
        let network = answer.network.map { "for \($0.title)" as Text } ?? "for any network"
        return [.headline(messages == 1 ? "A message" : "\(messages) messages", caption: network)]
    }

    // MARK: Risks

    /// Why it is not signed.
    private var refusals: [Block] {
        var blocks: [Block] = []
        if let refused = answer.refusedMember {
            blocks.append(
                .card(
                    .refusal, title: "Not signed",
                    text: "Transaction \(refused + 1) of several cannot be signed, so none is."))
        }
        if let fault = answer.fault {
            blocks.append(.card(.refusal, title: "Cannot be signed", text: Text(own: "\(fault)")))
        }
        for card in answer.cards.error where answer.fault == nil {
            blocks.append(
                .card(.refusal, title: "Cannot be signed", text: said.text(AnswerWording.line(card.kind))))
        }
        for card in answer.cards.warning {
            guard case .warning(let warning) = card.kind else { continue }
            blocks.append(
                .card(.warning, title: Text(own: warning.title), text: Text(own: AnswerWording.explain(warning))))
        }
        return blocks
    }

    private var riskCards: [Block] {
        let own = [(nil, answer)] + answer.items.enumerated().map { (Optional($0 + 1), $1) }
        return own.flatMap { number, answer in
            answer.risks.map { risk in
                let member = number.map { "Transaction \($0): " as Text } ?? ""
                let calls = risk.callsInWords(of: answer.effects?.leaves.count)
                return .card(
                    risk.severity.shown, title: Text(own: risk.rule.title),
                    text: member + Text(own: "\(risk.message)\(calls) [\(risk.rule.rawValue)]"))
            }
        }
    }

    // MARK: Who signs

    private var signer: [Block] {
        var rows: [Row] = []
        if case .sign(let request) = answer.action {
            rows.append(row(of: request.author, "Signed by"))
        } else if let card = answer.cards.author.first {
            switch card.kind {
            case .author(let author): rows.append(row(of: author, "Author"))
            case .authorPlain(let address):
                rows.append(
                    Row(
                        id: "\(place)signer", picture: .identicon(Identicon(address.identicon)), title: "Author",
                        value: Text(address: address.text), detail: "no key of this vault"))
            default:
                rows.append(.fact("\(place)signer", "Author", is: said.text(AnswerWording.line(card.kind))))
            }
        }
        if let network = answer.network {
            var row = Row.fact("\(place)network", "Network", is: Text(name: network.title))
            row.picture = .icon(.network)
            // The name in a proof is chosen by its author.
            if answer.isNetworkMadeUp {
                row.detail = "not in this vault; genesis " + Text(hex: network.genesisHash.hex)
                row.marks = [Row.Mark(severity: .warning, icon: .warning, text: "not in this vault")]
            } else if answer.isNetworkLookalike {
                row.detail = "\(network.name), genesis " + Text(hex: network.genesisHash.hex)
                row.marks = [Row.Mark(severity: .warning, icon: .warning, text: "another network here looks like it")]
            }
            rows.append(row)
        }
        return rows.isEmpty ? [] : [.group(title: "Who signs", rows)]
    }

    private func row(of author: AuthorInfo, _ title: Text) -> Row {
        var row = Row(
            id: "\(place)signer", picture: .identicon(Identicon(author.identicon)), title: title,
            value: Text(address: author.base58),
            detail: "key set \(author.seedName), path " + Text(path: author.path))
        if author.hasPassword { row.marks.append(.password) }
        if author.secretExposed { row.marks.append(.exposed) }
        return row
    }

    // MARK: Message

    private var message: [Block] {
        guard let card = answer.cards.message.first else { return [] }
        let shown: Block =
            switch card.kind {
            case .text(let text): .foreign(ForeignBlock(text, limits: .message))
            case .bytes(let bytes, nil):
                .text("bytes: " + SaidText.hex(bytes, limit: ForeignText.Limits.messageByteCount))
            default: .text(said.text(AnswerWording.line(card.kind)))
            }
        return [.heading("Message"), shown]
    }

    // MARK: Totals

    private var totals: [Block] { totals(at: place) }

    private func totals(at place: String) -> [Block] {
        let totals = MemberTotals.all(of: members).filter { $0.calls > 0 }
        return totals.enumerated().map { index, total in
            let said = SaidText(answer: total.member)
            let place = "\(place)total-\(index + 1)"
            var rows = total.sums.amounts.enumerated().map { number, amount in
                Row.fact("\(place)-\(number + 1)", "Leaves the account", is: said.amount(amount).styled(.strong))
            }
            if rows.isEmpty { rows.append(.fact("\(place)-none", "Leaves the account", is: "nothing that is counted")) }
            if total.tips > 0 { rows.append(.fact("\(place)-tips", "Tips", is: said.amount(total.tipAmount))) }
            rows.append(.fact("\(place)-calls", "Calls", is: "\(total.calls)"))
            if !total.leftOut.isEmpty {
                var row = Row.fact("\(place)-left-out", "Not counted", is: Text(own: total.leftOut))
                row.marks = [Row.Mark(severity: .warning, icon: .warning, text: Severity.warning.word)]
                rows.append(row)
            }
            let network = totals.count > 1 ? total.member.network.map { " on \($0.title)" as Text } ?? "" : ""
            return .group(title: "Together" + network, rows)
        }
    }

    // MARK: Conditions

    private var conditions: [Block] {
        let rows = answer.cards.extensions.enumerated().map { index, card in
            condition(card.kind, id: "\(place)condition-\(index + 1)")
        }
        return rows.isEmpty
            ? [] : [.group(title: Text(own: AnswerWording.heading(ofSection: "extensions")), rows)]
    }

    private func condition(_ kind: CardKind, id: String) -> Row {
        switch kind {
        case .tip(let amount):
            return .fact(id, "Tip", is: said.amount(AssetAmount(asset: .native, value: amount.value)))
        case .eraImmortal: return .fact(id, "Era", is: "Immortal: it never expires")
        case .eraMortal(let phase, let period): return .fact(id, "Era", is: "Mortal, phase \(phase), period \(period)")
        case .nonce(let text): return .fact(id, "Nonce", is: Text(own: text))
        case .blockHash(let hash): return .fact(id, "Block hash", is: Text(hex: hash.hex))
        case .nameVersion(let name, let version): return .fact(id, "Runtime", is: "\(name + version, as: .identifier)")
        case .txSpec(let text): return .fact(id, "Transaction version", is: Text(own: text))
        default: return .fact(id, "Extension", is: said.text(AnswerWording.line(kind)))
        }
    }

    /// What vouches for the metadata that it was read by.
    private var vouching: [Block] {
        guard let metadata = answer.metadata else { return [] }
        var version = Row.fact(
            "\(place)metadata", "Version", is: "\(metadata.name, as: .identifier)" + " \(metadata.used)")
        if metadata.used < metadata.latest { version.detail = "version \(metadata.latest) is held too" }
        return [
            .group(title: "Read by these metadata", [version, voucher(of: metadata.voucher)])
        ]
    }

    private func voucher(of voucher: MetadataVouching.Voucher) -> Row {
        let id = "\(place)voucher"
        func row(_ key: MultiSigner, _ role: Text) -> Row {
            .verifier(id, "Vouched for by " + role, of: VerifierData(key))
        }
        switch voucher {
        case .general(let key): return row(key, "the general verifier")
        case .custom(let key): return row(key, "the network's own verifier")
        case .proof:
            return .fact(
                id, "Vouched for by", is: "the chain itself",
                advice: "The transaction brings a proof; the chain compares its digest with what is signed.")
        case .nobody:
            var row = Row.fact(id, "Vouched for by", is: "nobody")
            row.marks = [Row.Mark(severity: .warning, icon: .warning, text: Severity.warning.word)]
            return row
        }
    }

    private var hashes: [Block] {
        guard let hash = answer.callHash else { return [] }
        let rows =
            [Row.fact("\(place)call-hash", "Call hash", is: Text(hex: hash.hex))]
            + answer.multisigCallHashes.enumerated().map { index, hash in
                Row.fact("\(place)multisig-hash-\(index + 1)", "Multisig call hash", is: Text(hex: hash.hex))
            }
        return [.group(title: "To compare", rows)]
    }

    // MARK: Decoded

    /// The decoded cards, folded away.
    private var decoded: [Block] {
        let lines = answer.cards.ordered.flatMap { name, cards -> [TreeLine] in
            let isCall = name == "method" && !answer.callCards.isEmpty
            let shown = (isCall ? answer.callCards : cards).enumerated().map { index, card in
                let asset = isCall ? answer.effects?.asset(ofCard: index) ?? .native : .native
                return TreeLine(
                    indent: 1 + card.indent, text: said.text(AnswerWording.line(card.kind, asset: asset)))
            }
            return [TreeLine(indent: 0, text: Text(own: AnswerWording.heading(ofSection: name), .strong))] + shown
        }
        return lines.isEmpty ? [] : [.fold(title: "All of it, decoded", [.tree(lines)])]
    }

    // MARK: Calls

    /// Every call, each a group of its own.
    var calls: [Block] {
        guard let leaves = answer.effects?.leaves else { return [] }
        return leaves.enumerated().flatMap { index, leaf in
            CallBlocks(leaf: leaf, number: index + 1, count: leaves.count, place: place, answer: answer).blocks
        }
    }
}

extension Risk.Severity {
    var shown: Severity {
        switch self {
        case .refuse: .refusal
        case .danger: .danger
        case .warn: .warning
        case .notice: .notice
        }
    }
}

extension Row.Mark {
    static let password = Row.Mark(severity: .notice, icon: .password, text: "password")
    static let exposed = Row.Mark(severity: .danger, icon: .exposed, text: "exposed")
    static let atRisk = Row.Mark(severity: .warning, icon: .exposed, text: "at risk")
}
