import SCALE

/// Turns the bytes of a transaction into cards by metadata 12 or 13.
///
/// Total and bounded as ``TransactionDecoder`` is, also for texts of types that are meant to do harm. Source:
/// `signer-wire` sections 5.4 and 6.3.
public struct TextTransactionDecoder: TransactionDecoding {
    package let metadata: TextMetadata
    package let network: NetworkSpecs
    /// nil if there is none: then extensions can be read and calls cannot.
    package let types: TypesTable?

    /// Makes a decoder for one network.
    public init(metadata: TextMetadata, network: NetworkSpecs, types: TypesTable?) {
        self.metadata = metadata
        self.network = network
        self.types = types
    }

    /// A call: pallet index, method index, arguments.
    ///
    /// - Throws: ``TypeTextError/noTypesTable`` for want of a table.
    public func readCall(
        _ bytes: [UInt8], in range: Range<Int>? = nil, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> DecodedCall {
        guard let types else { throw .text(.noTypesTable) }
        var walk = TextWalk(
            metadata: metadata, network: network, types: types,
            input: ScaleDecoder(bytes, in: range ?? 0..<bytes.count), cardLimit: cardLimit)
        try walk.run()
        guard walk.input.isAtEnd else {
            throw .someDataNotUsedMethod(offset: walk.input.position, count: walk.input.remaining)
        }
        return DecodedCall(cards: walk.cards, calls: walk.calls, byteStrings: walk.byteStrings)
    }

    /// The cards of the extensions behind a call, which need no types table.
    ///
    /// - Throws: ``TypeTextError/extensionsOlder(offset:)`` for bytes of another form, and what contradicts the network
    ///   or the metadata.
    public func decodeExtensions(
        _ bytes: [UInt8], in range: Range<Int>? = nil, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> TransactionExtensions {
        var input = ScaleDecoder(bytes, in: range ?? 0..<bytes.count)
        guard let values = try? FixedExtensions(from: &input) else {
            throw .text(.extensionsOlder(offset: input.position))
        }
        guard values.genesisHash == network.genesisHash else {
            throw .genesisHashMismatch(offset: values.genesisOffset)
        }
        guard values.specVersion == metadata.specVersion else {
            throw .wrongNetworkVersion(decoded: UInt128(values.specVersion), metadata: metadata.specVersion)
        }
        guard values.era != .immortal || values.blockHash == values.genesisHash else { throw .immortalHashMismatch }
        let cards = values.cards(network: network)
        guard cards.count <= cardLimit else { throw .tooManyCards(offset: input.position) }
        return TransactionExtensions(
            cards: cards, era: values.era, blockHash: values.blockHash, specVersion: values.specVersion,
            tip: values.tip, parts: [])
    }
}

/// What stands behind every call of a chain with metadata 12 or 13.
private struct FixedExtensions {
    let era: Era
    let nonce: UInt128
    let tip: UInt128
    let specVersion: UInt32
    let transactionVersion: UInt32
    let genesisOffset: Int
    let genesisHash: Hash256
    let blockHash: Hash256

    init(from input: inout ScaleDecoder) throws {
        era = try Era(from: &input)
        nonce = try input.compact(bits: 64)
        tip = try input.compact(bits: 128)
        specVersion = try input.uint32()
        transactionVersion = try input.uint32()
        genesisOffset = input.position
        genesisHash = try Hash256(from: &input)
        blockHash = try Hash256(from: &input)
        try input.finish()
    }

    func cards(network: NetworkSpecs) -> [Card] {
        let validity: CardKind =
            switch era {
            case .immortal: .eraImmortal
            case .mortal(let phase, let period): .eraMortal(phase: phase, period: period)
            }
        return [
            validity, .nonce(String(nonce)),
            .tip(Amount(tip, decimals: network.decimals, unit: network.unit)),
            .nameVersion(name: network.name, version: String(specVersion)), .txSpec(String(transactionVersion)),
            .blockHash(blockHash),
        ].map { Card(indent: 0, kind: $0) }
    }
}
