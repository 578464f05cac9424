import Substrate
import TextForms

/// Which of the accounts that a call names are the vault's own, and by which key.
public struct OwnKeys: Sendable {
    /// Seed and path, by the account.
    private var names: [IdenticonSource: String] = [:]

    init() {}

    /// - Parameters:
    ///   - keys: all of the vault.
    ///   - cards: of a call; accounts that they name are looked for.
    init(_ keys: [StoredKey], among cards: [Card]) {
        var named: Set<IdenticonSource> = []
        for card in cards { if case .id(let address) = card.kind { named.insert(address.identicon) } }
        guard !named.isEmpty else { return }
        for key in keys {
            let account: IdenticonSource
            if key.details.scheme == .ethereum {
                guard let address = key.signer.ethereumAddress else { continue }
                account = .blockies("0x" + Hex.encode(address))
            } else {
                account = .dots(key.signer.accountID)
            }
            guard named.contains(account), names[account] == nil else { continue }
            names[account] = key.details.seedName + key.details.path
        }
    }

    /// Seed and path of the key that an account belongs to; nil where it is none of the vault's.
    public func name(of address: AccountAddress) -> String? { names[address.identicon] }
}
