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
    /// An origin of the chain's own, or a method that decides for whom the call acts.
    case named(String)

    /// The account, where it is known and not the signer's.
    public var account: AccountAddress? {
        switch self {
        case .account(let address): address
        case .multisig(let address), .derivative(let address): address
        case .signer, .root, .named: nil
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
        case "batch", "batch_all", "force_batch", "with_weight", "if_else": return outer
        case "proxy", "proxy_announced": return account("real", of: node, method: method)
        case "sudo", "sudo_unchecked_weight", "dispatch_whitelisted_call_with_preimage": return .root
        case "sudo_as": return account("who", of: node, method: method)
        case "as_recovered": return account("account", of: node, method: method)
        case "as_derivative": return .derivative(derivative(node, outer))
        case "as_multi": return .multisig(multisig(node, outer, threshold: threshold(node)))
        case "as_multi_threshold_1": return .multisig(multisig(node, outer, threshold: 1))
        case "dispatch_as", "dispatch_as_fallible": return dispatched(node, method)
        default: return .named("\(tree.pallet(node)).\(method)")
        }
    }

    private func account(_ argument: String, of node: CallTree.Node, method: String) -> CallOrigin {
        guard let range = tree.argument(argument, of: node), let address = tree.account(in: range) else {
            return .named("\(tree.pallet(node)).\(method)")
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
    private func dispatched(_ node: CallTree.Node, _ method: String) -> CallOrigin {
        guard let range = tree.argument("as_origin", of: node) else {
            return .named("\(tree.pallet(node)).\(method)")
        }
        let names = tree.cards[range].compactMap { card in
            if case .enumVariantName(let name, _) = card.kind { name } else { nil }
        }
        if names.contains("Signed"), let address = tree.account(in: range) { return .account(address) }
        return names.last == "Root" ? .root : .named(names.joined(separator: "."))
    }
}
