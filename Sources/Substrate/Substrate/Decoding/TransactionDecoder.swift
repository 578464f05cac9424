import SCALE

/// Turns the bytes of a transaction into cards, by the metadata of its network.
///
///     let decoder = TransactionDecoder(metadata: metadata, network: specs)
///     let extensions = try decoder.decodeExtensions(payload, in: extensionsRange)
///     let call = try decoder.decodeCall(payload, in: callRange)
///
/// Total: any bytes give cards or a ``DecodingError``, in time and memory bounded by ``DecodingLimits`` and the sizes
/// of the inputs. Needs little stack: the walk over types keeps its own. Source: `signer-wire` sections 5 and 6.
public struct TransactionDecoder: Sendable {
    package let metadata: RuntimeMetadata
    package let network: NetworkSpecs

    /// Makes a decoder for one network.
    public init(metadata: RuntimeMetadata, network: NetworkSpecs) {
        self.metadata = metadata
        self.network = network
    }

    /// A call: pallet index, method index, arguments.
    ///
    /// - Parameters:
    ///   - bytes: holds the call; offsets in errors count from its start.
    ///   - range: where the call stands in `bytes`, without its length; all of `bytes` by default.
    ///   - cardLimit: how many cards there may be.
    public func readCall(
        _ bytes: [UInt8], in range: Range<Int>? = nil, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> DecodedCall {
        var walk = TypeWalk(
            registry: metadata.registry, network: network, input: ScaleDecoder(bytes, in: range ?? 0..<bytes.count),
            cardLimit: cardLimit)
        let start = walk.input.position
        guard let index = try? walk.input.uint8() else { throw .dataTooShort(offset: walk.input.position) }
        guard let pallet = metadata.pallet(index: index) else { throw .palletNotFound(index: index) }
        guard let calls = pallet.callsType else { throw .noCallsInPallet(name: pallet.name) }
        try walk.add(.pallet(name: pallet.name), indent: 0)
        try walk.run(type: calls, indent: 1)
        guard walk.input.isAtEnd else {
            throw .someDataNotUsedMethod(offset: walk.input.position, count: walk.input.remaining)
        }
        let whole = NestedCall(cards: walk.cards.indices, bytes: start..<walk.input.position)
        return DecodedCall(cards: walk.cards, calls: [whole] + walk.calls, byteStrings: walk.byteStrings)
    }

    /// The cards of the extensions behind a call, and the facts that they state.
    ///
    /// - Parameters: as for ``decodeCall(_:in:cardLimit:)``.
    /// - Throws: also when one of era, block hash, genesis and spec version is missing, stands there twice or
    ///   contradicts the network or the metadata.
    public func decodeExtensions(
        _ bytes: [UInt8], in range: Range<Int>? = nil, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> TransactionExtensions {
        var walk = TypeWalk(
            registry: metadata.registry, network: network, input: ScaleDecoder(bytes, in: range ?? 0..<bytes.count),
            cardLimit: cardLimit)
        walk.facts = ExtensionFacts(genesisHash: network.genesisHash)
        let included = try walkExtensions(&walk, \.type)
        let additional = try walkExtensions(&walk, \.additionalSigned)
        let facts = try walk.facts?.checked(
            specVersion: metadata.specVersion, rest: walk.input, genesis: network.genesisHash)
        guard let facts else { throw .noBlockHash }
        let parts = metadata.extensions.indices.map { index in
            TransactionExtensions.Part(
                identifier: metadata.extensions[index].identifier, included: included[index],
                additional: additional[index])
        }
        return TransactionExtensions(
            cards: walk.cards, era: facts.era, blockHash: facts.blockHash, specVersion: metadata.specVersion,
            tip: walk.tip, parts: parts)
    }

    private func walkExtensions(
        _ walk: inout TypeWalk, _ type: (RuntimeMetadata.TransactionExtension) -> UInt32
    ) throws(DecodingError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for item in metadata.extensions {
            let start = walk.input.position
            walk.facts?.identifierRole = ExtensionRole(identifier: item.identifier)
            try walk.run(type: type(item), indent: 0)
            ranges.append(start..<walk.input.position)
        }
        return ranges
    }
}

/// What the extensions of a transaction say.
public struct TransactionExtensions: Hashable, Sendable {
    /// What a person reads, in order.
    public let cards: [Card]
    /// When the transaction is valid.
    public let era: Era
    /// The block that it counts from.
    public let blockHash: Hash256
    /// The specification version, equal to the metadata's.
    public let specVersion: UInt32
    /// The tip in the token's smallest unit; nil where no extension pays one.
    public let tip: UInt128?
    /// The parts in the metadata's order; none for metadata 12 and 13, where the order is fixed.
    package let parts: [Part]

    /// Where the data of one extension stand in the bytes that were decoded.
    public struct Part: Hashable, Sendable {
        package let identifier: String
        /// Bytes that are part of the transaction.
        public let included: Range<Int>
        /// Bytes that are signed and not part of the transaction.
        public let additional: Range<Int>
    }

    /// The extension that has the chain compare the hash of its metadata with a signed one.
    public static let metadataHashIdentifier = "CheckMetadataHash"

    /// Where the data of the extension with an identifier stand; nil where the chain has none, or gives two the same
    /// name.
    public func part(_ identifier: String) -> Part? {
        let found = parts.filter { $0.identifier == identifier }
        return found.count == 1 ? found[0] : nil
    }
}
