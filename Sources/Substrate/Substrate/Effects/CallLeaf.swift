/// One thing that a transaction does: a call that is no mere wrapping around others.
public struct CallLeaf: Hashable, Sendable {
    /// The pallet's name.
    public let pallet: String
    /// The method's name.
    public let method: String
    /// Calls around it.
    public let depth: Int
    /// Who acts.
    public let origin: CallOrigin
    /// Whether sudo stands around it, whatever it acts for.
    package let isUnderSudo: Bool
    /// The first of ``parties``; most calls have no other, and need no list.
    package internal(set) var firstParty: Party?
    package internal(set) var otherParties: [Party] = []
    /// The first of ``amounts``; most calls have no other.
    package internal(set) var firstAmount: AssetAmount?
    package internal(set) var otherAmounts: [AssetAmount] = []
    /// Amounts that ``amounts`` leave out though the account may not have them any more.
    package internal(set) var uncounted = 0
    /// What else is known of the call.
    package internal(set) var marks: CallMarks = []
    /// Positions of its cards among those of the method.
    public let cards: Range<Int>
    /// Where its bytes stand in what was decoded.
    package let bytes: Range<Int>

    /// The call's name, as `Balances.transfer_keep_alive`.
    public var name: String { method.isEmpty ? pallet : "\(pallet).\(method)" }

    /// The first account that receives something or gains rights.
    public var destination: AccountAddress? {
        for party in parties {
            switch party.role {
            case .receiver, .rights, .owner: if let account = party.account { return account }
            case .source, .loses: break
            }
        }
        return nil
    }

    /// The accounts that get, lose or may do something by the call, in the order of its arguments.
    public var parties: [Party] { (firstParty.map { [$0] } ?? []) + otherParties }

    /// What leaves the account, in the order of its arguments.
    public var amounts: [AssetAmount] { (firstAmount.map { [$0] } ?? []) + otherAmounts }

    mutating func add(_ amount: AssetAmount) {
        if firstAmount == nil { firstAmount = amount } else { otherAmounts.append(amount) }
    }

    mutating func add(_ party: Party) {
        if firstParty == nil { firstParty = party } else { otherParties.append(party) }
    }
}
