/// What an argument of a call, or a part of one, means for the person who signs.
package enum ArgumentRole: Hashable, Sendable {
    /// An account that gets, loses or may do something by the call.
    case party(Party.Role)
    /// - Parameter countsNumbers: whether metadata give the amount as a plain number.
    case amount(AmountUse, of: AssetReference, countsNumbers: Bool)
    /// Names the asset that the call's amounts are of.
    case asset
    /// Bytes that are a call, to be run on this chain or another.
    case opaqueCall
    /// The hash of a call.
    case callHash
    /// Text that was chosen outside.
    case text
    case structured(StructuredRole)
    /// A number by which the call's amounts multiply.
    case times
    /// A bool: where it is true, the call also does this.
    case flag(CallMarks)
    /// An argument that is shown without judgement.
    case shown(ShownReason)
}

/// What happens to an amount.
package enum AmountUse: String, Hashable, Sendable {
    case sent
    case burnt
    /// The most that may leave the account.
    case most
    case minted
    /// The least that comes in.
    case least
    case bonded
    case approved
    case deposit
    /// Asked for, or offered for another account to pay.
    case price
    /// A record of the chain becomes this.
    case set
    /// A bound on what the account has in stock already, or on something else.
    case limit

    /// Whether it leaves the account, and so belongs into a total.
    package var isCounted: Bool {
        switch self {
        case .sent, .burnt, .most: true
        case .minted, .least, .bonded, .approved, .deposit, .price, .set, .limit: false
        }
    }

    /// Whether it is missing in a total though the account cannot use it any more, or others can.
    var isLeftOut: Bool {
        switch self {
        case .bonded, .approved, .deposit: true
        case .sent, .burnt, .most, .minted, .least, .price, .set, .limit: false
        }
    }
}

/// What an amount is of.
package enum AssetReference: Hashable, Sendable {
    /// The asset that an argument of the call names; without such an argument, the network's token.
    case ofCall
    /// The asset that another argument names.
    case argument(String)
    case firstItem(of: String)
    case lastItem(of: String)
    /// The one token that the pallet keeps.
    case pallet
    case unknown
    /// Something that has a name and no id, like `shares`, and what other arguments say it is of.
    case named(String, of: [String])
}

/// An argument that only a reader of its own can put in words.
package enum StructuredRole: Hashable, Sendable {
    case location(LocationUse)
    /// Ids of assets behind each other, the way that a swap takes.
    case path
    /// - Parameter areSent: whether the signer pays them.
    case assets(areSent: Bool)
    case program
    case vote

    /// Whether something leaves the account by it, or is locked.
    var movesValue: Bool {
        switch self {
        case .assets(areSent: true), .program, .vote: true
        case .assets(areSent: false), .location, .path: false
        }
    }

    package enum LocationUse: String, Hashable, Sendable {
        case receiver = "to"
        case rights
        case shown
    }
}

/// Why an argument is shown without judgement.
package enum ShownReason: String, CaseIterable, Hashable, Sendable {
    /// Says which record, signatory, chain or position is meant: nothing goes there.
    case record
    /// Is nominated or voted for: no value goes there, and none is taken.
    case nominee
    /// Any account may do this for it, and it loses nothing.
    case helped
    /// Is given a name, a statement or an offer, and neither value nor rights.
    case named
    /// Loses rights that the signer had given.
    case revoked
    /// Calls inside the call act for it: the origin of those calls says so.
    case acts
    /// Only an origin of the chain's own may make the call: rules look at that origin.
    case chain
    /// Reports and proofs of block producers, and what the chain puts in its own blocks.
    case evidence
    /// The input of a contract: the whole call counts as hidden.
    case contract
}

/// What the table says of a call as a whole, and what its arguments hold.
package struct CallMarks: OptionSet, Hashable, Sendable {
    /// A bit for each mark.
    package let rawValue: UInt32

    /// The marks of these bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Gives another account the right to act for this one.
    package static let proxy = CallMarks(rawValue: 1)
    /// Changes keys, or who is paid.
    package static let keys = CallMarks(rawValue: 1 << 1)
    /// Changes rights without naming an account.
    package static let rights = CallMarks(rawValue: 1 << 2)
    /// May leave the account empty.
    package static let empties = CallMarks(rawValue: 1 << 3)
    /// Takes all that there is.
    package static let all = CallMarks(rawValue: 1 << 4)
    /// Changes the chain itself.
    package static let root = CallMarks(rawValue: 1 << 5)
    /// What it does in the end cannot be seen.
    package static let hidden = CallMarks(rawValue: 1 << 6)
    /// Takes value or an account out of the world.
    package static let destroys = CallMarks(rawValue: 1 << 7)
    /// Only an origin of the chain's own may make it.
    package static let chain = CallMarks(rawValue: 1 << 8)
    /// Texts or byte strings are among its arguments.
    package static let holdsText = CallMarks(rawValue: 1 << 9)
    /// The table has no line for it.
    package static let unclassified = CallMarks(rawValue: 1 << 10)
    /// An account, an amount or a place among its arguments has no role.
    package static let holdsUnclassified = CallMarks(rawValue: 1 << 11)
    /// An argument could not be put in words.
    package static let notInWords = CallMarks(rawValue: 1 << 12)
    /// Pays, locks or may pay what no argument says.
    package static let pays = CallMarks(rawValue: 1 << 13)
    /// An XCM program among its arguments burns assets.
    package static let burns = CallMarks(rawValue: 1 << 14)
    /// An XCM program among its arguments may end with assets that it leaves to nobody.
    package static let strands = CallMarks(rawValue: 1 << 15)
    /// An XCM program among its arguments changes for whom it runs.
    package static let changesOrigin = CallMarks(rawValue: 1 << 16)
    /// Offers something of the account to anybody, for the price that it sets.
    package static let sells = CallMarks(rawValue: 1 << 17)
    /// May take away the last right to act for an account that has no key.
    package static let orphans = CallMarks(rawValue: 1 << 18)

    /// Offers something of the account, perhaps with money, to anybody who has what it asks for.
    package static let swaps = CallMarks(rawValue: 1 << 19)

    /// Takes a deposit that no argument says; calls inside it are all else that it does.
    package static let deposits = CallMarks(rawValue: 1 << 20)

    static let byName: [String: CallMarks] = [
        "proxy": .proxy, "keys": .keys, "rights": .rights, "empties": .empties, "all": .all, "root": .root,
        "hidden": .hidden, "destroys": .destroys, "chain": .chain, "pays": .pays, "sells": .sells,
        "orphans": .orphans, "swaps": .swaps, "deposits": .deposits,
    ]
}
