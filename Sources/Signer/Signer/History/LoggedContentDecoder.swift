import Airgap
import Substrate
import TextForms

/// Reads again what the log says was signed, with what the vault knows now.
struct LoggedContentDecoder {
    private let processor: PayloadProcessor

    init(_ processor: PayloadProcessor) {
        self.processor = processor
    }

    /// - Throws: ``SignerError`` for damage alone; whatever else is wrong concerns this event, and is its content.
    func content(of event: Event) throws -> LoggedEvent.Content {
        do {
            return switch event {
            case .transactionSigned(let record), .transactionSignError(let record):
                .decoded(try transaction(record))
            case .messageSigned(let record), .messageSignError(let record): .decoded(try message(record))
            default: .none
            }
        } catch let problem as HistoricalProblem {
            return .undecodable(problem)
        } catch let refused as RefusedPayload {
            return .undecodable(.refused(refused))
        }
    }

    private func transaction(_ record: Event.SigningRecord) throws -> Answer {
        let signer = record.signedBy.key
        guard let network = try network(named: record.networkName, of: signer) else {
            throw HistoricalProblem.networkUnknown(record.networkName)
        }
        let author: [UInt8]
        if network.scheme == .ethereum {
            author = signer.ethereumAddress ?? []
        } else {
            author = signer.publicKey
        }
        // As it was scanned, but for what was cut off when it was logged.
        let bytes =
            [0x53, network.scheme.rawValue, PayloadKind.transaction.rawValue] + author + record.transaction
            + network.genesisHash.bytes
        let payload: Payload
        do throws(PayloadError) { payload = try Payload(bytes) } catch { throw RefusedPayload.payload(error) }
        guard case .transaction(let transaction) = payload else {
            throw RefusedPayload.separateMethodExtensions
        }
        do {
            let named = Author(named: .key(signer), key: processor.trees.key(signer))
            return try processor.process(transaction, by: named).toLookAt(author: authorCard(signer, network))
        } catch RefusedPayload.noMetadata(let name) {
            throw HistoricalProblem.metadata(network: name, version: nil)
        } catch RefusedPayload.allExtensionsParsingFailed(let name, let attempts) {
            throw HistoricalProblem.metadata(network: name, version: attempts.lazy.compactMap(\.wanted).first)
        }
    }

    private func message(_ record: Event.MessageRecord) throws -> Answer {
        guard let bytes = Hex.decode(record.message) else { throw RefusedPayload.invalidMessagePayload }
        let content = WrappedMessage.content(of: bytes) ?? bytes[...]
        var answer = Answer(action: .read, cards: CardSections())
        let text = String(validating: content, as: UTF8.self)
        answer.cards.message = [Card(indent: 0, kind: text.map { .text($0) } ?? .bytes(Array(content), text: nil))]
        answer.network = try network(named: record.networkName, of: record.signedBy.key)
        return answer.toLookAt(author: authorCard(record.signedBy.key, answer.network))
    }

    /// The network that a key signed for; of several with one name the one for the key's scheme.
    private func network(named name: String, of signer: MultiSigner) throws -> NetworkSpecs? {
        let networks = try processor.trees.networks().map(\.specs).filter { $0.name == name }
        let key = processor.trees.key(signer)
        return networks.first { key?.details.networks.contains($0.key) ?? false }
            ?? networks.first { $0.scheme == signer.scheme } ?? networks.first { $0.scheme == .ethereum }
    }

    /// Whoever signed, whether the vault has the key or not any more.
    private func authorCard(_ signer: MultiSigner, _ network: NetworkSpecs?) -> Card {
        if let key = processor.trees.key(signer) {
            return Card(indent: 0, kind: .author(processor.authorInfo(key, network)))
        }
        let shown = AccountAddress.of(
            signer, scheme: network?.scheme ?? signer.scheme,
            prefix: network?.base58Prefix ?? PayloadProcessor.genericPrefix)
        return Card(indent: 0, kind: .authorPlain(shown))
    }
}

extension Answer {
    /// What was decided long ago: there is nothing to warn of and nothing to sign.
    fileprivate func toLookAt(author: Card) -> Answer {
        var answer = self
        answer.action = .read
        answer.cards.author = [author]
        answer.cards.warning = []
        answer.risks = []
        return answer
    }
}

extension RefusedPayload.Attempt {
    /// The version that was asked for, where it is all that does not fit.
    fileprivate var wanted: String? {
        if case .wrongNetworkVersion(let wanted, _) = error { "\(wanted)" } else { nil }
    }
}
