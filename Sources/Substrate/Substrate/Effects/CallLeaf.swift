import TextForms

/// One thing that a transaction does: a call that is no mere wrapping around others.
public struct CallLeaf: Hashable, Sendable {
    public let pallet: String
    public let method: String
    /// Calls around it.
    public let depth: Int
    public let origin: CallOrigin
    /// Who receives, for methods that name somebody.
    public let destination: AccountAddress?
    /// Whether sudo stands around it, whatever it acts for.
    public let isUnderSudo: Bool
    /// What the destination is to receive; also where that is no account, like a key in another form.
    public let amounts: [AssetAmount]
    /// Positions of its cards among those of the method.
    public let cards: Range<Int>
    /// Where its bytes stand in what was decoded.
    public let bytes: Range<Int>
    /// Whether of a call among its arguments only the hash is given.
    public let givesCallByHash: Bool
    /// Whether texts or byte strings are among its arguments.
    public let holdsText: Bool

    /// `Balances.transfer_keep_alive`.
    public var name: String { method.isEmpty ? pallet : "\(pallet).\(method)" }
}

extension CallTree {
    /// What a call does, as far as its arguments' names tell.
    func leaf(_ node: Node, origin: CallOrigin, isUnderSudo: Bool) -> CallLeaf {
        var sends = false
        var destination: AccountAddress?
        var asset = Asset.native
        var amounts: [AssetAmount] = []
        let pallet = pallet(node)
        forEachArgument(node) { name, value in
            if value.count == 1, case .balance(let amount) = cards[value.lowerBound].kind {
                amounts.append(AssetAmount(asset: .native, value: amount.value))
                return true
            }
            switch ArgumentRole(name) {
            case .destination:
                sends = true
                destination = destination ?? account(in: value)
            case .asset: asset = text(in: value).map { .other(pallet: pallet, id: $0) } ?? asset
            case .other: break
            }
            return true
        }
        if !sends { amounts = [] }
        if asset != .native { for index in amounts.indices { amounts[index].asset = asset } }
        let contents = contents(of: node)
        return CallLeaf(
            pallet: pallet, method: method(node), depth: node.depth, origin: origin, destination: destination,
            isUnderSudo: isUnderSudo, amounts: amounts, cards: node.cards, bytes: node.bytes,
            givesCallByHash: contents.callByHash, holdsText: contents.text)
    }

    private func contents(of node: Node) -> (callByHash: Bool, text: Bool) {
        var contents = (callByHash: false, text: false)
        for index in node.cards {
            switch cards[index].kind {
            // Calls that are looked up among the chain's preimages; both names have six letters, which most have not.
            case .enumVariantName(let name, _) where name.utf8.count == 6:
                if name == "Lookup" || name == "Legacy" { contents.callByHash = true }
            case .text, .bytes: contents.text = true
            default: break
            }
        }
        return contents
    }

    /// How an asset is named: its number, or the cards of its location in one line.
    private func text(in range: Range<Int>) -> String? {
        let texts = cards[range].compactMap { card -> String? in
            switch card.kind {
            case .default(let text), .text(let text): text
            case .enumVariantName(let name, _): name
            case .id(let address): address.text
            case .bytes(let bytes, let text): text ?? "0x" + Hex.encode(bytes)
            default: nil
            }
        }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

/// What an argument means, by the name that pallets give it.
private enum ArgumentRole {
    /// Who receives something, or gets rights.
    case destination
    /// Which asset the amounts are of.
    case asset
    case other

    /// The first letter rules out most names before any text is compared.
    init(_ name: String) {
        let matches =
            switch name.utf8.first {
            case UInt8(ascii: "b"): name == "beneficiary"
            case UInt8(ascii: "d"): name == "dest" || name == "delegate" || name == "destination"
            case UInt8(ascii: "n"): name == "new" || name == "new_owner"
            case UInt8(ascii: "r"): name == "recipient"
            case UInt8(ascii: "t"): name == "target" || name == "to"
            default: false
            }
        if matches {
            self = .destination
            return
        }
        switch name.utf8.first {
        case UInt8(ascii: "a"): self = name == "asset_id" || name == "asset" ? .asset : .other
        case UInt8(ascii: "c"): self = name == "currency_id" || name == "currency" ? .asset : .other
        case UInt8(ascii: "i"): self = name == "id" ? .asset : .other
        default: self = .other
        }
    }
}
