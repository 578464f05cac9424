/// The account or origin that a call acts for.
public enum CallOrigin: Hashable, Sendable {
    /// The account that signs.
    case signer
    /// An account that lets the signer act: a proxy's real account, one that sudo or `dispatch_as` names.
    case account(AccountAddress)
    /// A multisig that the signer belongs to; nil where its address cannot be computed.
    case multisig(AccountAddress?)
    /// An account derived from the one that would act otherwise; nil where its address cannot be computed.
    case derivative(AccountAddress?)
    /// The chain's administration.
    case root
    /// An origin of the chain's own.
    case named(String)
    /// A method decides for whom the call acts: it may be the account that signs.
    case decided(by: String)

    /// The account, where it is known and not the signer's.
    public var account: AccountAddress? {
        switch self {
        case .account(let address): address
        case .multisig(let address), .derivative(let address): address
        case .signer, .root, .named, .decided: nil
        }
    }
}

/// Finds out for whom the calls inside a call act.
struct OriginResolver {
    let tree: CallTree
    /// The account that signs, if it is known.
    let signer: AccountAddress?
    /// The prefix of addresses that are computed here.
    let prefix: UInt16

    /// - Parameter outer: for whom the call itself acts.
    func origin(inside node: CallTree.Node, outer: CallOrigin) -> CallOrigin {
        let method = tree.method(node)
        switch method {
        case "batch", "batch_all", "force_batch", "with_weight", "if_else", "with_fee_currency", "with_fee_path",
            "with_fee_aggregated_path":
            return outer
        case "proxy", "proxy_announced": return account("real", of: node)
        case "sudo", "sudo_unchecked_weight", "dispatch_whitelisted_call_with_preimage": return .root
        case "sudo_as": return account("who", of: node)
        case "as_recovered": return account("account", of: node)
        case "as_derivative": return .derivative(derivative(node, outer))
        case "as_multi": return .multisig(multisig(node, outer, threshold: threshold(node)))
        case "as_multi_threshold_1": return .multisig(multisig(node, outer, threshold: 1))
        case "dispatch_as", "dispatch_as_fallible": return dispatched(node)
        default: return decided(by: node)
        }
    }

    private func decided(by node: CallTree.Node) -> CallOrigin {
        .decided(by: "\(tree.pallet(node)).\(tree.method(node))")
    }

    private func account(_ argument: String, of node: CallTree.Node) -> CallOrigin {
        guard let range = tree.argument(argument, of: node), let address = tree.account(in: range) else {
            return decided(by: node)
        }
        return .account(address)
    }

    /// The bytes of the account that acts.
    private func accountID(_ origin: CallOrigin) -> [UInt8]? {
        if case .signer = origin { signer?.accountID } else { origin.account?.accountID }
    }

    private func derivative(_ node: CallTree.Node, _ outer: CallOrigin) -> AccountAddress? {
        guard let account = accountID(outer), let range = tree.argument("index", of: node),
            let index = tree.number(in: range).flatMap({ UInt16(exactly: $0) })
        else { return nil }
        return AccountAddress(accountID: DerivedAccount.derivative(of: account, index: index), prefix: prefix)
    }

    private func threshold(_ node: CallTree.Node) -> UInt16? {
        tree.argument("threshold", of: node).flatMap { tree.number(in: $0) }.flatMap { UInt16(exactly: $0) }
    }

    private func multisig(_ node: CallTree.Node, _ outer: CallOrigin, threshold: UInt16?) -> AccountAddress? {
        guard let threshold, let account = accountID(outer), let range = tree.argument("other_signatories", of: node)
        else { return nil }
        let others = tree.accounts(in: range).compactMap(\.accountID)
        guard others.allSatisfy({ $0.count == account.count }) else { return nil }
        return AccountAddress(
            accountID: DerivedAccount.multisig(signatories: others + [account], threshold: threshold), prefix: prefix)
    }

    /// `system.Root`, `system.Signed` with an account, or an origin of a pallet.
    private func dispatched(_ node: CallTree.Node) -> CallOrigin {
        guard let range = tree.argument("as_origin", of: node) else { return decided(by: node) }
        let names = tree.cards[range].compactMap { card in
            if case .enumVariantName(let name, _) = card.kind { name } else { nil }
        }
        if names.contains("Signed"), let address = tree.account(in: range) { return .account(address) }
        return names.last == "Root" ? .root : .named(names.joined(separator: "."))
    }
}

/// XCM programs that run on this chain.
extension OriginResolver {
    /// A call that executes an XCM program, in which each `Transact` says for itself for whom it acts.
    struct Program {
        let call: CallTree.Node
        let message: Range<Int>
        /// For whom the program begins to run.
        let origin: CallOrigin
        /// The card of the first instruction that changes that.
        let firstChange: Int?
    }

    /// - Parameter origin: for whom the call acts.
    /// - Returns: nil for a call that executes no program.
    func program(_ node: CallTree.Node, for origin: CallOrigin) -> Program? {
        guard tree.method(node) == "execute", let message = tree.argument("message", of: node) else { return nil }
        let firstChange = message.first { tree.holdsVariant(in: $0..<$0 + 1, Self.changesOfOrigin) }
        return Program(call: node, message: message, origin: origin, firstChange: firstChange)
    }

    /// Instructions after which, or inside which, a program does not run for the account that it began with.
    static let changesOfOrigin: Set<String> = [
        "AliasOrigin", "ClearOrigin", "DescendOrigin", "ExecuteWithOrigin", "UniversalOrigin",
    ]

    /// For whom a program's `Transact` acts.
    ///
    /// The program runs at the place of the account that executes it, and by these two kinds of origins the chain makes
    /// that place the account again: `SovereignSignedViaLocation` and `SignedAccountId32AsNative` of `xcm-builder` in
    /// `polkadot-sdk`.
    func origin(transacting call: CallTree.Node, in program: Program) -> CallOrigin {
        var indent = tree.cards[call.cards.lowerBound].indent
        var transact: Int?
        // What is kept for later runs after all that stands behind it.
        var isKept = false
        for index in (program.message.lowerBound..<call.cards.lowerBound).reversed()
        where tree.cards[index].indent < indent {
            indent = tree.cards[index].indent
            guard case .enumVariantName(let name, _) = tree.cards[index].kind else { continue }
            if transact == nil, name == "Transact" { transact = index }
            isKept = isKept || name == "SetAppendix" || name == "SetErrorHandler"
        }
        guard let transact, let kind = originKind(transact, call), kind == "SovereignAccount" || kind == "Native",
            program.firstChange.map({ $0 > transact && !isKept }) ?? true
        else { return decided(by: program.call) }
        return program.origin
    }

    private func originKind(_ transact: Int, _ call: CallTree.Node) -> String? {
        for index in transact + 1..<call.cards.lowerBound {
            // Called otherwise up to version 2.
            guard let name = tree.cards[index].argument, name == "origin_kind" || name == "origin_type",
                case .enumVariantName(let kind, _) = tree.cards[index + 1].kind
            else { continue }
            return kind
        }
        return nil
    }
}
