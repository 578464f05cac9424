import Substrate

/// The accounts of the vault's keys, in the form of each network that payloads are for.
final class OwnAccountsByNetwork {
    private struct Form: Hashable {
        var prefix: UInt16
        var isEthereum: Bool
    }

    private let keys: [StoredKey]
    private var made: [Form: OwnAccounts] = [:]

    init(_ keys: [StoredKey]) {
        self.keys = keys
    }

    /// The accounts in the form of a network, made once for all transactions of a bulk.
    func accounts(in network: NetworkSpecs) -> OwnAccounts {
        let form = Form(prefix: network.base58Prefix, isEthereum: network.scheme == .ethereum)
        if let known = made[form] { return known }
        let accounts = OwnAccounts(keys, in: network)
        made[form] = accounts
        return accounts
    }
}
