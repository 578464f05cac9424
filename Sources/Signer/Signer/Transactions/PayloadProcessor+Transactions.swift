import Airgap
import Substrate

/// A transaction as far as it could be read.
struct ReadTransaction {
    let payload: TransactionPayload
    let author: Author
    let network: NetworkSpecs
    let call: Range<Int>
    let extensions: Range<Int>
    /// What the extensions say; nil if they could not be read.
    var statements: TransactionExtensions?
    /// nil if the call could not be read.
    var method: DecodedCall?
    /// Reads calls of the same chain that stand as bytes inside the one; nil where nothing can.
    var decoder: (any CallDecoding)?
    var metadata: MetadataVouching
    /// What it was read by; nil where a proof alone describes it.
    var metadataRead: ChainMetadata?
    /// Why the transaction is not signed.
    var error: DecodingError?
}

extension PayloadProcessor {
    /// Processes a transaction with stored metadata (`signer-wire` section 5).
    func process(_ payload: TransactionPayload, by author: Author) throws -> Answer {
        guard let network = try trees.network(payload.networkKey)?.specs else {
            throw RefusedPayload.unknownNetwork(genesis: payload.genesisHash, scheme: payload.author.scheme)
        }
        if let genesis = try trees.otherNetwork(called: network.name, than: network.genesisHash) {
            throw RefusedPayload.networkNameTaken(name: network.name, genesis: genesis)
        }
        let versions = try trees.metadataVersions(name: network.name)
        guard let latest = versions.first else { throw RefusedPayload.noMetadata(network: network.name) }
        guard let (call, range) = payload.parts() else { throw RefusedPayload.separateMethodExtensions }
        let voucher = try voucher(of: network)
        try checkGenesis(in: payload.bytes, of: network, vouchedBy: voucher)
        let (metadata, extensions) = try chooseMetadata(
            of: versions, for: network, bytes: payload.bytes, extensions: range)
        let facts = MetadataVouching(
            voucher: voucher, name: network.name, used: metadata.specVersion, latest: latest)
        var read = ReadTransaction(
            payload: payload, author: author, network: network, call: call, extensions: range, statements: extensions,
            metadata: facts)
        let decoder = metadata.decoder(network: network, types: try trees.typesTable(for: metadata))
        (read.decoder, read.metadataRead) = (decoder, metadata)
        do throws(DecodingError) {
            read.method = try decoder.readCall(
                payload.bytes, in: call, cardLimit: DecodingLimits.cards - extensions.cards.count)
        } catch {
            read.error = error
        }
        let mismatch = hashMismatch(of: payload.bytes, extensions: extensions, metadata: metadata, network: network)
        read.error = read.error ?? mismatch
        return try answer(read, hashMismatch: mismatch)
    }

    /// The newest metadata whose extensions fit, with what they say.
    private func chooseMetadata(
        of versions: [UInt32], for network: NetworkSpecs, bytes: [UInt8], extensions range: Range<Int>
    ) throws -> (ChainMetadata, TransactionExtensions) {
        var attempts: [RefusedPayload.Attempt] = []
        for version in versions {
            guard let blob = try trees.metadata(name: network.name, version: version) else { continue }
            let metadata: ChainMetadata
            do throws(MetadataError) {
                metadata = try cache.metadata(blob, name: network.name, version: version)
                try metadata.checkPrefix(of: network)
            } catch {
                throw RefusedPayload.metadata(network: network.name, version: version, error)
            }
            do throws(DecodingError) {
                let decoder = metadata.decoder(network: network, types: nil)
                return (
                    metadata, try decoder.decodeExtensions(bytes, in: range, cardLimit: DecodingLimits.cards)
                )
            } catch {
                attempts.append(RefusedPayload.Attempt(version: version, error: error))
            }
        }
        throw RefusedPayload.allExtensionsParsingFailed(network: network.name, attempts: attempts)
    }

    /// Whether the metadata hash to be signed is another than that of the stored metadata.
    private func hashMismatch(
        of bytes: [UInt8], extensions: TransactionExtensions, metadata: ChainMetadata, network: NetworkSpecs
    ) -> DecodingError? {
        guard case .registry(let metadata) = metadata, metadata.formatVersion >= 15,
            extensions.checksMetadataHash(in: bytes) == true,
            let signed = extensions.metadataHash(in: bytes)
        else { return nil }
        do throws(MerkleizationError) {
            let computed = try cache.metadataHash(metadata, network)
            return signed == computed ? nil : .metadataHashMismatch(signed: signed, computed: computed)
        } catch {
            return .metadataNotMerkleizable(error)
        }
    }

    /// Every chain has its genesis signed. Who makes metadata for a network of their own can have them read any bytes
    /// as anything, and that genesis as a hash of no weight: the signature would be good on the other chain.
    private func checkGenesis(
        in bytes: [UInt8], of network: NetworkSpecs, vouchedBy voucher: MetadataVouching.Voucher
    ) throws {
        if case .general = voucher { return }
        for other in try trees.networks().map(\.specs) where other.genesisHash != network.genesisHash {
            guard bytes.firstRange(of: other.genesisHash.bytes) != nil else { continue }
            throw RefusedPayload.foreignGenesis(network: network.name, other: other.name, genesis: other.genesisHash)
        }
    }

    private func voucher(of network: NetworkSpecs) throws -> MetadataVouching.Voucher {
        switch try trees.verifier(of: network.genesisHash) {
        case .valid(.custom(let verifier)): verifier.key.map { .custom($0) } ?? .nobody
        case .valid(.general): try trees.generalVerifier().key.map { .general($0) } ?? .nobody
        case .dead, nil: .nobody
        }
    }

    // MARK: The answer

    /// What is shown, and whether it may be signed.
    func answer(_ read: ReadTransaction, hashMismatch: DecodingError? = nil) throws -> Answer {
        let bytes = read.payload.bytes
        var answer = Answer(
            action: .read, cards: CardSections(), network: read.network, call: Array(bytes[read.call]))
        answer.isNetworkLookalike = try trees.hasLookalike(of: read.network)
        answer.metadata = read.metadata
        answer.cards.extensions = read.statements?.cards ?? []
        answer.cards.method = read.method?.cards ?? []
        if read.metadata.used < read.metadata.latest {
            answer.cards.warning = [warning(.newerVersion(used: read.metadata.used, latest: read.metadata.latest))]
        }
        var error = read.error
        do throws(DecodingError) { try assess(read, mismatch: hashMismatch, into: &answer) } catch let limit {
            error = error ?? limit
        }
        if let error {
            answer.cards.error = [Card(indent: 0, kind: .error(CardError(error)))]
            answer.fault = ReadingFault(error, in: read)
        }
        guard let key = read.author.key else {
            answer.cards.author = [authorPlain(read.author.named, read.network)]
            answer.cards.warning.insert(warning(.authorNotFound), at: 0)
            return answer
        }
        guard key.details.networks.contains(read.payload.networkKey) else {
            answer.cards.author = [authorCard(key, read.network)]
            answer.cards.warning.insert(warning(.noNetworkID), at: 0)
            return answer
        }
        guard error == nil, read.method != nil, read.statements != nil,
            !answer.risks.contains(where: { $0.severity == .refuse })
        else {
            answer.cards.author = [authorCard(key, read.network)]
            return answer
        }
        answer.action = .sign(
            SignRequest(
                content: .transaction(
                    signable: Array(bytes[read.call]) + Array(bytes[read.extensions]),
                    logged: Array(bytes[read.payload.body])),
                key: key, author: authorInfo(key, read.network), scheme: read.payload.author.scheme,
                network: read.network, payload: bytes))
        return answer
    }

    /// What the call does, and what is risky about it.
    private func assess(
        _ read: ReadTransaction, mismatch: DecodingError?, into answer: inout Answer
    ) throws(DecodingError) {
        guard let decoded = read.method, let statements = read.statements else { return }
        let signer = signerAddress(read.author, read.network)
        let bytes = read.payload.bytes
        let method = try decoded.expanded(
            in: bytes, by: read.decoder, cardLimit: DecodingLimits.cards - statements.cards.count)
        let effects = try TransactionEffects(method, signer: signer, network: read.network)
        answer.effects = effects
        answer.tip = statements.tip ?? 0
        answer.callCards = method.cards
        let hiddenCalls = method.opaqueCalls.filter { $0.use == .multisig }.map(\.bytes)
        answer.multisigCallHashes = (effects.multisigCalls + hiddenCalls).map { CallHash.of(bytes[$0]) }
        answer.ownKeys = ownKeys.named(by: method.cards, effects, in: read.network)
        answer.risks =
            RiskContext(
                effects: effects, cards: method.cards, network: read.network, signer: signer,
                onTheFly: onTheFly(read),
                isKeyExposed: read.author.key.map { isExposed($0.details) } ?? false,
                ownAccounts: ownAccounts.accounts(in: read.network), metadata: read.metadata,
                extensions: RiskContext.ExtensionStatements(
                    isImmortal: statements.era == .immortal, tip: statements.tip,
                    feeAsset: statements.feeAsset(on: read.network),
                    checksMetadataHash: statements.checksMetadataHash(in: read.payload.bytes), hashMismatch: mismatch)
            ).risks()
    }

    /// Whether the key's secret may be out: it left the vault, or follows from one that did.
    func isExposed(_ key: AddressDetails) -> Bool { key.secretExposed || trees.exposed.endanger(key) }

    /// The key that was derived for this payload alone, where it is such a one.
    private func onTheFly(_ read: ReadTransaction) -> RiskContext.OnTheFly? {
        guard read.author.isOnTheFly, case .derived(let root, let path, _) = read.author.named,
            let key = read.author.key
        else { return nil }
        return RiskContext.OnTheFly(
            seed: key.details.seedName, root: .of(root, scheme: root.scheme, prefix: Self.genericPrefix),
            path: "\(path)", address: key.address(in: read.network))
    }

    /// The account that signs as the chain knows it, which for an ecdsa key is its hash: also for an author that is not
    /// stored.
    private func signerAddress(_ author: Author, _ network: NetworkSpecs) -> AccountAddress? {
        let account: [UInt8]?
        switch (author.key?.signer, author.named) {
        case (let signer?, _), (nil, .key(let signer)):
            account = network.scheme == .ethereum ? signer.ethereumAddress : signer.accountID
        case (nil, .ethereumAddress(let bytes)): account = bytes
        case (nil, .derived): account = nil
        }
        return account.flatMap { AccountAddress(accountID: $0, prefix: network.base58Prefix) }
    }
}

/// What the extension `CheckMetadataHash` says.
extension TransactionExtensions {
    /// nil where the chain has no such extension.
    fileprivate func checksMetadataHash(in bytes: [UInt8]) -> Bool? {
        guard let part = part(Self.metadataHashIdentifier), part.included.count == 1 else { return nil }
        return bytes[part.included.lowerBound] == 1
    }

    /// Whether two readings of the same bytes agree in what the extensions say.
    func statesTheSame(as other: TransactionExtensions) -> Bool {
        // Metadata 12 and 13 do not tell the order of extensions.
        (parts.isEmpty || other.parts.isEmpty || parts == other.parts)
            && (era, blockHash, specVersion, tip ?? 0) == (
                other.era, other.blockHash, other.specVersion, other.tip ?? 0
            )
    }

    /// The hash that would be signed, if there is one.
    func metadataHash(in bytes: [UInt8]) -> Hash256? {
        guard let value = part(Self.metadataHashIdentifier).map({ bytes[$0.additional] }) else { return nil }
        return value.first == 1 ? Hash256(value.dropFirst()) : nil
    }
}
