/// One thing that a transaction does: a call that is no mere wrapping around others.
public struct CallLeaf: Hashable, Sendable {
    public let pallet: String
    public let method: String
    /// Calls around it.
    public let depth: Int
    public let origin: CallOrigin
    /// Who receives, for methods that name somebody.
    public let destination: AccountAddress?
    /// What the destination is to receive.
    public let amounts: [AssetAmount]
    /// Positions of its cards among those of the method.
    public let cards: Range<Int>
    /// Where its bytes stand in the payload, if that is known.
    public let bytes: Range<Int>?

    /// `Balances.transfer_keep_alive`.
    public var name: String { method.isEmpty ? pallet : "\(pallet).\(method)" }
}

/// An amount of one asset, in its smallest unit.
public struct AssetAmount: Hashable, Sendable {
    public var asset: Asset
    public var value: UInt128
}

/// What an amount is of.
public enum Asset: Hashable, Sendable {
    /// The network's own token.
    case native
    /// What a pallet keeps under an id: its decimals and symbol are not part of metadata.
    case other(pallet: String, id: String)
}

extension CallTree {
    /// What a call does, as far as its arguments' names tell.
    func leaf(_ node: Node, origin: CallOrigin) -> CallLeaf {
        var destination: AccountAddress?
        var asset = Asset.native
        var values: [UInt128] = []
        let pallet = pallet(node)
        forEachArgument(node) { name, value in
            if destination == nil, ArgumentName.destinations.contains(name) {
                destination = account(in: value)
            } else if ArgumentName.assets.contains(name), let id = text(in: value) {
                asset = .other(pallet: pallet, id: id)
            } else if value.count == 1, case .balance(let amount) = cards[value.lowerBound].kind {
                values.append(amount.value)
            }
            return true
        }
        return CallLeaf(
            pallet: pallet, method: method(node), depth: node.depth, origin: origin, destination: destination,
            amounts: destination == nil ? [] : values.map { AssetAmount(asset: asset, value: $0) }, cards: node.cards,
            bytes: node.bytes)
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

/// What pallets call the arguments that matter here.
private enum ArgumentName {
    /// Who receives something, or gets rights.
    static let destinations = [
        "dest", "target", "beneficiary", "delegate", "to", "new_owner", "recipient", "new", "destination",
    ]
    /// Which asset the amounts are of.
    static let assets = ["id", "asset_id", "currency_id", "asset", "currency"]
}
