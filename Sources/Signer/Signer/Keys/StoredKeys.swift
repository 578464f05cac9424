import Substrate

extension Trees {
    func key(_ signer: MultiSigner) throws -> StoredKey? {
        let row = signer.scaleEncoded
        return try value(.addresses, row).map { try storedKey(row, value: $0) }
    }

    func storedKey(_ key: [UInt8], value: [UInt8]) throws -> StoredKey {
        let damage = SignerError.databaseDamaged(.row(tree: Tree.addresses.rawValue, key: hexText(key)))
        guard let signer = try? MultiSigner(scaleEncoded: key) else { throw damage }
        let details = try decode(AddressDetails.self, .addresses, key: key, value: value)
        // Ethereum addresses are stored under ecdsa keys; a network that a key is in has the key's scheme.
        let scheme = details.scheme == .ethereum ? .ecdsa : details.scheme
        guard scheme == signer.scheme, details.networks.allSatisfy({ $0.scheme == details.scheme }),
            Set(details.networks).count == details.networks.count
        else { throw damage }
        return StoredKey(signer: signer, details: details)
    }
}

extension TreeReader {
    /// The stored key with an Ethereum address.
    func key(ethereumAddress address: [UInt8]) throws -> StoredKey? {
        try keys().first { $0.signer.ethereumAddress == address }
    }
}

extension MutableTrees {
    func put(_ key: StoredKey) throws {
        try put(.addresses, key: key.signer.scaleEncoded, value: key.details.scaleEncoded)
    }

    /// The keys whose secret is out. They are looked up once, however many keys a transaction enables.
    private func exposedKeys() throws -> ExposedKeys {
        if let exposed { return exposed }
        let found = ExposedKeys(try keys())
        exposed = found
        return found
    }

    /// Enables a key in a network (`signer-product` section 3.4).
    ///
    /// - Returns: the events to log.
    func enable(
        _ signer: MultiSigner, seed: String, path: String, hasPassword: Bool, in network: NetworkSpecs
    ) throws -> [Event] {
        var stored: StoredKey
        if let known = try key(signer) {
            let same = known.details.seedName == seed && known.details.hasPassword == hasPassword
            guard same, known.details.isKept(at: path, for: network.scheme) else {
                throw SignerError.keyCollision(seed: known.details.seedName, path: known.details.path)
            }
            guard !known.details.networks.contains(network.key) else {
                throw SignerError.derivationExists(path: path, network: network.title)
            }
            stored = known
            // A key that is in no network takes the scheme of its first.
            if stored.details.networks.isEmpty { stored.details.scheme = network.scheme }
        } else {
            stored = StoredKey(
                signer: signer,
                details: AddressDetails(
                    seedName: seed, path: path, hasPassword: hasPassword, networks: [], scheme: network.scheme,
                    secretExposed: false))
            stored.details.secretExposed = try exposedKeys().reach(stored)
        }
        stored.details.networks.append(network.key)
        var known = exposed.take()
        try put(stored)
        known?.insert(stored)
        exposed = known
        return [.identityAdded(identity(stored, network.key))]
    }

    /// Removes every row of a seed.
    func removeKeys(ofSeed name: String) throws -> [Event] {
        var events: [Event] = [.seedRemoved(name: name)]
        for key in try keys() where key.details.seedName == name {
            try remove(.addresses, key.signer.scaleEncoded)
            events += key.details.networks.map { .identityRemoved(identity(key, $0)) }
        }
        return events
    }

    /// Takes a network out of every key's list. What is left in no network goes, but for the sr25519 roots of seeds
    /// and for keys whose secret is out.
    ///
    /// - Returns: the events to log.
    func disableKeys(in genesis: Hash256) throws -> [Event] {
        var events: [Event] = []
        for var key in try keys() {
            let left = key.details.networks.filter { $0.genesisHash == genesis }
            guard !left.isEmpty else { continue }
            events += left.map { .identityRemoved(identity(key, $0)) }
            key.details.networks.removeAll { $0.genesisHash == genesis }
            if key.details.networks.isEmpty && !key.details.outlivesNetworks {
                try remove(.addresses, key.signer.scaleEncoded)
            } else {
                try put(key)
            }
        }
        return events
    }

    func identity(_ key: StoredKey, _ network: NetworkKey) -> Event.IdentityRecord {
        Event.IdentityRecord(
            seedName: key.details.seedName, scheme: key.details.scheme, publicKey: key.signer.publicKey,
            path: key.details.path, genesis: network.genesisHash)
    }
}
