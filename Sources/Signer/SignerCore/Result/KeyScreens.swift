import SCALE
import SecretMemory
import Signer
import Substrate
import TextForms

/// A network as cards show it.
package struct NetworkCard: Sendable, Encodable {
    /// Scheme and genesis in hex, by which actions name it.
    package var key: String
    /// The name for people, as Polkadot Asset Hub.
    package var title: String
    /// The name of the logo.
    package var logo: String
    /// The place in lists.
    package var order: Int?

    init(_ specs: NetworkSpecs, order: Int? = nil) {
        key = Hex.encode(specs.key.scaleEncoded)
        title = specs.title
        logo = specs.logo
        self.order = order
    }
}

/// A key as cards show it.
package struct KeyCard: Sendable, Encodable {
    /// The address key in hex, by which actions name it.
    package var addressKey: String
    /// The public key in hex.
    package var publicKey: String
    /// The account in hex, from which its picture is drawn: an ecdsa key's is a hash of it.
    package var account: String
    /// The whole address in the network's form.
    package var address: String
    /// The path without its password.
    package var path: String
    /// Whether a password belongs to it.
    package var hasPassword: Bool
    /// Whether its secret may have left the vault.
    package var isExposed: Bool
    /// Whether its secret follows from one that left the vault and from public keys: notice SoftParentAtRisk.
    package var isSoftParentAtRisk = false
    /// Whether it is swiped.
    package var isSwiped = false
    /// Whether it is selected.
    package var isSelected = false

    init(_ key: StoredKey, in network: NetworkSpecs) {
        addressKey = Hex.encode(key.signer.scaleEncoded)
        publicKey = Hex.encode(key.signer.publicKey)
        account = Hex.encode(key.signer.accountID)
        address = key.address(in: network).text
        path = key.details.path
        hasPassword = key.details.hasPassword
        isExposed = key.details.secretExposed
    }
}

/// The keys of one seed in one network.
package struct KeysData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
    /// The network whose keys are listed.
    package var network: NetworkCard
    /// The key of the seed itself, if it is in the network.
    package var root: KeyCard?
    /// Derived keys, by path.
    package var keys: [KeyCard]
    /// Whether several are being selected.
    package var isSelecting: Bool
    /// How many are selected.
    package var selectedCount: Int
    /// What a person should know of the seed.
    package var notices: [NoticeData]

    init(of state: CoreState, vault: Vault) throws {
        guard let seed = state.seed else { throw CoreError.noSeedChosen }
        let specs = try vault.shownNetwork(state.network)
        self.seed = seed
        network = NetworkCard(specs)
        var selected: Set<MultiSigner> = []
        var swiped: MultiSigner?
        switch state.specialty {
        case .none: break
        case .swiped(let key): swiped = key
        case .selecting(let keys): selected = Set(keys)
        }
        if case .selecting = state.specialty { isSelecting = true } else { isSelecting = false }
        selectedCount = selected.count
        let all = try vault.shownKeys(seed: seed, network: specs.key)
        let stored = try vault.keyRows()
        let atRisk = SecretExposure.atRisk(among: stored)
        notices = DevelopmentPhrase.seed(among: stored) == seed ? [.developmentPhrase(seed: seed)] : []
        func card(_ key: StoredKey) -> KeyCard {
            var card = KeyCard(key, in: specs)
            card.isSoftParentAtRisk = atRisk.contains(key.signer)
            card.isSwiped = key.signer == swiped
            card.isSelected = selected.contains(key.signer)
            return card
        }
        root = all.first { $0.details.isRoot }.map(card)
        keys = all.filter { !$0.details.isRoot }.map(card)
    }
}

/// One key with its code.
package struct KeyDetailsData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
    /// The key that is looked at.
    package var key: KeyCard
    /// The network that its address and its code are of.
    package var network: NetworkCard
    /// The titles of all networks that it is in.
    package var networks: [String]
    /// The scheme of its signatures.
    package var scheme: String
    /// What its code says.
    package var code: CodeData
    /// How many other keys go with its secret if that is handed out, beside those that are out or at risk already.
    package var givesAway: Int
    /// Whether its secret gives the key above it, whose public key is no secret.
    package var givesParent: Bool
    /// Which one of several it is, from 1; nil where one alone is shown.
    package var current: Int?
    /// How many there are.
    package var count: Int?

    init(_ key: StoredKey, in specs: NetworkSpecs, vault: Vault) throws {
        self.key = KeyCard(key, in: specs)
        let stored = try vault.keyRows()
        self.key.isSoftParentAtRisk = SecretExposure.atRisk(among: stored).contains(key.signer)
        givesAway = SecretExposure.countGivenAway(with: key, among: stored)
        givesParent = SecretExposure.givesParent(key.details)
        seed = key.details.seedName
        network = NetworkCard(specs)
        networks = try vault.networks().filter { key.details.networks.contains($0.key) }.map(\.title)
        scheme = specs.scheme.name
        let kind = specs.scheme == .ethereum ? "ethereum" : "substrate"
        code = CodeData(single: "\(kind):\(self.key.address):0x\(specs.genesisHash.hex)")
    }
}

/// The path of a new key.
package struct DeriveKeyData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
    /// The network that the new key will be for.
    package var network: NetworkCard
    /// A path that is free.
    package var suggestion: String
    /// The key that was there already.
    package var collision: KeyCard?
}

/// What can be said of a path while it is typed.
package struct DerivationCheckData: Sendable, Encodable {
    /// Whether its key can be made.
    package var isGood: Bool
    /// Whether its password is asked for once more before.
    package var asksPassword: Bool
    /// The key that has the path already.
    package var collision: KeyCard?
    /// What is wrong with it.
    package var error: CoreFailure?

    init(_ check: DerivationCheck, network: NetworkSpecs) {
        isGood = check.next != nil
        if case .repeatPassword? = check.next { asksPassword = true } else { asksPassword = false }
        collision = check.collision.map { KeyCard($0, in: network) }
        error = check.error.map { CoreFailure($0) }
    }
}

/// A path whose password is to be repeated.
package struct PasswordConfirmData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
    /// The path without its password.
    package var path: String
}

/// The networks to choose from.
package struct NetworkSelectorData: Sendable, Encodable {
    /// The networks in the order of lists.
    package var networks: [NetworkCard]
    /// The key of the chosen one.
    package var selected: String?
}

/// The secret of one key, as a code.
package struct ExportSecretData: Sendable, Encodable {
    /// The key, exposed from now on.
    package var key: KeyCard
    /// The network that the code with the secret names.
    package var network: NetworkCard
    /// What the code says.
    package var secret: ShownSecret
}
