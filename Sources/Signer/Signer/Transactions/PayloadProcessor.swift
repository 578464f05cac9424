import Airgap
import SCALE
import Substrate

/// Turns a payload into an answer, with what the database holds. Writes nothing.
///
/// Source: `signer-wire` sections 1, 5.1, 6.6; `signer-product` section 7.1. Where the two differ about keys of other
/// networks, the stricter holds: a key signs only in networks that it is enabled in.
struct PayloadProcessor {
    let trees: Trees

    func process(_ bytes: [UInt8]) throws -> Answer {
        let payload: Payload
        do throws(PayloadError) { payload = try Payload(bytes) } catch { throw RefusedPayload.payload(error) }
        switch payload {
        case .transaction(let transaction): return try process(transaction)
        case .message(let message): return try process(message, payload: bytes)
        }
    }

    // MARK: Transactions

    private func process(_ payload: TransactionPayload) throws -> Answer {
        let key = try storedKey(of: payload.author)
        guard let network = try trees.network(payload.networkKey)?.specs else {
            throw RefusedPayload.unknownNetwork(genesis: payload.genesisHash, scheme: payload.author.scheme)
        }
        let versions = try trees.metadataVersions(name: network.name)
        guard !versions.isEmpty else { throw RefusedPayload.noMetadata(network: network.name) }
        guard let parts = payload.parts() else { throw RefusedPayload.separateMethodExtensions }
        let (metadata, extensions) = try chooseMetadata(versions, network, payload.bytes, parts.extensions)
        let decoder = metadata.decoder(network: network, types: try trees.typesTable(for: metadata))
        var answer = Answer(
            action: .read, cards: CardSections(), network: network, call: Array(payload.bytes[parts.call]))
        answer.cards.extensions = extensions.cards
        if let latest = versions.first, metadata.specVersion != latest {
            answer.cards.warning.append(warning(.newerVersion(used: metadata.specVersion, latest: latest)))
        }
        do throws(DecodingError) {
            answer.cards.method = try decoder.decodeCall(
                payload.bytes, in: parts.call, cardLimit: DecodingLimits.cards - extensions.cards.count)
        } catch {
            answer.cards.error = [Card(indent: 0, kind: .error(CardError(error)))]
        }
        try decide(&answer, payload, parts, key, network)
        return answer
    }

    /// Whether the decoded transaction may be signed, and the cards that say why not.
    private func decide(
        _ answer: inout Answer, _ payload: TransactionPayload, _ parts: (call: Range<Int>, extensions: Range<Int>),
        _ key: StoredKey?, _ network: NetworkSpecs
    ) throws {
        guard let key else {
            answer.cards.author = [authorPlain(payload.author, network)]
            answer.cards.warning.insert(warning(.authorNotFound), at: 0)
            return
        }
        let author = authorInfo(key, network)
        guard key.details.networks.contains(network.key) else {
            answer.cards.author = [Card(indent: 0, kind: .author(author))]
            answer.cards.warning.insert(warning(.noNetworkID), at: 0)
            return
        }
        guard answer.cards.error.isEmpty else {
            answer.cards.author = [Card(indent: 0, kind: .author(author))]
            return
        }
        let signable = Array(payload.bytes[parts.call]) + Array(payload.bytes[parts.extensions])
        answer.action = .sign(
            SignRequest(
                content: .transaction(signable: signable, logged: Array(payload.bytes[payload.body])), key: key,
                author: author, network: network, payload: payload.bytes))
    }

    /// The newest metadata whose extensions fit, with what they say.
    private func chooseMetadata(
        _ versions: [UInt32], _ network: NetworkSpecs, _ bytes: [UInt8], _ range: Range<Int>
    ) throws -> (ChainMetadata, TransactionExtensions) {
        var attempts: [RefusedPayload.Attempt] = []
        for version in versions {
            guard let blob = try trees.metadata(name: network.name, version: version) else { continue }
            let metadata: ChainMetadata
            do throws(MetadataError) {
                metadata = try ChainMetadata(blob)
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

    // MARK: Messages

    private func process(_ payload: MessagePayload, payload bytes: [UInt8]) throws -> Answer {
        guard let content = WrappedMessage.content(of: payload.message) else {
            throw RefusedPayload.invalidMessagePayload
        }
        let key = try storedKey(of: payload.author)
        var answer = Answer(action: .read, cards: CardSections(), network: nil, call: nil)
        let shown = String(validating: content, as: UTF8.self) ?? Hex.encode(content)
        answer.cards.message = [Card(indent: 0, kind: .text(shown))]
        if let genesis = payload.genesisHash {
            let networkKey = NetworkKey(scheme: payload.author.scheme, genesisHash: genesis)
            guard let network = try trees.network(networkKey)?.specs else {
                throw RefusedPayload.unknownNetwork(genesis: genesis, scheme: payload.author.scheme)
            }
            answer.network = network
            guard let key, key.details.networks.contains(where: { $0.genesisHash == genesis }) else {
                answer.cards.author = [authorPlain(payload.author, network)]
                answer.cards.warning = [warning(.authorNotFound)]
                answer.cards.networkInfo = [networkCard(network)]
                return answer
            }
            let author = authorInfo(key, network)
            guard key.details.networks.contains(networkKey) else {
                answer.cards.author = [Card(indent: 0, kind: .author(author))]
                answer.cards.warning = [warning(.noNetworkID)]
                answer.cards.networkInfo = [networkCard(network)]
                return answer
            }
            answer.action = .sign(
                SignRequest(
                    content: .message(payload.message), key: key, author: author, network: network, payload: bytes))
        } else {
            guard let key else { throw RefusedPayload.addrNotFound(address: address(of: payload.author)) }
            answer.action = .sign(
                SignRequest(
                    content: .message(payload.message), key: key, author: authorInfo(key, nil), network: nil,
                    payload: bytes))
        }
        return answer
    }

    // MARK: Authors

    /// - Throws: ``RefusedPayload/addrNotFound(address:)`` for an Ethereum address that no stored key has.
    private func storedKey(of author: PayloadAuthor) throws -> StoredKey? {
        switch author {
        case .key(let signer): return try trees.key(.signer(signer))
        case .ethereumAddress(let bytes):
            guard let key = try trees.key(.ethereumAddress(bytes)) else {
                throw RefusedPayload.addrNotFound(address: address(of: author))
            }
            return key
        }
    }

    private func address(of author: PayloadAuthor) -> String {
        switch author {
        case .key(let signer): AccountAddress.of(signer, scheme: signer.scheme, prefix: Self.genericPrefix).text
        case .ethereumAddress(let bytes): "0x" + Hex.encode(bytes)
        }
    }

    /// The prefix of addresses that belong to no network.
    private static let genericPrefix: UInt16 = 42

    private func authorPlain(_ author: PayloadAuthor, _ network: NetworkSpecs) -> Card {
        switch author {
        case .key(let signer):
            Card(indent: 0, kind: .authorPlain(.of(signer, scheme: network.scheme, prefix: network.base58Prefix)))
        case .ethereumAddress:
            Card(
                indent: 0,
                kind: .authorPlain(
                    AccountAddress(text: address(of: author), identicon: .blockies(address(of: author)))))
        }
    }

    private func authorInfo(_ key: StoredKey, _ network: NetworkSpecs?) -> AuthorInfo {
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

    private func networkCard(_ network: NetworkSpecs) -> Card {
        Card(indent: 0, kind: .networkInfo(title: network.title, logo: network.logo, key: network.key))
    }

    private func warning(_ warning: CardWarning) -> Card {
        Card(indent: 0, kind: .warning(warning))
    }
}
