import Substrate

/// The accounts of the vault's keys and of contacts, in the form of each network that payloads are for.
final class OwnAccountsByNetwork {
    private struct Form: Hashable {
        var prefix: UInt16
        var isEthereum: Bool
        /// Contacts may count in one network and not in another of the same prefix.
        var genesis: Hash256
    }

    private let keys: [StoredKey]
    private let contacts: [Contact]
    private var made: [Form: OwnAccounts] = [:]

    init(_ keys: [StoredKey], _ contacts: [Contact]) {
        self.keys = keys
        self.contacts = contacts
    }

    /// The accounts in the form of a network, made once for all transactions of a bulk.
    func accounts(in network: NetworkSpecs) -> OwnAccounts {
        let form = Form(
            prefix: network.base58Prefix, isEthereum: network.scheme == .ethereum, genesis: network.genesisHash)
        if let known = made[form] { return known }
        let accounts = OwnAccounts(keys, contacts, in: network)
        made[form] = accounts
        return accounts
    }
}
