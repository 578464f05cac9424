import Substrate
import TextForms

/// What rules find in single calls, in one pass over them.
struct CallFindings {
    private let context: RiskContext
    /// The vault's and its person's accounts as other chains write them, by prefix.
    private var ownAccountsElsewhere: [UInt16: OwnAccounts] = [:]
    private var found: [RiskRule: Finding] = [:]

    subscript(rule: RiskRule) -> Finding? { found[rule] }

    /// What one rule has found in several calls.
    struct Finding {
        fileprivate(set) var calls: [Int] = []
        /// Messages, each once.
        fileprivate(set) var messages: [String] = []
        fileprivate(set) var confirmations: [Confirmation] = []
        fileprivate(set) var severity = Risk.Severity.notice

        func risk(_ rule: RiskRule) -> Risk {
            Risk(
                rule: rule, calls: calls, message: messages.joined(separator: " "), confirmations: confirmations,
                severity: severity)
        }
    }

    init(of context: RiskContext) {
        self.context = context
        // Most destinations are unknown: they are counted without looking a rule up for each.
        var unknown: [Int] = []
        let leaves = context.effects.leaves
        // Parts of a leaf are looked at where they stand: most leaves hold nothing that a copy would be needed for.
        for index in leaves.indices {
            var isUnknown = false
            if let party = leaves[index].firstParty { isUnknown = judge(party, of: leaves, number: index) }
            for party in leaves[index].otherParties { isUnknown = judge(party, of: leaves, number: index) || isUnknown }
            if isUnknown { unknown.append(index + 1) }
            if leaves[index].isUnusual { judge(leaves[index], number: index + 1) }
        }
        if !unknown.isEmpty {
            found[.unknownDestination] = Finding(
                calls: unknown, messages: ["The destination is neither a key of this vault nor a contact."])
        }
    }

    // MARK: Accounts

    /// - Returns: whether the party is an account that the vault does not know, and receives or gains something.
    private mutating func judge(_ party: Party, of leaves: [CallLeaf], number index: Int) -> Bool {
        switch party.role {
        case .source, .loses:
            judgeLoser(party, index + 1)
            return false
        case .receiver:
            // Nothing but its address can be looked at.
            if let account = party.account, party.words.isEmpty,
                case .unknown = context.ownAccounts.likeness(to: account)
            {
                return true
            }
            return judge(party, of: leaves[index], number: index + 1)
        case .rights, .owner: return judge(party, of: leaves[index], number: index + 1)
        }
    }

    private mutating func judge(_ party: Party, of leaf: CallLeaf, number: Int) -> Bool {
        guard let account = party.account else {
            guard party.isNoAccount else {
                judgeRights(party, words: party.shownWords, of: leaf, number: number)
                return true
            }
            note(
                .notAnAccount,
                "What stands for the destination is no account of its chain (\(party.shownWords)): what goes there may "
                    + "be lost, or somebody else's.", at: method(.notAnAccount, of: leaf, number: number))
            return false
        }
        switch likeness(to: account, isElsewhere: !party.words.isEmpty) {
        case .own: return false
        case .contact:
            if account != context.signer { judgeRights(party, words: account.text, of: leaf, number: number) }
            return false
        case .unknown: break
        case .contactLookalike(let known, let name):
            note(
                .lookalikeAddress,
                "The destination looks like the address \(known) of your contact \(ForeignName.shown(name, as: .title)) and is "
                    + "another one: compare every character.", at: difference(account.text, from: known, number))
        case .lookalike(let own):
            note(
                .lookalikeAddress,
                "The destination looks like your address \(own) and is another one: compare every character.",
                at: difference(account.text, from: own, number))
        }
        if account != context.signer { judgeRights(party, words: account.text, of: leaf, number: number) }
        return true
    }

    /// What an address is to the vault.
    ///
    /// An account on another chain is written in another form. It is compared as it is shown, and as this chain writes
    /// it: its twin may be made for either.
    private mutating func likeness(to account: AccountAddress, isElsewhere: Bool) -> OwnAccounts.Likeness {
        guard isElsewhere, let shown = try? SS58.decode(account.text), shown.prefix != context.network.base58Prefix
        else { return context.ownAccounts.likeness(to: account) }
        let own = ownAccountsElsewhere[shown.prefix] ?? context.ownAccounts.written(with: shown.prefix)
        ownAccountsElsewhere[shown.prefix] = own
        let likeness = own.likeness(to: account)
        guard case .unknown = likeness,
            let here = AccountAddress(accountID: shown.payload, prefix: context.network.base58Prefix)
        else { return likeness }
        return context.ownAccounts.likeness(to: here).written(with: shown.prefix)
    }

    /// Rights of proxies and of keys have rules of their own.
    private mutating func judgeRights(_ party: Party, words: String, of leaf: CallLeaf, number: Int) {
        guard leaf.marks.isDisjoint(with: [.proxy, .keys]) else { return }
        let message: String
        switch party.role {
        case .rights: message = "Gives \(words) rights over what is yours, or in your care."
        case .owner: message = "Makes \(words) the owner."
        case .receiver, .source, .loses: return
        }
        note(.rightsChange, message, at: account(.rightsChange, address: words, number: number))
    }

    private mutating func judgeLoser(_ party: Party, _ number: Int) {
        guard party.isNoAccount || party.account == nil || party.account != context.signer else { return }
        let name = party.account?.text ?? party.shownWords
        note(
            .othersAccount,
            party.role == .source
                ? "Moves or takes what \(name) has." : "Takes something from \(name), or acts against it.",
            at: number)
    }

    // MARK: The call

    /// What rules find in a call beside its accounts; nothing for most calls.
    private mutating func judge(_ leaf: CallLeaf, number: Int) {
        let marks = leaf.marks
        if !marks.isDisjoint(with: [.all, .empties]) {
            note(.wholeBalance, "The account may be left empty, and disappear from the chain.", at: number)
        }
        if marks.contains(.proxy) {
            let gaining = leaf.parties.first { $0.role == .rights }?.account?.text
            note(
                .proxyChange, "Gives somebody else the right to act for the account.",
                at: gaining.map { account(.proxyChange, address: $0, number: number) }
                    ?? method(.proxyChange, of: leaf, number: number))
        }
        if marks.contains(.rights) {
            note(
                .rightsChange, "Changes who may act for the account.",
                at: method(.rightsChange, of: leaf, number: number))
        }
        if marks.contains(.keys) { note(.keyRights, "Changes who holds keys or rights.", at: number) }
        if marks.contains(.destroys) { judgeDestruction(leaf, number) }
        judgePrograms(leaf, number)
        judgeSale(leaf, number)
        judgeOrphan(leaf, number)
        if marks.contains(.root) || leaf.origin == .root || leaf.isUnderSudo || leaf.pallet == "Sudo" {
            note(.root, "Acts with the rights of the chain itself.", at: method(.root, of: leaf, number: number))
        }
        if leaf.depth > 3 { note(.deepNesting, "Stands \(leaf.depth) calls deep.", at: number) }
        if let origin = foreignOrigin(leaf) { note(.foreignOrigin, origin, at: number) }
        if marks.contains(.hidden) {
            note(
                .hiddenCall, "Only the hash or the bytes of a call are given: what it does cannot be shown.",
                at: method(.hiddenCall, of: leaf, number: number))
        }
        judgeReading(leaf, number)
    }

    private mutating func judgeSale(_ leaf: CallLeaf, _ number: Int) {
        guard !leaf.marks.isDisjoint(with: [.sells, .swaps]) else { return }
        let price = leaf.cards.lazy.compactMap { [context] in context.amount(onCard: $0) }.first.map(context.shown)
        guard leaf.marks.contains(.swaps) else {
            return note(.openSale, "Anybody may buy it for \(price ?? "its price").", at: number)
        }
        let terms = price.map {
            leaf.firstAmount == nil ? " for \($0) beside that" : ", and gets \($0) of yours with it"
        }
        note(.openSale, "Anybody who has what is asked for may take what is offered\(terms ?? "").", at: number)
    }

    /// An account without a key that no proxy may act for any more is lost. Multisigs and derived accounts are reached
    /// otherwise.
    private mutating func judgeOrphan(_ leaf: CallLeaf, _ number: Int) {
        guard leaf.marks.contains(.orphans) else { return }
        let name: String
        switch leaf.origin {
        case .account(let address):
            if address == context.signer { return }
            if case .own = context.ownAccounts.likeness(to: address) { return }
            name = address.text
        case .decided: name = "the account"
        case .signer, .multisig, .derivative, .root, .named: return
        }
        note(
            .valueDestroyed,
            "Takes rights away that others have to act for \(name): if it has no key of its own, nobody may be able to "
                + "use it any more.", at: method(.valueDestroyed, of: leaf, number: number))
    }

    /// What XCM programs among its arguments do beside moving assets.
    private mutating func judgePrograms(_ leaf: CallLeaf, _ number: Int) {
        if leaf.marks.contains(.burns) {
            note(
                .valueDestroyed, "Burns assets in a program of instructions: nobody gets them.",
                at: method(.valueDestroyed, of: leaf, number: number))
        }
        if leaf.marks.contains(.strands) {
            note(
                .strandedAssets,
                "A program of instructions takes or gets assets, and its end leaves them to nobody: they may be lost.",
                at: number)
        }
        if leaf.marks.contains(.changesOrigin) {
            note(
                .foreignOrigin, "A program of instructions goes on for another account than the one that begins it.",
                at: number)
        }
    }

    /// What the screen cannot show as it is.
    private mutating func judgeReading(_ leaf: CallLeaf, _ number: Int) {
        if leaf.marks.contains(.holdsText), context.cards[leaf.cards].contains(where: HiddenText.isIn) {
            note(
                .textInArguments,
                "A text holds characters that hide or reorder what is shown, or push it out of sight.",
                at: number)
        }
        if leaf.marks.contains(.holdsText), context.cards[leaf.cards].contains(where: HiddenText.isCut) {
            note(
                .textInArguments, "A text is longer than what is shown of it: its end stands nowhere.", at: number)
        }
        if leaf.marks.contains(.notInWords) {
            note(.notInWords, "An argument could not be put in words: read its values in full.", at: number)
        }
        if !leaf.marks.isDisjoint(with: [.unclassified, .holdsUnclassified]) {
            note(
                .unclassifiedCall, "This program has no rule for \(AnswerWording.name(of: leaf)): read every value.",
                at: number)
            let holdsNothing = leaf.parties.isEmpty && leaf.uncounted == 0 && !leaf.marks.contains(.holdsUnclassified)
            found[.unclassifiedCall]?.raise(to: holdsNothing ? .notice : .warn)
        }
    }

    private mutating func judgeDestruction(_ leaf: CallLeaf, _ number: Int) {
        guard let amount = leaf.firstAmount else {
            return note(
                .valueDestroyed,
                leaf.marks.contains(.pays)
                    ? "Takes an amount that it does not say, and destroys it." : "What it names is gone for ever.",
                at: method(.valueDestroyed, of: leaf, number: number))
        }
        let digits = amount.asset == .native ? context.network.digits(of: amount.value) : "\(amount.value)"
        note(
            .valueDestroyed, "Destroys \(context.shown(amount)): nobody gets it.",
            at: Confirmation(rule: .valueDestroyed, kind: .amount, text: digits, call: number))
    }

    private func foreignOrigin(_ leaf: CallLeaf) -> String? {
        switch leaf.origin {
        case .signer: nil
        case .account(let address): address == context.signer ? nil : "Acts for another account, \(address.text)."
        case .multisig(let address): "Acts for a multisig account\(address.map { ", \($0.text)" } ?? "")."
        case .derivative(let address): "Acts for a derived account\(address.map { ", \($0.text)" } ?? "")."
        case .root: "Acts for the chain itself."
        case .named(let name): "Acts for \(ForeignName.shown(name, as: .title)), not for the account that signs."
        case .decided(let method):
            "\(ForeignName.shown(method, as: .title)) decides for whom it acts: this may be the account that signs."
        }
    }

    // MARK: Noting

    private mutating func note(_ rule: RiskRule, _ message: String, at confirmation: Confirmation) {
        note(rule, message, at: confirmation.call)
        var confirmation = confirmation
        confirmation.message = message
        found[rule]?.confirmations.ask(confirmation)
    }

    private mutating func note(_ rule: RiskRule, _ message: String, at call: Int) {
        found[rule, default: Finding()].add(message, call)
        if rule != .unclassifiedCall { found[rule]?.raise(to: rule.severity) }
    }

    private func method(_ rule: RiskRule, of leaf: CallLeaf, number: Int) -> Confirmation {
        Confirmation(rule: rule, kind: .method, text: leaf.method, call: number)
    }

    private func account(_ rule: RiskRule, address: String, number: Int) -> Confirmation {
        Confirmation(
            rule: rule, kind: .account, text: String(address.suffix(Confirmation.characters)), call: number,
            address: address)
    }

    /// The ends are what the two have in common: the first character that they do not, and what follows it.
    private func difference(_ address: String, from own: String, _ number: Int) -> Confirmation {
        let common = zip(address, own).prefix { $0 == $1 }.count
        let start = max(0, min(common, address.count - Confirmation.characters))
        return Confirmation(
            rule: .lookalikeAddress, kind: .difference(position: start + 1),
            text: String(address.dropFirst(start).prefix(Confirmation.characters)), call: number, address: address)
    }
}

extension CallFindings.Finding {
    fileprivate mutating func add(_ message: String, _ call: Int) {
        if calls.last != call { calls.append(call) }
        if messages.last != message, !messages.contains(message) { messages.append(message) }
    }

    fileprivate mutating func raise(to severity: Risk.Severity) {
        self.severity = max(self.severity, severity)
    }
}

extension Party {
    /// What it is where it has no account, fit for a sentence of this program's.
    fileprivate var shownWords: String { ForeignName.shown(words, as: .sentence) }
}

extension CallLeaf {
    /// Whether a rule may hold by something beside its accounts.
    fileprivate var isUnusual: Bool {
        guard case .signer = origin else { return true }
        return depth > 3 || !marks.isEmpty || pallet == "Sudo"
    }
}
