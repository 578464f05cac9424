import Signer
import Substrate

/// An answer for machines.
struct AnswerJSON: Encodable {
    struct CardJSON: Encodable {
        var index: Int
        var indent: Int
        var kind: String
        /// The card as one line, without indentation and unescaped.
        var line: String
    }

    struct Author: Encodable {
        var address: String
        var seed: String
        var path: String
        var hasPassword: Bool
    }

    struct NetworkJSON: Encodable {
        var title: String
        var name: String
        var genesisHash: String
        var scheme: String
    }

    var action: String
    var network: NetworkJSON?
    var author: Author?
    var callHash: String?
    var cards: [String: [CardJSON]]

    init(_ answer: Answer) {
        network = answer.network.map {
            NetworkJSON(title: $0.title, name: $0.name, genesisHash: $0.genesisHash.hex, scheme: $0.scheme.name)
        }
        callHash = answer.callHash.map { "0x" + $0.hex }
        switch answer.action {
        case .sign(let request):
            action = "sign"
            author = Author(
                address: request.author.base58, seed: request.author.seedName, path: request.author.path,
                hasPassword: request.author.hasPassword)
        case .read:
            action = "read"
        }
        cards = [:]
        var index = 0
        for (name, section) in answer.cards.ordered {
            cards[name] = section.map { card in
                defer { index += 1 }
                return CardJSON(index: index, indent: card.indent, kind: card.kind.name, line: card.kind.line)
            }
        }
    }
}
