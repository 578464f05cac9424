import Signer
import Substrate

/// An answer for machines.
struct AnswerJSON: Encodable {
    struct CardJSON: Encodable {
        var index: Int
        var indent: Int
        var kind: String
        /// The card as one line, without indentation and unescaped.
        var line: String
        /// The value of a card that holds one. Text that was chosen outside has the kind `text`.
        var value: PieceJSON?
    }

    struct Author: Encodable {
        var address: String
        var seed: String
        var path: String
        var hasPassword: Bool
    }

    struct NetworkJSON: Encodable {
        var title: String
        var name: String
        var genesisHash: String
        var scheme: String
        /// Whether the vault knows it; else title and name are what a metadata proof says.
        var isStored: Bool
    }

    struct RiskJSON: Encodable {
        var code: String
        var severity: String
        /// Numbers of calls, from 1; empty for the transaction as a whole.
        var calls: [Int]
        var message: String
        /// What 'casemate sign' asks to be typed for this danger: each text once, also where another danger has the
        /// same.
        var confirm: [String]
    }

    struct CallJSON: Encodable {
        struct AmountJSON: Encodable {
            /// `native`, or pallet and id.
            var asset: String
            /// The amount in the smallest unit, decimal.
            var value: String
            var text: String
        }

        struct PartyJSON: Encodable {
            /// `receiver`, `source`, `rights`, `owner` or `loses`.
            var role: String
            var address: String?
            /// What it is where it has no address, or where that is on another chain.
            var place: String?
            /// Whether it stands where an account belongs and is none.
            var isNoAccount: Bool
        }

        struct OriginJSON: Encodable {
            var kind: String
            var address: String?
            var name: String?
        }

        var number: Int
        var pallet: String
        var method: String
        var depth: Int
        var origin: OriginJSON
        var destination: String?
        /// The name of the contact that the destination is.
        var destinationContact: String?
        /// Everybody who gets, gains or loses something by the call, each as often as it says so.
        var parties: [PartyJSON]
        var amounts: [AmountJSON]
        var arguments: [ArgumentJSON]

        struct ArgumentJSON: Encodable {
            var name: String
            /// Lines, each of its pieces.
            var value: [[PieceJSON]]
        }
    }

    var action: String
    var network: NetworkJSON?
    var author: Author?
    var callHash: String?
    /// The hash of each call that goes to a multisig.
    var multisigCallHashes: [String]
    var risks: [RiskJSON]
    var calls: [CallJSON]
    var totals: [CallJSON.AmountJSON]
    var cards: [String: [CardJSON]]
    /// The paths of keys that an import would make below a seed.
    var paths: [String]?
    /// What an update would do.
    var update: UpdateJSON?
    /// The answers to several transactions at once, one for each.
    var items: [AnswerJSON]?
    /// The member, from 1, that keeps the others from being signed.
    var refusedMember: Int?

    init(_ answer: Answer) {
        network = answer.network.map {
            NetworkJSON(
                title: $0.title, name: $0.name, genesisHash: $0.genesisHash.hex, scheme: $0.scheme.name,
                isStored: !answer.isNetworkMadeUp)
        }
        callHash = answer.callHash.map { "0x" + $0.hex }
        multisigCallHashes = answer.multisigCallHashes.map { "0x" + $0.hex }
        switch answer.action {
        case .sign(let request):
            action = "sign"
            author = Author(
                address: request.author.base58, seed: request.author.seedName, path: request.author.path,
                hasPassword: request.author.hasPassword)
        case .signBulk: action = "sign_bulk"
        case .importDerivations: action = "derivations"
        case .importPaths(let preview):
            action = "derivations"
            paths = preview.paths
        case .shareDerivations: action = "dynamic_derivations"
        case .update(let preview):
            action = "stub"
            update = UpdateJSON(preview)
        case .read: action = "read"
        }
        risks = answer.risks.map { risk in
            RiskJSON(
                code: risk.rule.rawValue, severity: risk.severity.rawValue, calls: risk.calls, message: risk.message,
                confirm: risk.confirmations.map(\.text))
        }
        calls =
            answer.effects?.leaves.enumerated().map { index, leaf in
                CallJSON(leaf, number: index + 1, answer)
            } ?? []
        totals = answer.effects?.totals.map { CallJSON.AmountJSON($0, answer.network) } ?? []
        items = answer.items.isEmpty ? nil : answer.items.map { AnswerJSON($0) }
        refusedMember = answer.refusedMember.map { $0 + 1 }
        cards = [:]
        var index = 0
        for (name, section) in answer.cards.ordered {
            let isCall = name == "method"
            cards[name] = (isCall ? answer.callCards : section).enumerated().map { position, card in
                defer { index += 1 }
                let asset = isCall ? answer.effects?.asset(ofCard: position) ?? .native : .native
                return CardJSON(card, index: index, asset: asset, answer)
            }
        }
    }
}

extension AnswerJSON.CardJSON {
    init(_ card: Card, index: Int, asset: Asset, _ answer: Answer) {
        let piece = Self.piece(card.kind, asset: asset).map { PieceJSON($0, answer) }
        // The card's own form has the network's unit, whatever the amount is of.
        let line = if case .balance = card.kind { "balance: \(piece?.text ?? "")" } else { card.kind.line }
        self.init(index: index, indent: card.indent, kind: card.kind.name, line: line, value: piece)
    }

    private static func piece(_ kind: CardKind, asset: Asset) -> ValuePiece? {
        switch kind {
        case .text(let text), .bytes(_, let text?): .text(text)
        case .bytes(let bytes, nil): .bytes(bytes)
        case .id(let address), .authorPlain(let address): .account(address)
        case .balance(let amount): .amount(AssetAmount(asset: asset, value: amount.value))
        case .tip(let amount): .amount(AssetAmount(asset: .native, value: amount.value))
        case .default(let text), .nonce(let text), .txSpec(let text): .number(text)
        default: nil
        }
    }
}

extension AnswerJSON.CallJSON {
    init(_ leaf: CallLeaf, number: Int, _ answer: Answer) {
        self.init(
            number: number, pallet: leaf.pallet, method: leaf.method, depth: leaf.depth,
            origin: OriginJSON(leaf.origin), destination: leaf.destination?.text,
            destinationContact: leaf.destination.flatMap { answer.ownKeys.contactName(of: $0) },
            parties: leaf.parties.map { party in
                PartyJSON(
                    role: party.role.rawValue, address: party.account?.text,
                    place: party.words.isEmpty ? nil : party.words, isNoAccount: party.isNoAccount)
            },
            amounts: leaf.amounts.map { AmountJSON($0, answer.network) },
            arguments: AnswerWording(answer).arguments(of: leaf).map { argument in
                ArgumentJSON(name: argument.name, value: argument.value.map { $0.map { PieceJSON($0, answer) } })
            })
    }
}

extension AnswerJSON.CallJSON.AmountJSON {
    init(_ amount: AssetAmount, _ network: NetworkSpecs?) {
        let asset =
            switch amount.asset {
            case .native: "native"
            case .other(let pallet, let id): "\(pallet) \(id)"
            case .located(let words): words
            }
        self.init(
            asset: asset, value: "\(amount.value)",
            text: network.map { amount.text(on: $0) } ?? "\(amount.value)")
    }
}

extension AnswerJSON.CallJSON.OriginJSON {
    init(_ origin: CallOrigin) {
        switch origin {
        case .signer: self.init(kind: "signer")
        case .account(let address): self.init(kind: "account", address: address.text)
        case .multisig(let address): self.init(kind: "multisig", address: address?.text)
        case .derivative(let address): self.init(kind: "derivative", address: address?.text)
        case .root: self.init(kind: "root")
        case .named(let name): self.init(kind: "named", name: name)
        case .decided(let method): self.init(kind: "decided", name: method)
        }
    }
}
