import Airgap
import SecretMemory
import Substrate

/// A key of an import that is said to have a password, which nobody but the person knows.
public struct PasswordClaim: Hashable, Sendable {
    /// The vault's own name of the seed.
    public var seed: String
    /// The path, without a password.
    public var path: String
    /// The address that the import gives, in the form of its network.
    public var address: String
}

extension Vault {
    /// Imports the derived keys of an export whose seeds this vault has.
    ///
    /// Each key is derived and compared, whatever the export says of it. One that is said to have a password, by the
    /// export or by the person, is stored only when a password was entered with which its path gives its address: else
    /// whoever made the export could have an address of their own shown as one of this seed. Keys of unknown networks
    /// and those with malformed paths are left out, as the preview shows.
    ///
    /// - Parameters:
    ///   - proposal: what was shown.
    ///   - claimed: paths, without password, of keys that have one though the export does not say so.
    ///   - password: asks the person for the password of a key, again where it was wrong, up to
    ///     ``passwordAttempts`` times; nil leaves the key out.
    /// - Returns: the keys whose addresses were confirmed, in the order of the export, those with a password last.
    /// - Throws: ``SignerError/importAddressMismatch(path:)``, and nothing is stored, if an address that is not said to
    ///   have a password is not what its path gives.
    ///
    /// Source: `signer-product` section 3.8.
    @discardableResult
    public func importDerivations(
        _ proposal: Proposal, claimed: Set<String> = [], password: (PasswordClaim) throws -> SecretBytes? = { _ in nil }
    ) throws -> [StoredKey] {
        guard case .importDerivations = proposal.answer.action,
            case .derivations(let groups)? = proposal.answer.cards.derivations.first?.kind
        else { throw SignerError.nothingPending }
        try checkedPending(proposal)
        var (found, waiting) = try compared(groups, claimed: claimed)
        for var item in waiting where try confirm(&item, password) { found.append(item) }
        try key?.confirmVouched()
        try database.write { trees in
            try trees.removeAll(.transaction)
            var events: [Event] = []
            for item in found { events += try trees.enableIfNew(item.stored, in: item.network) }
            if !events.isEmpty { try HistoryLog.append(events, at: now(), to: trees) }
        }
        return found.map(\.stored)
    }

    /// Derives the keys of an import without passwords, and compares their addresses.
    ///
    /// - Returns: those that are what they are said to be, and those that may be so with a password.
    private func compared(
        _ groups: [DerivationsPreview], claimed: Set<String>
    ) throws -> (found: [ImportedKey], waiting: [ImportedKey]) {
        let phrases = OpenPhrases(seeds)
        var (found, waiting): ([ImportedKey], [ImportedKey]) = ([], [])
        for group in groups {
            for key in group.keys where key.status == .importable {
                guard var item = try importedKey(key, of: group.name) else { continue }
                let pair = try phrases.key(
                    ofSeed: group.name, at: Self.path(item.path), scheme: item.network.scheme)
                if item.isConfirmed(by: pair, hasPassword: false) {
                    found.append(item)
                } else if key.hasPassword == true || claimed.contains(item.path) {
                    waiting.append(item)
                } else {
                    throw SignerError.importAddressMismatch(path: item.path)
                }
            }
        }
        return (found, waiting)
    }

    /// How often the password of a key of an import is asked for.
    package static let passwordAttempts = 3

    /// Asks for the password of a key until its path gives its address.
    ///
    /// The seed is opened anew for each attempt: nothing of it stays in memory while a person types.
    ///
    /// - Returns: whether it was entered.
    private func confirm(_ item: inout ImportedKey, _ password: (PasswordClaim) throws -> SecretBytes?) throws -> Bool {
        for _ in 0..<Self.passwordAttempts {
            guard let entered = try password(item.claim), entered.count > 0 else { return false }
            let pair = try Self.derive(
                seeds.mnemonic(named: item.seed), path: Self.path(item.path), password: entered,
                scheme: item.network.scheme)
            if item.isConfirmed(by: pair, hasPassword: true) { return true }
        }
        return false
    }

    /// - Returns: nil for a network that went meanwhile.
    private func importedKey(_ key: DerivationsPreview.Key, of seed: String) throws -> ImportedKey? {
        let networkKey = NetworkKey(scheme: key.scheme, genesisHash: key.genesisHash)
        guard let network = try database.read({ try $0.network(networkKey)?.specs }) else { return nil }
        return ImportedKey(
            seed: seed, path: DerivationText.split(key.path ?? "").path, network: network, address: key.address)
    }

    /// A key of an import, on its way to be confirmed.
    private struct ImportedKey {
        let seed: String
        let path: String
        let network: NetworkSpecs
        /// What the import gives.
        let address: AccountAddress
        private var confirmed: StoredKey?

        init(seed: String, path: String, network: NetworkSpecs, address: AccountAddress) {
            (self.seed, self.path, self.network, self.address) = (seed, path, network, address)
        }

        var claim: PasswordClaim { PasswordClaim(seed: seed, path: path, address: address.text) }

        /// The key as it is stored, once it was confirmed.
        var stored: StoredKey {
            guard let confirmed else { preconditionFailure("confirmed first") }
            return confirmed
        }

        /// Whether the key of the path has the address that the import states.
        mutating func isConfirmed(by pair: KeyPair, hasPassword: Bool) -> Bool {
            let key = StoredKey(
                signer: pair.multiSigner,
                details: AddressDetails(
                    seedName: seed, path: path, hasPassword: hasPassword, networks: [network.key],
                    scheme: network.scheme, secretExposed: false))
            guard key.address(in: network) == address else { return false }
            confirmed = key
            return true
        }
    }
}
