/// A part of an argument's value as a person reads it: what kind of thing it is decides how a screen may show it.
package enum ValuePiece: Hashable, Sendable {
    /// How deep the line stands inside others. At the beginning of a line.
    case indentation(Int)
    /// Words of this program, or a name that the chain's metadata give: a variant, a field, a pallet.
    case words(String)
    case account(AccountAddress)
    case amount(AssetAmount)
    case number(String)
    /// Text that was chosen outside: never to be mistaken for anything else on the screen.
    case text(String)
    case bytes([UInt8])
}

/// What a structured argument (a location, assets, an XCM program, a vote) says, and what rules and totals need of it.
package struct ArgumentReading: Hashable, Sendable {
    /// In the order in which a screen shows them. The pieces of a line stand behind each other as they are: blanks and
    /// commas between them belong to the words.
    package var lines: [[ValuePiece]] = []
    /// Accounts that receive value or rights by it, wherever they are.
    package var accounts: [Place] = []
    /// What leaves the account by it; nil values are "all of it" or unknown.
    package var amounts: [Moved] = []
    /// Whether it holds a call that could not be decoded.
    package var hidesCall = false
    /// What else an XCM program does.
    package var marks: CallMarks = []

    /// An account, or a place on a chain that is none.
    package struct Place: Hashable, Sendable {
        /// nil where the place is no account that this chain could name.
        package var account: AccountAddress?
        /// Where it is, in words: "on parachain 2034", "on this chain".
        package var words: String
        /// Whether no account can be there.
        package var isNoAccount = false
    }

    /// An amount of an asset, or an unknown amount of it.
    package struct Moved: Hashable, Sendable {
        package var asset: Asset
        package var value: UInt128?
    }
}
