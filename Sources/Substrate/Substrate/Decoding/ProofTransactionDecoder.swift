import SCALE

/// Turns the bytes of a transaction into cards by a metadata proof, and checks all that the proof's truth hangs on.
///
///     let decoder = ProofTransactionDecoder(proof: proof, network: specs)
///     let decoded = decoder.decode(payload, call: callRange, extensions: extensionsRange, genesis: genesis)
///
/// Total, like ``TransactionDecoder``, with the same rules for values. Source: `signer-wire` sections 6.4 and 10.5.
public struct ProofTransactionDecoder: CallDecoding {
    package let proof: MetadataProof
    package let network: NetworkSpecs
    private let registry: TypeRegistry
    private let position: @Sendable (TypeReference) -> UInt32

    /// - Parameter network: with prefix, decimals, unit and name as the proof has them.
    public init(proof: MetadataProof, network: NetworkSpecs) {
        self.proof = proof
        self.network = network
        (registry, position) = proof.registry()
    }

    /// What could be read of a transaction.
    public struct Decoded: Sendable {
        /// nil if the extensions, or the proof itself, were refused.
        public var extensions: TransactionExtensions?
        /// nil if the call was refused.
        public var method: DecodedCall?
        /// The first thing that is wrong; only without one may the transaction be signed.
        public var error: DecodingError?

        init() {}

        /// A transaction of which nothing is shown, because what shows it cannot be trusted.
        package init(untrusted error: DecodingError) {
            self.error = error
        }
    }

    /// - Parameters:
    ///   - bytes: holds call and extensions; offsets in errors count from its start.
    ///   - call: without its length.
    ///   - genesis: of the network that the payload names.
    public func decode(
        _ bytes: [UInt8], call: Range<Int>, extensions: Range<Int>, genesis: Hash256
    ) -> Decoded {
        var decoded = Decoded()
        do throws(DecodingError) {
            let (found, rest) = try decodeExtensions(bytes, in: extensions, genesis: genesis)
            decoded.extensions = found
            var walk = walk(over: bytes, in: call, cardLimit: DecodingLimits.cards - found.cards.count)
            try walk.run(type: position(proof.extrinsic.call), indent: 0)
            decoded.method = DecodedCall(cards: walk.cards, calls: walk.calls, byteStrings: walk.byteStrings)
            guard rest == 0 else {
                throw DecodingError.someDataNotUsedExtensions(offset: extensions.upperBound - rest, count: rest)
            }
            guard walk.input.isAtEnd else {
                throw DecodingError.someDataNotUsedMethod(offset: walk.input.position, count: walk.input.remaining)
            }
            guard endsWithHash(found, at: extensions.upperBound) else { throw DecodingError.metadataHashNotLast }
        } catch .metadataHashNotLast {
            // A wallet may have made up everything that such a proof shows, so nothing of it is shown.
            return Decoded(untrusted: .metadataHashNotLast)
        } catch {
            decoded.error = error
        }
        return decoded
    }

    /// Whether the signed bytes end with the metadata hash that ``check(_:_:genesis:)`` has compared.
    ///
    /// A proof brings its own list of extensions, so a wallet can invent one that reads mode, hash, era and genesis out
    /// of a remark of the call. The chain reads the same bytes from the start to the end. Where they end with `01` and
    /// the hash, it either compares that hash with its own, so that the proof is true, or would have to read those 33
    /// bytes as the end of a block hash and the `00` of a check that is off, and a wallet cannot choose a block hash.
    private func endsWithHash(_ extensions: TransactionExtensions, at end: Int) -> Bool {
        extensions.part(TransactionExtensions.metadataHashIdentifier)?.additional
            == (end - 1 - Hash256.byteCount)..<end
    }

    /// A call that stands as bytes inside the one that the proof was made for: what it needs is seldom in the proof.
    public func readCall(
        _ bytes: [UInt8], in range: Range<Int>?, cardLimit: Int
    ) throws(DecodingError) -> DecodedCall {
        var walk = walk(over: bytes, in: range ?? bytes.indices, cardLimit: cardLimit)
        try walk.run(type: position(proof.extrinsic.call), indent: 0)
        guard walk.input.isAtEnd else {
            throw .someDataNotUsedMethod(offset: walk.input.position, count: walk.input.remaining)
        }
        return DecodedCall(cards: walk.cards, calls: walk.calls, byteStrings: walk.byteStrings)
    }

    private func walk(over bytes: [UInt8], in range: Range<Int>, cardLimit: Int) -> TypeWalk {
        TypeWalk(
            registry: registry, network: network, input: ScaleDecoder(bytes, in: range), cardLimit: cardLimit)
    }

    // MARK: Extensions

    /// - Returns: also how many bytes are left over.
    private func decodeExtensions(
        _ bytes: [UInt8], in range: Range<Int>, genesis: Hash256
    ) throws(DecodingError) -> (TransactionExtensions, rest: Int) {
        var walk = walk(over: bytes, in: range, cardLimit: DecodingLimits.cards)
        walk.facts = ExtensionFacts(genesisHash: genesis)
        var facts = ProofFacts()
        var included: [Range<Int>] = []
        for item in proof.extrinsic.extensions {
            let start = walk.input.position
            walk.facts?.identifierRole = ExtensionRole(identifier: item.identifier)
            try readIncluded(item, by: &walk, into: &facts)
            included.append(start..<walk.input.position)
        }
        var additional: [Range<Int>] = []
        for item in proof.extrinsic.extensions {
            let start = walk.input.position
            walk.facts?.identifierRole = ExtensionRole(identifier: item.identifier)
            try readAdditional(item, by: &walk, into: &facts)
            additional.append(start..<walk.input.position)
        }
        let (era, blockHash) = try check(facts, walk.facts, genesis: genesis)
        let parts = proof.extrinsic.extensions.indices.map { index in
            TransactionExtensions.Part(
                identifier: proof.extrinsic.extensions[index].identifier, included: included[index],
                additional: additional[index])
        }
        let extensions = TransactionExtensions(
            cards: walk.cards, era: era, blockHash: blockHash, specVersion: proof.extraInfo.specVersion, tip: walk.tip,
            parts: parts)
        return (extensions, walk.input.remaining)
    }

    private func readIncluded(
        _ item: ProofExtrinsic.Extension, by walk: inout TypeWalk, into facts: inout ProofFacts
    ) throws(DecodingError) {
        switch item.identifier {
        case TransactionExtensions.metadataHashIdentifier:
            guard facts.isHashChecked == nil, let mode = try? walk.input.uint8(), mode <= 1 else {
                throw .checkMetadataHashModeExpected
            }
            facts.isHashChecked = mode == 1
        case "CheckMortality": try walk.readEra(indent: 0)
        case "CheckNonce", "ChargeTransactionPayment":
            let first = walk.cards.count
            try walk.run(type: position(item.includedInExtrinsic), indent: 0)
            walk.dropFieldCards(from: first)
        default: try walk.run(type: position(item.includedInExtrinsic), indent: 0)
        }
    }

    private func readAdditional(
        _ item: ProofExtrinsic.Extension, by walk: inout TypeWalk, into facts: inout ProofFacts
    ) throws(DecodingError) {
        let offset = walk.input.position
        switch item.identifier {
        case TransactionExtensions.metadataHashIdentifier:
            guard let isThere = try? walk.input.uint8(), isThere <= 1 else {
                throw .metadataHashExpected(offset: offset)
            }
            guard isThere == 1 else { return }
            guard let hash = walk.input.hash() else { throw .metadataHashExpected(offset: offset) }
            facts.metadataHash = hash
        case "CheckMortality":
            guard let hash = walk.input.hash() else { throw .blockHashExpected(offset: offset) }
            try walk.facts?.note(blockHash: hash)
            try walk.add(.blockHash(hash), indent: 0)
        case "CheckGenesis":
            guard let hash = walk.input.hash() else { throw .genesisHashExpected(offset: offset) }
            guard facts.genesis == nil else { throw .genesisHashTwice }
            facts.genesis = (hash, offset)
        default: try walk.run(type: position(item.includedInSignedData), indent: 0)
        }
    }

    /// What is missing or wrong, in the order of `signer-wire` section 10.5.
    private func check(
        _ facts: ProofFacts, _ common: ExtensionFacts?, genesis expected: Hash256
    ) throws(DecodingError) -> (era: Era, blockHash: Hash256) {
        guard let era = common?.era else { throw .noEra }
        guard let blockHash = common?.blockHash else { throw .noBlockHash }
        guard let genesis = facts.genesis else { throw .noGenesisHash }
        guard let specVersion = common?.specVersion else { throw .noVersionExt }
        guard let isHashChecked = facts.isHashChecked else { throw .checkMetadataHashModeExpected }
        guard isHashChecked else { throw .metadataHashDisabled }
        guard let signed = facts.metadataHash else { throw .metadataHashMissing }
        let computed: Hash256
        do throws(MetadataProofError) { computed = try proof.digest().hash } catch {
            throw .metadataProofBroken(error)
        }
        guard signed == computed else { throw .metadataHashMismatch(signed: signed, computed: computed) }
        guard genesis.hash == expected else { throw .genesisHashMismatch(offset: genesis.offset) }
        guard era != .immortal || blockHash == expected else { throw .immortalHashMismatch }
        guard specVersion == UInt128(proof.extraInfo.specVersion) else {
            throw .wrongNetworkVersion(decoded: specVersion, metadata: proof.extraInfo.specVersion)
        }
        return (era, blockHash)
    }
}

/// What the extensions say beside ``ExtensionFacts`` where a proof is checked.
private struct ProofFacts {
    /// The mode of `CheckMetadataHash`.
    var isHashChecked: Bool?
    var metadataHash: Hash256?
    var genesis: (hash: Hash256, offset: Int)?
}

extension ScaleDecoder {
    /// 32 bytes, or nil and nothing read where fewer are left.
    fileprivate mutating func hash() -> Hash256? {
        guard let range = try? range(Hash256.byteCount) else { return nil }
        return Hash256(unchecked: Array(bytes[range]))
    }
}
