/// The kinds of keys that wallets make of one and the same phrase. Raw values are the names that people see.
package enum WalletScheme: String, CaseIterable, Sendable {
    /// Junctions from the mini-secret: Polkadot Vault, polkadot-js, most wallets.
    case sr25519
    case ed25519
    case ecdsa
    /// The ecdsa key with the address that Polkadot Vault shows: SS58 of the key in place of the account.
    case ecdsaVault = "ecdsa-vault"
    /// Ethereum addresses as Polkadot Vault derives them: by junctions.
    case ethereum
    /// Ethereum addresses as MetaMask, Talisman and polkadot-js derive them: BIP-32 from the standard seed.
    case ethereumBIP44 = "ethereum-bip44"
    /// A Ledger device's ed25519 keys, in the app of Polkadot.
    case ledgerPolkadot = "ledger-polkadot"
    /// A Ledger device's ed25519 keys, in the app of Kusama.
    case ledgerKusama = "ledger-kusama"

    /// How keys at junctions sign; nil for schemes with paths of BIP-32.
    package var junctionScheme: SignatureScheme? {
        switch self {
        case .sr25519: .sr25519
        case .ed25519: .ed25519
        case .ecdsa, .ecdsaVault: .ecdsa
        case .ethereum: .ethereum
        case .ethereumBIP44, .ledgerPolkadot, .ledgerKusama: nil
        }
    }

    /// The coin of a Ledger app (SLIP-44).
    var ledgerCoin: UInt16? {
        switch self {
        case .ledgerPolkadot: 354
        case .ledgerKusama: 434
        default: nil
        }
    }

    /// The SS58 prefix where none is asked for: that of the app's network, else the one for any network.
    var defaultPrefix: UInt16 {
        switch self {
        case .ledgerPolkadot: 0
        case .ledgerKusama: 2
        default: 42
        }
    }
}
