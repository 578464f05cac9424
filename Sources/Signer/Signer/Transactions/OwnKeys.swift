import Substrate

/// The accounts that are the vault's own, and the key of each; and those of contacts.
package struct OwnKeys: Sendable {
    /// Seed and path, by the account.
    private var names: [IdenticonSource: String] = [:]
    private var contacts: [IdenticonSource: Contact] = [:]

    init() {}

    init(_ keys: [StoredKey], _ contacts: [Contact]) {
        for contact in contacts { self.contacts[contact.identicon] = contact }
        names.reserveCapacity(keys.count)
        for key in keys {
            let account = key.signer.identicon(for: key.details.scheme)
            guard names[account] == nil else { continue }
            names[account] = key.details.seedName + key.details.path
        }
    }

    /// The keys that a call names: nothing else of the vault outlives the look at it, also while the vault is locked.
    func named(by cards: [Card], _ effects: TransactionEffects, in network: NetworkSpecs) -> OwnKeys {
        var kept = OwnKeys()
        func keep(_ account: AccountAddress?) {
            guard let account else { return }
            kept.names[account.identicon] = name(of: account)
            if let contact = contacts[account.identicon], contact.counts(in: network) {
                kept.contacts[account.identicon] = contact
            }
        }
        for card in cards { if case .id(let account) = card.kind { keep(account) } }
        for leaf in effects.leaves {
            keep(leaf.origin.account)
            for party in leaf.parties { keep(party.account) }
        }
        return kept
    }

    /// Seed and path of the key that an account belongs to; nil where it is none of the vault's.
    package func name(of address: AccountAddress) -> String? { names[address.identicon] }

    /// The name of the contact that an account is; nil where it is none, or the vault's own.
    package func contactName(of address: AccountAddress) -> String? {
        names[address.identicon] == nil ? contacts[address.identicon]?.name : nil
    }
}
