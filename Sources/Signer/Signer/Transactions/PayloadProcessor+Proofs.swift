import Airgap
import Substrate

extension PayloadProcessor {
    /// Processes a transaction with the metadata proof that it brings (`signer-wire` section 10.5).
    func process(_ payload: TransactionPayload, by author: Author, proof: MetadataProof) throws -> Answer {
        let stored = try trees.network(payload.networkKey)?.specs
        let network = Self.network(stored, by: proof.extraInfo, key: payload.networkKey)
        let facts = MetadataVouching(
            voucher: .proof, name: network.name, used: proof.extraInfo.specVersion,
            latest: proof.extraInfo.specVersion)
        guard let (call, range) = payload.parts() else {
            return try answer(
                ReadTransaction(
                    payload: payload, author: author, network: network, call: payload.body,
                    extensions: payload.body.upperBound..<payload.body.upperBound, metadata: facts,
                    error: .separateMethodExtensions))
        }
        let decoder = ProofTransactionDecoder(proof: proof, network: network)
        var decoded = decoder.decode(payload.bytes, call: call, extensions: range, genesis: payload.genesisHash)
        // A proof seldom describes calls that stand as bytes in the one that it was made for.
        var inner: any CallDecoding = decoder
        if decoded.error == nil, let stored,
            let held = try heldMetadata(of: stored, version: proof.extraInfo.specVersion)
        {
            let truth = held.decoder(network: network, types: try trees.typesTable(for: held))
            inner = truth
            if let difference = difference(
                of: decoded, from: held, readBy: truth, in: payload, call: call, extensions: range, on: network)
            {
                // One of the two lies: nothing is shown as if it were true.
                decoded = ProofTransactionDecoder.Decoded(
                    untrusted: .proofDiffersFromStored(version: held.specVersion, difference))
            }
        }
        var answer = try answer(
            ReadTransaction(
                payload: payload, author: author, network: network, call: call, extensions: range,
                statements: decoded.extensions, method: decoded.method, decoder: inner, metadata: facts,
                error: decoded.error))
        answer.isNetworkMadeUp = stored == nil
        // The chain would not compare a proof that is not what is signed.
        if answer.fault?.part == .metadataHash { answer.metadata = nil }
        if let stored {
            answer.cards.warning += mismatches(proof.extraInfo, stored)
            if let risk = Risk(proof: proof.extraInfo, differsFrom: stored) {
                answer.risks = (answer.risks + [risk]).sorted { $0.severity > $1.severity }
            }
        }
        return answer
    }

    /// The metadata that are stored of a network's version.
    private func heldMetadata(of network: NetworkSpecs, version: UInt32) throws -> ChainMetadata? {
        guard let blob = try trees.metadata(name: network.name, version: version) else { return nil }
        do throws(MetadataError) {
            return try cache.metadata(blob, name: network.name, version: version)
        } catch {
            throw RefusedPayload.metadata(network: network.name, version: version, error)
        }
    }

    /// What a proof differs in from the metadata that are stored of the same network and version.
    private func difference(
        of decoded: ProofTransactionDecoder.Decoded, from metadata: ChainMetadata,
        readBy decoder: any TransactionDecoding, in payload: TransactionPayload, call: Range<Int>,
        extensions range: Range<Int>, on network: NetworkSpecs
    ) -> ProofDifference? {
        guard let extensions = decoded.extensions, let method = decoded.method else { return nil }
        if case .registry(let runtime) = metadata, runtime.formatVersion >= 15,
            let signed = extensions.metadataHash(in: payload.bytes)
        {
            do throws(MerkleizationError) {
                let computed = try cache.metadataHash(runtime, network)
                guard computed == signed else { return .digest(proof: signed, stored: computed) }
            } catch {
                return .notMerkleizable(error)
            }
        }
        do throws(DecodingError) {
            let truth = try decoder.decodeExtensions(payload.bytes, in: range, cardLimit: DecodingLimits.cards)
            let cards = try decoder.decodeCall(
                payload.bytes, in: call, cardLimit: DecodingLimits.cards - truth.cards.count)
            let isSame =
                truth.statesTheSame(as: extensions)
                && cards.elementsEqual(method.cards) { $0.indent == $1.indent && $0.kind.line == $1.kind.line }
            return isSame ? nil : .cards
        } catch {
            return .unreadable(error)
        }
    }

    /// The network as the proof describes it; what the proof does not tell is the stored record's, or made up for one
    /// that is not stored.
    private static func network(
        _ stored: NetworkSpecs?, by info: MetadataExtraInfo, key: NetworkKey
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

    /// Where the proof and the stored record disagree.
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
