import Substrate

extension RiskContext {
    /// Every rule that holds, the most severe first.
    func risks() -> [Risk] {
        RiskRule.allCases.compactMap(risk).sorted { $0.severity > $1.severity }
    }

    private func risk(_ rule: RiskRule) -> Risk? {
        switch rule {
        case .unverifiedMetadata, .oldMetadata, .exposedKey, .batch, .immortalEra, .largeTip, .metadataHashOff,
            .metadataHashMismatch:
            guard let message = finding(rule) else { return nil }
            return Risk(
                rule: rule, calls: [], message: message,
                confirmations: confirmations(rule, effects.leaves.first, number: 1))
        case .lookalikeAddress, .unknownDestination, .wholeBalance, .proxyChange, .keyRights, .root, .hiddenCall,
            .deepNesting, .foreignOrigin, .textInArguments:
            return leafRisk(rule)
        }
    }

    /// One risk for all calls that a rule holds for.
    private func leafRisk(_ rule: RiskRule) -> Risk? {
        var calls: [Int] = []
        var messages: [String] = []
        var typed: [Confirmation] = []
        for (index, leaf) in effects.leaves.enumerated() {
            guard let message = finding(rule, leaf) else { continue }
            calls.append(index + 1)
            if messages.last != message { messages.append(message) }
            typed += confirmations(rule, leaf, number: index + 1).filter { new in
                !typed.contains { $0.text == new.text }
            }
        }
        guard !calls.isEmpty else { return nil }
        return Risk(rule: rule, calls: calls, message: messages.uniqued().joined(separator: " "), confirmations: typed)
    }

    /// The last five characters of the destination, or the method's name where there is none.
    private func confirmations(_ rule: RiskRule, _ leaf: CallLeaf?, number: Int) -> [Confirmation] {
        guard rule.severity == .danger, let leaf else { return [] }
        guard let destination = leaf.destination else {
            return [Confirmation(kind: .method, text: leaf.method, call: number)]
        }
        let text = String(destination.text.suffix(Confirmation.characters))
        return [Confirmation(kind: .destination, text: text, call: number)]
    }

    // MARK: The transaction as a whole

    private func finding(_ rule: RiskRule) -> String? {
        switch rule {
        case .unverifiedMetadata where metadata.isUnverified:
            "Nobody vouches for what this vault knows of \(network.title): what is shown may be a lie."
        case .oldMetadata where metadata.used < metadata.latest:
            "Read with version \(metadata.used) of the metadata; version \(metadata.latest) is stored."
        case .exposedKey where isKeyExposed:
            "The secret of this key may have left the vault: others may be able to use it."
        case .batch where effects.leaves.count > 1: "\(effects.leaves.count) calls in one transaction\(totals)."
        case .immortalEra where extensions.isImmortal:
            "The signature never expires: if this is not sent now, it can be sent years later."
        case .largeTip: largeTip
        case .metadataHashOff where extensions.checksMetadataHash == false:
            "The chain will not check that it was shown as it is: the wallet switched the check of the metadata hash off."
        case .metadataHashMismatch: extensions.hashMismatch?.description
        default: nil
        }
    }

    private var totals: String {
        let texts = effects.totals.map { text(of: $0) }
        return texts.isEmpty ? "" : ", together \(texts.joined(separator: " and "))"
    }

    private func text(of amount: AssetAmount) -> String {
        switch amount.asset {
        case .native: "\(Amount(amount.value, decimals: network.decimals, unit: network.unit))"
        case .other(let pallet, let id): "\(amount.value) units of \(pallet) \(id)"
        }
    }

    /// Above one unit of the network, or above one hundredth of what is sent.
    private var largeTip: String? {
        guard let tip = extensions.tip, tip > 0 else { return nil }
        let unit = (0..<network.decimals).reduce(UInt128(1)) { value, _ in value.multipliedReportingOverflow(by: 10).0 }
        let sent = effects.totals.first { $0.asset == .native }?.value ?? 0
        guard network.decimals < 39 && tip > unit || sent > 0 && tip > sent / 100 else { return nil }
        return
            "A tip of \(Amount(tip, decimals: network.decimals, unit: network.unit)) goes to whoever makes the block."
    }

    // MARK: Single calls

    private func finding(_ rule: RiskRule, _ leaf: CallLeaf) -> String? {
        switch rule {
        case .lookalikeAddress:
            leaf.destination.flatMap { ownAccounts.lookalike(of: $0) }.map {
                "The destination looks like your address \($0) and is another one: compare every character."
            }
        case .unknownDestination:
            leaf.destination.flatMap {
                ownAccounts.contains($0) ? nil : "The destination is not an address of this vault."
            }
        case .wholeBalance where MethodNames.wholeBalance(leaf):
            "The account may be left empty, and disappear from the chain."
        case .proxyChange where MethodNames.proxyChange.contains(leaf.method):
            "Gives somebody else the right to act for the account."
        case .keyRights where MethodNames.keyRights.contains(leaf.method): "Changes who holds keys or rights."
        case .root where leaf.pallet == "Sudo" || leaf.origin == .root || MethodNames.root.contains(leaf.method):
            "Acts with the rights of the chain itself."
        case .hiddenCall where isHidden(leaf): "Only the hash of a call is given: what it does cannot be shown."
        case .deepNesting where leaf.depth > 3: "Stands \(leaf.depth) calls deep."
        case .foreignOrigin: foreignOrigin(leaf)
        case .textInArguments where HiddenText.isIn(cards[leaf.cards]):
            "A text holds characters that hide or reorder what is shown."
        default: nil
        }
    }

    private func foreignOrigin(_ leaf: CallLeaf) -> String? {
        switch leaf.origin {
        case .signer: nil
        case .account(let address): address == signer ? nil : "Acts for another account, \(address.text)."
        case .multisig(let address): "Acts for a multisig account\(address.map { ", \($0.text)" } ?? "")."
        case .derivative(let address): "Acts for a derived account\(address.map { ", \($0.text)" } ?? "")."
        case .root: "Acts for the chain itself."
        case .named(let name): "Acts for \(name), not for the account that signs."
        }
    }

    /// Whether a call stands for another that is known only by its hash.
    private func isHidden(_ leaf: CallLeaf) -> Bool {
        if MethodNames.hidden.contains(leaf.method) { return true }
        return cards[leaf.cards].contains { card in
            if case .enumVariantName(let name, _) = card.kind { MethodNames.preimages.contains(name) } else { false }
        }
    }
}

/// Methods that a rule goes by, whatever the pallet is called on a chain.
private enum MethodNames {
    /// `anonymous` is the former name of `create_pure`.
    static let proxyChange = ["add_proxy", "create_pure", "anonymous", "announce"]
    static let keyRights = ["set_keys", "set_controller", "set_payee", "add_registrar", "set_subs"]
    static let root = ["set_code", "apply_authorized_upgrade", "kill_storage", "set_storage"]
    static let hidden = ["approve_as_multi", "announce", "dispatch_whitelisted_call", "request_preimage"]

    /// Forms of a bounded call that is looked up among the chain's preimages.
    static let preimages = ["Lookup", "Legacy"]
    /// `transfer` is the former name of `transfer_allow_death`.
    static let allowingDeath = ["transfer_allow_death", "transfer"]

    static func wholeBalance(_ leaf: CallLeaf) -> Bool {
        leaf.method == "transfer_all" || leaf.pallet == "Balances" && allowingDeath.contains(leaf.method)
    }
}

extension [String] {
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
