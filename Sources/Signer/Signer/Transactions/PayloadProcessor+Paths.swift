import Airgap
import Substrate

/// Keys that a list of paths would make below a seed that the person chooses.
public struct PathImportPreview: Sendable {
    /// The network that the keys are for.
    public var network: NetworkSpecs
    /// The paths, each without password.
    public var paths: [String]
}

extension PayloadProcessor {
    /// Paths to be derived below a seed (`signer-product` section 3.7). All of them are good, or none is taken.
    func process(_ record: PathImport) throws -> Answer {
        guard let network = try trees.network(record.network)?.specs else {
            throw RefusedPayload.networkForImport(
                genesis: record.network.genesisHash, scheme: record.network.scheme)
        }
        for (index, text) in record.paths.enumerated() {
            let (path, password) = DerivationText.split(text)
            guard DerivationText.isWellFormed(text, scheme: network.scheme) else {
                throw RefusedPayload.importPathMalformed(index: index, path: path)
            }
            guard password == nil else { throw RefusedPayload.importPasswordNotAllowed(index: index, path: path) }
        }
        let preview = PathImportPreview(network: network, paths: record.paths)
        return Answer(action: .importPaths(preview), cards: CardSections(), network: network)
    }
}
