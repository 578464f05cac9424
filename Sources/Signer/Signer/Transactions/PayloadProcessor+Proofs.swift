import Airgap
import Substrate

extension PayloadProcessor {
    /// With the metadata proof that the payload brings (`signer-wire` section 10.5).
    func process(_ payload: TransactionPayload, by author: Author, proof: MetadataProof) throws -> Answer {
        let stored = try trees.network(payload.networkKey)?.specs
        let network = Self.network(stored, by: proof.extraInfo, payload.networkKey)
        let facts = RiskContext.MetadataFacts(
            used: proof.extraInfo.specVersion, latest: proof.extraInfo.specVersion)
        guard let (call, range) = payload.parts() else {
            return try answer(
                ReadTransaction(
                    payload: payload, author: author, network: network, call: payload.body,
                    extensions: payload.body.upperBound..<payload.body.upperBound, metadata: facts,
                    error: .separateMethodExtensions))
        }
        let decoder = ProofTransactionDecoder(proof: proof, network: network)
        let decoded = decoder.decode(payload.bytes, call: call, extensions: range, genesis: payload.genesisHash)
        var answer = try answer(
            ReadTransaction(
                payload: payload, author: author, network: network, call: call, extensions: range,
                statements: decoded.extensions, method: decoded.method, decoder: decoder, metadata: facts,
                error: decoded.error))
        if let stored { answer.cards.warning += mismatches(proof.extraInfo, stored) }
        return answer
    }

    /// The network as the proof describes it; what the proof does not tell is the stored record's, or made up for one that is
    /// not stored.
    private static func network(
        _ stored: NetworkSpecs?, by info: MetadataExtraInfo, _ key: NetworkKey
    ) -> NetworkSpecs {
        var network =
            stored
            ?? NetworkSpecs(
                base58Prefix: info.base58Prefix, color: "#000", decimals: info.decimals, scheme: key.scheme,
                genesisHash: key.genesisHash, logo: info.specName, name: info.specName, pathID: "//\(info.specName)",
                secondaryColor: "#000", title: info.specName, unit: info.tokenSymbol)
        network.base58Prefix = info.base58Prefix
        network.decimals = info.decimals
        network.unit = info.tokenSymbol
        network.name = info.specName
        return network
    }

    /// Where the proof and the stored record disagree [D17].
    private func mismatches(_ info: MetadataExtraInfo, _ stored: NetworkSpecs) -> [Card] {
        [
            ("name", info.specName, stored.name),
            ("prefix", "\(info.base58Prefix)", "\(stored.base58Prefix)"),
            ("decimals", "\(info.decimals)", "\(stored.decimals)"),
            ("unit", info.tokenSymbol, stored.unit),
        ].filter { $0.1 != $0.2 }.map { field, proof, stored in
            warning(.proofInfoMismatch(field: field, proof: proof, stored: stored))
        }
    }
}
