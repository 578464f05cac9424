import Airgap
import Substrate

extension PayloadProcessor {
    func process(_ payload: MessagePayload, payload bytes: [UInt8]) throws -> Answer {
        guard let content = WrappedMessage.content(of: payload.message) else {
            throw RefusedPayload.invalidMessagePayload
        }
        let key = try storedKey(of: payload.author)
        var answer = Answer(action: .read, cards: CardSections())
        // Digits in place of bytes would look like a message of digits.
        let text = String(validating: content, as: UTF8.self)
        answer.cards.message = [Card(indent: 0, kind: text.map { .text($0) } ?? .bytes(Array(content), text: nil))]
        answer.risks = Risk.ofMessage(content)
        guard let genesis = payload.genesisHash else {
            // What signs otherwise than was asked for signs for another address than the one that was named.
            guard let key, key.details.scheme == payload.author.scheme else {
                throw RefusedPayload.addrNotFound(address: address(of: payload.author))
            }
            sign(payload, with: key, in: nil, bytes: bytes, &answer)
            return answer
        }
        let networkKey = NetworkKey(scheme: payload.author.scheme, genesisHash: genesis)
        guard let network = try trees.network(networkKey)?.specs else {
            throw RefusedPayload.unknownNetwork(genesis: genesis, scheme: payload.author.scheme)
        }
        answer.network = network
        answer.isNetworkLookalike = try trees.hasLookalike(of: network)
        guard let key, key.details.networks.contains(where: { $0.genesisHash == genesis }) else {
            answer.cards.author = [authorPlain(payload.author, network)]
            answer.cards.warning = [warning(.authorNotFound)]
            answer.cards.networkInfo = [networkCard(network)]
            return answer
        }
        guard key.details.networks.contains(networkKey) else {
            answer.cards.author = [authorCard(key, network)]
            answer.cards.warning = [warning(.noNetworkID)]
            answer.cards.networkInfo = [networkCard(network)]
            return answer
        }
        sign(payload, with: key, in: network, bytes: bytes, &answer)
        return answer
    }

    private func sign(
        _ payload: MessagePayload, with key: StoredKey, in network: NetworkSpecs?, bytes: [UInt8],
        _ answer: inout Answer
    ) {
        let author = authorInfo(key, network)
        if isExposed(key.details) { answer.risks.insert(.ofExposedKey(author.base58), at: 0) }
        answer.action = .sign(
            SignRequest(
                content: .message(payload.message), key: key, author: author, scheme: payload.author.scheme,
                network: network, payload: bytes))
    }

    private func networkCard(_ network: NetworkSpecs) -> Card {
        Card(indent: 0, kind: .networkInfo(title: network.title, logo: network.logo, key: network.key))
    }
}
