import Airgap
import SecretMemory
import Substrate
import TextForms

/// What a path that is being typed would give.
///
/// Source: `signer-product` section 3.3.
package struct DerivationCheck: Sendable {
    /// What comes next.
    package enum Next: Sendable {
        /// The key can be made.
        case make
        /// The password has to be typed once more.
        case repeatPassword
    }

    /// What comes next; nil if the path gives no new key.
    package var next: Next?
    /// The key that has this path already.
    package var collision: StoredKey?
    /// What is wrong with the path.
    package var error: SignerError?
}

extension Vault {
    /// All stored keys; those of one seed first its root, then by path.
    ///
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``, and for damage.
    public func keys() throws -> [StoredKey] {
        try keyRows().filter { !$0.details.isForgotten }.sorted { left, right in
            (left.details.seedName, left.details.path) < (right.details.seedName, right.details.path)
        }
    }

    // MARK: New keys

    /// Looks at a path while it is typed.
    ///
    /// - Parameters:
    ///   - text: junctions, and perhaps three slashes with a password behind them, which is not looked at.
    ///   - name: of the seed.
    ///   - network: in which the key would be.
    package func derivationCheck(
        _ text: String, ofSeed name: String, in network: NetworkSpecs
    ) throws -> DerivationCheck {
        let (path, password) = DerivationText.split(text)
        do {
            let junctions = try Self.path(path)
            guard network.scheme == .sr25519 || !junctions.hasSoftJunction else {
                throw SignerError.key(.softKeyInPath)
            }
            guard let password else {
                let collision = try takenPaths(ofSeed: name, in: network).key(at: junctions)
                return DerivationCheck(next: collision == nil ? .make : nil, collision: collision)
            }
            guard !password.isEmpty, !password.contains(0x0a) else {
                throw SignerError.invalidDerivation(reason: "There is no password behind the three slashes.")
            }
            return DerivationCheck(next: .repeatPassword)
        } catch let error as SignerError {
            if case .databaseDamaged = error { throw error }
            return DerivationCheck(error: error)
        }
    }

    /// Refuses a path that gives no key.
    ///
    /// - Parameter path: junctions, without password.
    package func checkPath(_ path: String) throws { _ = try Self.path(path) }

    /// The path that a new key of a seed is offered in a network.
    package func suggestedPath(ofSeed name: String, in network: NetworkSpecs) throws -> String {
        let taken = try takenPaths(ofSeed: name, in: network)
        return NumberedPaths.suggestion(pathID: network.pathID, isTaken: taken.contains)
    }

    /// Makes further keys below one that is there, numbered on from the highest. All or none, in one transaction.
    ///
    /// - Parameters:
    ///   - signer: the key below which they are.
    ///   - key: of the network in which it is.
    ///   - count: how many.
    /// - Throws: ``SignerError/incrementCount``, ``SignerError/incrementOverflow``,
    ///   ``SignerError/incrementPassworded``, ``SignerError/keyCollision(seed:path:)``.
    @discardableResult
    package func increment(_ signer: MultiSigner, in key: NetworkKey, count: UInt32) throws -> [StoredKey] {
        let (stored, network) = try enabledKey(signer, in: key)
        guard !stored.details.hasPassword else { throw SignerError.incrementPassworded }
        let name = stored.details.seedName
        let existing = try keys().map(\.details).filter {
            $0.seedName == name && $0.networks.contains(key) && !$0.hasPassword
        }
        let taken = try takenPaths(ofSeed: name, in: network)
        let paths = try NumberedPaths.next(
            below: stored.details.path, among: existing.map(\.path), count: count, isTaken: taken.contains)
        let mnemonic = try seeds.mnemonic(named: name)
        let pairs = try Self.derive(mnemonic, paths: paths.map(Self.path), scheme: network.scheme)
        try self.key?.confirmVouched()
        return try database.write { trees in
            var events: [Event] = []
            for (path, pair) in zip(paths, pairs) {
                events += try trees.enable(pair.multiSigner, seed: name, path: path, hasPassword: false, in: network)
            }
            try HistoryLog.append(events, at: now(), to: trees)
            return try pairs.compactMap { try trees.key($0.multiSigner) }
        }
    }

    // MARK: Removing

    /// Takes keys out of a network. A key that is in no other goes, but for the sr25519 roots of seeds; that the secret
    /// of one left the vault stays known until its seed goes.
    ///
    /// - Parameters:
    ///   - signers: the keys.
    ///   - network: that they leave.
    /// - Throws: ``SignerError/keyNotFound(_:)``, ``SignerError/networkNotEnabled(path:)``.
    public func removeKeys(_ signers: [MultiSigner], from network: NetworkKey) throws {
        try key?.confirm()
        let known = Set(try seeds.listedNames() ?? keys().map(\.details.seedName))
        try database.write { trees in
            var events: [Event] = []
            for signer in signers {
                guard let stored = try trees.key(signer) else {
                    throw SignerError.keyNotFound(hexText(signer.publicKey))
                }
                events.append(
                    try trees.disable(stored, in: network, keepsRow: known.contains(stored.details.seedName)))
            }
            guard !events.isEmpty else { return }
            try HistoryLog.append(events, at: now(), to: trees)
        }
    }

    // MARK: Handing out

    /// The text of a key's public code, which wallets import.
    public static func publicKeyText(of key: StoredKey, in network: NetworkSpecs) -> String {
        let kind = network.scheme == .ethereum ? "ethereum" : "substrate"
        return "\(kind):\(key.address(in: network).text):0x\(network.genesisHash.hex)"
    }

    /// The secret of a key as the text of a code. From then on the key counts as exposed, and with it what can be
    /// derived from it; both are on disk before the text is handed out.
    ///
    /// - Parameters:
    ///   - signer: the key.
    ///   - key: of the network that the text names.
    ///   - password: of the key, where it has one.
    /// - Returns: `secret:0x`, the secret in hex, a colon and the genesis. The secret is the 32 bytes of a seed, or the
    ///   64 of an sr25519 key behind a soft junction.
    /// - Throws: ``SignerError/wrongKeyPassword``, which is logged too.
    ///
    /// Source: `signer-product` section 3.6.
    public func exportSecret(
        of signer: MultiSigner, in key: NetworkKey, password: SecretBytes? = nil
    ) throws -> SecretBytes {
        let (stored, network) = try enabledKey(signer, in: key)
        let mnemonic = try seeds.mnemonic(named: stored.details.seedName)
        let pair = try Self.derive(
            mnemonic, path: Self.path(stored.details.path), password: stored.details.hasPassword ? password : nil,
            scheme: network.scheme)
        guard pair.multiSigner == signer else {
            guard stored.details.hasPassword else {
                throw SignerError.seedPhraseMismatch(seed: stored.details.seedName)
            }
            try database.write { try HistoryLog.append([.wrongPassword], at: now(), to: $0) }
            throw SignerError.wrongKeyPassword
        }
        let text: SecretBytes
        do throws(SecretMemoryError) { text = try Self.secretText(pair.secretKey, network.genesisHash) } catch {
            throw SignerError.memory(error)
        }
        try self.key?.confirmVouched()
        try database.write { trees in
            try trees.expose(stored)
            try HistoryLog.append([.secretWasExported(trees.identity(stored, key))], at: now(), to: trees)
        }
        return text
    }

    private static func secretText(_ secret: SecretBytes, _ genesis: Hash256) throws(SecretMemoryError) -> SecretBytes {
        let (head, tail) = (Array("secret:0x".utf8), Array(":\(genesis.hex)".utf8))
        return try SecretBytes(count: head.count + 2 * secret.count + tail.count) { text in
            text.copyBytes(from: head)
            secret.withUnsafeBytes { secret in
                for (index, byte) in secret.enumerated() {
                    text[head.count + 2 * index] = digit(byte >> 4)
                    text[head.count + 2 * index + 1] = digit(byte & 15)
                }
            }
            UnsafeMutableRawBufferPointer(rebasing: text[(text.count - tail.count)...]).copyBytes(from: tail)
        }
    }

    /// A hex digit without a look into a table, which a cache would tell of.
    private static func digit(_ value: UInt8) -> UInt8 {
        0x30 + value + ((9 &- value) >> 7) * 39
    }

    /// The derived keys of seeds as another signer or a wallet imports them; keys with a password are left out.
    ///
    /// - Parameter names: of the seeds.
    /// - Returns: a payload with the code `de`. That of one seed also says what this vault can do.
    /// - Throws: ``SignerError/seedNotFound(name:)``, ``SignerError/rootKeyMissing(seed:)``.
    ///
    /// Source: `signer-product` section 3.8.
    public func keySetsExport(ofSeeds names: [String]) throws -> [UInt8] {
        let keys = try keys()
        let seeds = try names.map { name in
            let own = keys.filter { $0.details.seedName == name }
            guard !own.isEmpty else { throw SignerError.seedNotFound(name: name) }
            guard let root = own.first(where: \.details.isSeedRoot) else {
                throw SignerError.rootKeyMissing(seed: name)
            }
            // Whoever imports a key derives it, which takes a password that is nowhere stored.
            let exported = own.filter { !$0.details.hasPassword }.flatMap { key in
                key.details.networks.map { network in
                    DerivationsExport.Key(
                        address: key.signer.publicKey, path: key.details.path, scheme: key.details.scheme,
                        genesisHash: network.genesisHash)
                }
            }
            return DerivationsExport.Seed(name: name, root: root.signer, keys: exported)
        }
        return DerivationsExport(seeds: seeds, features: [.bulkOperations, .dynamicDerivations]).payload
    }

    // MARK: Parts

    private func takenPaths(ofSeed name: String, in network: NetworkSpecs) throws -> TakenPaths {
        TakenPaths(try keyRows().filter { $0.details.seedName == name }, in: network)
    }

    private func enabledKey(
        _ signer: MultiSigner, in key: NetworkKey
    ) throws -> (key: StoredKey, network: NetworkSpecs) {
        try database.read { trees in
            guard let stored = try trees.key(signer) else {
                throw SignerError.keyNotFound(hexText(signer.publicKey))
            }
            guard let network = try trees.network(key)?.specs else {
                throw SignerError.networkNotFound(key.genesisHash.hex)
            }
            guard stored.details.networks.contains(key) else {
                throw SignerError.networkNotEnabled(path: stored.details.path)
            }
            return (stored, network)
        }
    }
}

extension MutableTrees {
    /// Takes a key out of one network.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - network: that it leaves.
    ///   - keepsRow: whether the row of a root, or of a key whose secret is out, stays when it is in no network any
    ///     more.
    fileprivate func disable(_ key: StoredKey, in network: NetworkKey, keepsRow: Bool) throws -> Event {
        guard key.details.networks.contains(network) else {
            throw SignerError.networkNotEnabled(path: key.details.path)
        }
        var left = key
        left.details.networks.removeAll { $0 == network }
        if left.details.networks.isEmpty && !(keepsRow && left.details.outlivesNetworks) {
            try remove(.addresses, key.signer.scaleEncoded)
        } else {
            try put(left)
        }
        return .identityRemoved(identity(key, network))
    }

    /// Marks a key as one whose secret is out, and every key that this gives away.
    fileprivate func expose(_ key: StoredKey) throws {
        var key = key
        key.details.secretExposed = true
        for var other in try keys().filter(ExposedKeys([key]).misses) {
            other.details.secretExposed = true
            try put(other)
        }
    }
}
