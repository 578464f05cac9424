import Airgap
import SecretMemory
import Substrate

/// Signing updates for other vaults. What is signed need not be what this vault would take in: whoever publishes first
/// signs, and is trusted after.
///
/// Source: `signer-product` section 8.
extension Vault {
    /// What this vault holds of a network, to be signed for others.
    public enum Published: Hashable, Sendable {
        /// The network's record.
        case network(NetworkKey)
        /// One version of its metadata.
        case metadata(name: String, version: UInt32)
        /// The types of old networks.
        case types
    }

    /// The content as an update carries it.
    ///
    /// - Throws: ``SignerError/networkNotFound(_:)``, ``SignerError/metadataNotFound(name:version:)`` or
    ///   ``SignerError/typesNotFound``.
    public func content(of published: Published) throws -> UpdatePayload.Content {
        try database.readPublic { trees in
            switch published {
            case .network(let key):
                guard let network = try trees.network(key) else {
                    throw SignerError.networkNotFound(key.genesisHash.hex)
                }
                return .specs(network.specs)
            case .metadata(let name, let version):
                guard let blob = try trees.metadata(name: name, version: version),
                    let network = try trees.networks().first(where: { $0.specs.name == name })
                else { throw SignerError.metadataNotFound(name: name, version: version) }
                if let genesis = try trees.otherNetwork(called: name, than: network.specs.genesisHash) {
                    throw RefusedPayload.networkNameTaken(name: name, genesis: genesis)
                }
                return .metadata(blob, genesisHash: network.specs.genesisHash)
            case .types:
                guard let value = try trees.value(.settings, Setting.types.key) else { throw SignerError.typesNotFound }
                return .types(try trees.decode(TypesTable.self, .settings, key: Setting.types.key, value: value))
            }
        }
    }

    /// The content with compressed metadata expanded: what is shown of what is signed.
    ///
    /// - Throws: ``RefusedPayload/metadataNotExpanded``, ``RefusedPayload/packedMetadataDamaged(reason:)``;
    ///   ``RefusedPayload/payload(_:)`` for metadata so short that their signature could be that of a transaction.
    public func expanded(_ content: UpdatePayload.Content) throws -> UpdatePayload.Content {
        do throws(PayloadError) { try content.checkSignable() } catch { throw RefusedPayload.payload(error) }
        return try UpdatePayload(unsigned: content).expanded(by: metadataExpander).content
    }

    /// Whether an update that the vault refused can be signed for others: it reads, whoever signed it, and says what it
    /// is.
    ///
    /// - Parameter payload: as it was scanned.
    /// - Returns: its content, expanded; nil for everything else.
    package func publishable(_ payload: [UInt8]) -> UpdatePayload.Content? {
        guard case .update(let update)? = try? Payload(payload), let content = try? expanded(update.content),
            (try? content.signedEvent(by: update.signer ?? .sr25519([UInt8](repeating: 0, count: 32)))) != nil
        else { return nil }
        // Compressed metadata are signed as they came.
        return update.content
    }

    /// What a person types before a key signs for others: where its secret may have left the vault.
    ///
    /// - Parameter address: the key's, as it is shown.
    package func dangers(ofVouchingWith key: StoredKey, shownAs address: String) throws -> [Confirmation] {
        let isExposed = try key.details.secretExposed || SecretExposure.atRisk(among: keyRows()).contains(key.signer)
        return isExposed ? Risk.ofExposedKey(address).confirmations : []
    }

    /// Signs an update with a key of this vault. Logged before it is handed out.
    ///
    /// - Parameters:
    ///   - content: what is new.
    ///   - signer: a key of this vault that is in no Ethereum network.
    ///   - password: of the key, where it has one.
    /// - Throws: ``SignerError/keyNotFound(_:)``; ``SignerError/wrongKeyPassword``, which is logged too; what
    ///   ``expanded(_:)`` throws.
    public func vouch(
        for content: UpdatePayload.Content, with signer: MultiSigner, password: SecretBytes? = nil
    ) throws -> SufficientCrypto {
        let event = try expanded(content).signedEvent(by: signer)
        key?.forgetVerdict()
        try key?.confirm()
        guard let stored = try keys().first(where: { $0.signer == signer }), stored.details.scheme != .ethereum else {
            throw SignerError.keyNotFound(hexText(signer.publicKey))
        }
        let mnemonic = try seeds.mnemonic(named: stored.details.seedName)
        let pair = try Self.derive(
            mnemonic, path: Self.path(stored.details.path), password: stored.details.hasPassword ? password : nil,
            scheme: stored.details.scheme)
        guard pair.multiSigner == signer else {
            guard stored.details.hasPassword else {
                throw SignerError.seedPhraseMismatch(seed: stored.details.seedName)
            }
            try database.write { try HistoryLog.append([.wrongPassword], at: now(), to: $0) }
            throw SignerError.wrongKeyPassword
        }
        let signature: [UInt8]
        do throws(KeyError) { signature = try pair.sign(content.signedBytes) } catch { throw SignerError.key(error) }
        guard let crypto = SufficientCrypto(signer: signer, signature: signature), crypto.vouches(for: content) else {
            throw SignerError.key(.faultDuringSigning)
        }
        try key?.confirmVouched()
        try database.write { trees in
            try trees.removeAll(.transaction)
            try HistoryLog.append([event], at: now(), to: trees)
        }
        return crypto
    }
}

extension UpdatePayload.Content {
    /// What is logged when a key signs it.
    ///
    /// - Throws: ``RefusedPayload/update(_:)`` for metadata that nothing could be read from.
    fileprivate func signedEvent(by signer: MultiSigner) throws -> Event {
        let value = VerifierValue(signer)
        switch self {
        case .specs(let specs):
            if let fault = specs.fault { throw RefusedPayload.update(.specsMalformed(fault)) }
            return .networkSpecsSigned(specs, signedBy: value)
        case .types(let types):
            if let fault = types.fault { throw RefusedPayload.update(.typesMalformed(fault)) }
            return .typesSigned(hash: types.hash, signedBy: value)
        case .packedMetadata: throw RefusedPayload.metadataNotExpanded
        case .metadata(let blob, _):
            let metadata: ChainMetadata
            do throws(MetadataError) { metadata = try ChainMetadata(blob) } catch {
                throw RefusedPayload.update(.metadataBroken(error))
            }
            let key = MetadataName(name: metadata.specName, version: metadata.specVersion)
            return .metadataSigned(key.record(metadata.blobHash), signedBy: value)
        }
    }
}
