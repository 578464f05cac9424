import Airgap
import SCALE
import Substrate
import TextForms

/// The author that a payload names, and the vault's key for it.
struct Author {
    let named: PayloadAuthor
    /// nil if the vault does not hold it.
    let key: StoredKey?
    /// Whether the key was derived for this payload and is not enabled in its network.
    var isOnTheFly = false
}

extension PayloadProcessor {
    /// The prefix of addresses that belong to no network.
    static let genericPrefix = SS58.genericPrefix

    func author(of payload: TransactionPayload) throws -> Author {
        guard case .derived(let root, let path, let scheme) = payload.author else {
            return Author(named: payload.author, key: try storedKey(of: payload.author))
        }
        let derived = try derivedKey(root: root, path: path, scheme: scheme, network: payload.networkKey)
        return Author(named: payload.author, key: derived.key, isOnTheFly: !derived.isEnabled)
    }

    /// - Throws: ``RefusedPayload/addrNotFound(address:)`` for an Ethereum address that no stored key has.
    func storedKey(of author: PayloadAuthor) throws -> StoredKey? {
        switch author {
        case .key(let signer): return trees.key(signer)
        case .ethereumAddress(let bytes):
            guard let key = try trees.key(ethereumAddress: bytes) else {
                throw RefusedPayload.addrNotFound(address: address(of: author))
            }
            return key
        case .derived: return nil
        }
    }

    /// The key at a path of the seed with a root, whether it is stored or not.
    ///
    /// - Returns: also whether the key is stored and enabled in the network: one that is not gets it for this payload
    ///   alone.
    func derivedKey(
        root: MultiSigner, path: DerivationPath, scheme: SignatureScheme, network: NetworkKey
    ) throws -> (key: StoredKey, isEnabled: Bool) {
        let (seed, phrases) = try openSeed(root: root)
        let pair = try derive(phrases, ofSeed: seed, path: path, scheme: scheme)
        let stored = trees.key(pair.multiSigner)
        if let stored, stored.details.networks.contains(network) { return (stored, true) }
        var key = StoredKey(
            signer: pair.multiSigner,
            details: AddressDetails(
                seedName: seed, path: "\(path)", hasPassword: false, networks: [network], scheme: scheme,
                secretExposed: false))
        key.details.secretExposed = trees.exposed.reach(key)
        return (key, false)
    }

    /// - Throws: ``RefusedPayload/invalidDerivation(path:_:)`` for a soft path of a scheme that has none,
    ///   ``RefusedPayload/pathNotComposed(path:)``.
    func derive(
        _ phrases: OpenPhrases, ofSeed seed: String, path: DerivationPath, scheme: SignatureScheme
    ) throws -> KeyPair {
        guard DerivationText.isComposed("\(path)") else { throw RefusedPayload.pathNotComposed(path: path) }
        do { return try phrases.key(ofSeed: seed, at: path, scheme: scheme) } catch SignerError.key(let error) {
            throw RefusedPayload.invalidDerivation(path: path, error)
        }
    }

    /// - Throws: ``RefusedPayload/noSeedFound(root:seed:)`` if no seed has this root, or its phrase cannot be had.
    func openSeed(root: MultiSigner) throws -> (name: String, phrases: OpenPhrases) {
        guard let row = trees.key(root), row.details.isRoot else {
            throw RefusedPayload.noSeedFound(root: root, seed: nil)
        }
        guard let phrases else { throw RefusedPayload.noSeedFound(root: root, seed: row.details.seedName) }
        do {
            _ = try phrases.phrase(named: row.details.seedName)
            return (row.details.seedName, phrases)
        } catch SignerError.seedNotFound {
            throw RefusedPayload.noSeedFound(root: root, seed: nil)
        }
    }

    func address(of author: PayloadAuthor) -> String {
        switch author {
        case .key(let signer): AccountAddress.of(signer, scheme: signer.scheme, prefix: Self.genericPrefix).text
        case .ethereumAddress(let bytes): "0x" + Hex.encode(bytes)
        case .derived(let root, let path, _):
            AccountAddress.of(root, scheme: root.scheme, prefix: Self.genericPrefix).text + "\(path)"
        }
    }

    func authorPlain(_ author: PayloadAuthor, _ network: NetworkSpecs) -> Card {
        let shown =
            switch author {
            case .key(let signer): AccountAddress.of(signer, scheme: network.scheme, prefix: network.base58Prefix)
            case .ethereumAddress, .derived:
                AccountAddress(text: address(of: author), identicon: .blockies(address(of: author)))
            }
        return Card(indent: 0, kind: .authorPlain(shown))
    }

    func authorInfo(_ key: StoredKey, _ network: NetworkSpecs?) -> AuthorInfo {
        let shown = AccountAddress.of(
            key.signer, scheme: network?.scheme ?? key.details.scheme,
            prefix: network?.base58Prefix ?? Self.genericPrefix)
        var addressKey = ScaleEncoder()
        addressKey.value(key.signer)
        let genesis = network?.genesisHash ?? key.details.networks.first?.genesisHash
        addressKey.option(genesis) { $0.value($1) }
        return AuthorInfo(
            base58: shown.text, addressKey: addressKey.bytes, seedName: key.details.seedName, path: key.details.path,
            hasPassword: key.details.hasPassword, secretExposed: key.details.secretExposed, identicon: shown.identicon)
    }

    func authorCard(_ key: StoredKey, _ network: NetworkSpecs) -> Card {
        Card(indent: 0, kind: .author(authorInfo(key, network)))
    }
}
