import Substrate

extension RiskContext {
    /// Every rule that holds, the most severe first.
    func risks() -> [Risk] {
        let findings = leafFindings()
        return RiskRule.allCases.compactMap { rule in
            if let found = findings[rule] {
                return Risk(
                    rule: rule, calls: found.calls, message: found.messages.joined(separator: " "),
                    confirmations: found.confirmations)
            }
            guard let message = finding(rule) else { return nil }
            if rule == .derivedOnTheFly, let onTheFly {
                let end = String(onTheFly.address.text.suffix(Confirmation.characters))
                let typed = Confirmation(kind: .author, text: end, call: 1)
                return Risk(rule: rule, calls: [], message: message, confirmations: [typed])
            }
            return Risk(
                rule: rule, calls: [], message: message,
                confirmations: effects.leaves.first.map { confirmations(rule, $0, number: 1) } ?? [])
        }.sorted { $0.severity > $1.severity }
    }

    /// The last five characters of the destination, or the method's name where there is none.
    private func confirmations(_ rule: RiskRule, _ leaf: CallLeaf, number: Int) -> [Confirmation] {
        guard rule.severity == .danger else { return [] }
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
        case .derivedOnTheFly:
            onTheFly.map { key in
                "Signed by a key that is derived on the fly and not enabled in \(network.title): seed \(key.seed) with the root "
                    + "\(key.root.text), path \(key.path.isEmpty ? "(none: the root itself)" : key.path), address "
                    + "\(key.address.text)."
            }
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
        let texts = effects.totals.map { $0.text(on: network) }
        return texts.isEmpty ? "" : ", together \(texts.joined(separator: " and "))"
    }

    /// Above one unit of the network, or above one hundredth of what is sent.
    private var largeTip: String? {
        guard let tip = extensions.tip, tip > 0 else { return nil }
        let sent = effects.totals.first { $0.asset == .native }?.value ?? 0
        guard unit.map({ tip > $0 }) ?? false || sent > 0 && tip > sent / 100 else { return nil }
        return
            "A tip of \(Amount(tip, decimals: network.decimals, unit: network.unit)) goes to whoever makes the block."
    }

    /// One of the network's token in its smallest unit; nil where 128 bits do not hold it.
    private var unit: UInt128? {
        var unit: UInt128 = 1
        for _ in 0..<network.decimals {
            let (product, overflow) = unit.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            unit = product
        }
        return unit
    }

    // MARK: Single calls

    /// What one rule has found in several calls.
    fileprivate struct Findings {
        var calls: [Int] = []
        /// Each once.
        var messages: [String] = []
        var confirmations: [Confirmation] = []
    }

    /// One pass over the calls for all rules that are about single ones.
    private func leafFindings() -> [RiskRule: Findings] {
        var findings: [RiskRule: Findings] = [:]
        func note(_ rule: RiskRule, _ message: String, _ leaf: CallLeaf, _ number: Int) {
            findings[rule, default: Findings()].add(
                message, number, confirmations(rule, leaf, number: number))
        }
        // Most destinations are unknown: they are counted without looking a rule up for each.
        var unknown: [Int] = []
        var method = ""
        var marks: MethodMarks = []
        let leaves = effects.leaves
        for index in leaves.indices {
            if index == 0 || leaves[index].method != method {
                method = leaves[index].method
                marks = MethodMarks(method: method)
            }
            switch ownAccounts.likeness(toDestinationOf: leaves[index]) {
            case nil, .own: break
            case .unknown: unknown.append(index + 1)
            case .lookalike(let own):
                note(
                    .lookalikeAddress,
                    "The destination looks like your address \(own) and is another one: compare every character.",
                    leaves[index], index + 1)
                unknown.append(index + 1)
            }
            guard !marks.isEmpty || leaves[index].isUnusual else { continue }
            for (rule, message) in judged(leaves[index], marks) {
                note(rule, message, leaves[index], index + 1)
            }
        }
        if !unknown.isEmpty {
            findings[.unknownDestination] = Findings(
                calls: unknown, messages: ["The destination is not an address of this vault."])
        }
        return findings
    }

    /// What rules find in a call beside its destination; nothing for most calls.
    private func judged(_ leaf: CallLeaf, _ marks: MethodMarks) -> [(RiskRule, String)] {
        var found: [(RiskRule, String)] = []
        if marks.contains(.wholeBalance) || marks.contains(.mayEmptyAccount) && leaf.pallet == "Balances" {
            found.append((.wholeBalance, "The account may be left empty, and disappear from the chain."))
        }
        if marks.contains(.proxyChange) {
            found.append((.proxyChange, "Gives somebody else the right to act for the account."))
        }
        if marks.contains(.keyRights) { found.append((.keyRights, "Changes who holds keys or rights.")) }
        if marks.contains(.root) || leaf.origin == .root || leaf.isUnderSudo || leaf.pallet == "Sudo" {
            found.append((.root, "Acts with the rights of the chain itself."))
        }
        if leaf.depth > 3 { found.append((.deepNesting, "Stands \(leaf.depth) calls deep.")) }
        if let origin = foreignOrigin(leaf) { found.append((.foreignOrigin, origin)) }
        if marks.contains(.hidden) || leaf.givesCallByHash {
            found.append((.hiddenCall, "Only the hash of a call is given: what it does cannot be shown."))
        }
        if leaf.holdsText, cards[leaf.cards].contains(where: HiddenText.isIn) {
            found.append((.textInArguments, "A text holds characters that hide or reorder what is shown."))
        }
        return found
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
}

extension CallLeaf {
    /// Whether a rule may hold by something beside its method and its destination.
    fileprivate var isUnusual: Bool {
        if case .signer = origin { depth > 3 || givesCallByHash || holdsText || pallet == "Sudo" } else { true }
    }
}

extension RiskContext.Findings {
    fileprivate mutating func add(_ message: String, _ call: Int, _ asked: [Confirmation]) {
        calls.append(call)
        if messages.last != message, !messages.contains(message) { messages.append(message) }
        for new in asked where !confirmations.contains(where: { $0.text == new.text }) { confirmations.append(new) }
    }
}

/// What rules go by in the name of a method, whatever the pallet is called on a chain.
private struct MethodMarks: OptionSet {
    let rawValue: UInt8

    static let wholeBalance = MethodMarks(rawValue: 1)
    /// In the pallet Balances.
    static let mayEmptyAccount = MethodMarks(rawValue: 2)
    static let proxyChange = MethodMarks(rawValue: 4)
    static let keyRights = MethodMarks(rawValue: 8)
    static let root = MethodMarks(rawValue: 16)
    static let hidden = MethodMarks(rawValue: 32)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(method: String) {
        switch method {
        case "transfer_all": self = .wholeBalance
        // `transfer` is the former name of `transfer_allow_death`.
        case "transfer_allow_death", "transfer": self = .mayEmptyAccount
        // `anonymous` is the former name of `create_pure`.
        case "add_proxy", "create_pure", "anonymous": self = .proxyChange
        case "announce": self = [.proxyChange, .hidden]
        case "set_keys", "set_controller", "set_payee", "add_registrar", "set_subs": self = .keyRights
        case "set_code", "apply_authorized_upgrade", "kill_storage", "set_storage": self = .root
        case "approve_as_multi", "dispatch_whitelisted_call", "request_preimage": self = .hidden
        default: self = []
        }
    }
}
