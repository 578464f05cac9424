/// Metadata of any format version that is read.
///
///     let metadata = try ChainMetadata(blob)
///     let decoder = metadata.decoder(network: specs, types: table)
public enum ChainMetadata: Sendable {
    /// Types stand in a registry inside the metadata: versions from 14.
    case registry(RuntimeMetadata)
    /// Types are text: versions 12 and 13.
    case text(TextMetadata)

    /// - Throws: ``MetadataError``; the blob must end with the metadata's last byte.
    public init(_ blob: [UInt8]) throws(MetadataError) {
        let version = try MetadataHead.statedVersion(of: blob)
        self =
            TextMetadata.formatVersions.contains(version)
            ? .text(try TextMetadata(blob))
            : .registry(try RuntimeMetadata(blob))
    }

    /// What turns transactions into cards by this metadata.
    ///
    /// - Parameter types: what the texts of metadata 12 and 13 mean; later versions do without.
    public func decoder(network: NetworkSpecs, types: TypesTable?) -> any TransactionDecoding {
        switch self {
        case .registry(let metadata): TransactionDecoder(metadata: metadata, network: network)
        case .text(let metadata): TextTransactionDecoder(metadata: metadata, network: network, types: types)
        }
    }

    /// Whether the set of extensions lacks, or has twice, one of those that a transaction's safety rests on. Metadata
    /// 12 and 13 have no say in what extensions a transaction holds.
    package var extensionsIncomplete: Bool {
        switch self {
        case .registry(let metadata): metadata.extensionsIncomplete
        case .text: false
        }
    }

    /// The name of the pallet that the first byte of a call selects.
    package func palletName(at index: UInt8) -> String? {
        switch self {
        case .registry(let metadata): metadata.pallet(index: index)?.name
        case .text(let metadata): metadata.pallet(index: index)?.name
        }
    }
}

extension ChainMetadata: MetadataFacts {
    private var facts: any MetadataFacts {
        switch self {
        case .registry(let metadata): metadata
        case .text(let metadata): metadata
        }
    }

    /// The metadata as it came.
    public var blob: [UInt8] { facts.blob }
    /// The version of the metadata's format.
    public var formatVersion: UInt8 { facts.formatVersion }
    /// The version of the runtime.
    public var version: RuntimeVersion { facts.version }
    /// The address prefix that the runtime states, if it states one.
    public var base58Prefix: UInt16? { facts.base58Prefix }
}

extension RuntimeMetadata: MetadataFacts {}

/// Turns the bytes of a call into cards. Total: any bytes give cards or a ``DecodingError``.
public protocol CallDecoding: Sendable {
    /// A call, with its cards.
    ///
    /// - Parameters:
    ///   - bytes: holds the call; offsets in errors count from its start.
    ///   - range: where the call stands in `bytes`, without its length; nil for all of `bytes`.
    ///   - cardLimit: how many cards there may be.
    func readCall(_ bytes: [UInt8], in range: Range<Int>?, cardLimit: Int) throws(DecodingError) -> DecodedCall
}

/// Turns the bytes of a transaction into cards. Total: any bytes give cards or a ``DecodingError``.
public protocol TransactionDecoding: CallDecoding {
    /// The cards of the extensions behind a call, and the facts that they state; parameters as for a call.
    func decodeExtensions(
        _ bytes: [UInt8], in range: Range<Int>?, cardLimit: Int
    ) throws(DecodingError) -> TransactionExtensions
}

extension TransactionDecoding {
    /// The cards of a call.
    ///
    /// - Parameters: as for ``readCall(_:in:cardLimit:)``.
    public func decodeCall(
        _ bytes: [UInt8], in range: Range<Int>? = nil, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> [Card] {
        try readCall(bytes, in: range, cardLimit: cardLimit).cards
    }
}

extension TransactionDecoder: TransactionDecoding {}
