import SCALE

/// Runtime metadata of format version 12 or 13, in which types are text: an index of offsets over the raw blob.
///
///     let metadata = try TextMetadata(blob)
///     let decoder = TextTransactionDecoder(metadata: metadata, network: specs, types: table)
///
/// What the texts mean stands in a ``TypesTable``. Source: `signer-wire` section 4.4.
public struct TextMetadata: MetadataFacts {
    package static let formatVersions: ClosedRange<UInt8> = 12...13

    /// The blob, beginning with `meta`.
    public let blob: [UInt8]
    /// The version of the metadata's format.
    public let formatVersion: UInt8
    package let pallets: [Pallet]
    /// Identifiers of the signed extensions. What these add to a transaction is fixed (`signer-wire` section 5.4).
    package let extensions: [String]
    /// The version of the runtime.
    public let version: RuntimeVersion
    /// The address prefix that the runtime states, if it states one.
    public let base58Prefix: UInt16?
    /// Where each call stands in the blob, pallet by pallet.
    private let callOffsets: [UInt32]
    /// Position in `pallets` by pallet index.
    private let palletPositions: [UInt8: Int]

    /// A pallet, as far as calls are concerned.
    package struct Pallet: Hashable, Sendable {
        package let name: String
        /// The byte that selects it in a call.
        package let index: UInt8
        package let constantCount: Int
        /// Positions of its calls among those of all pallets; nil for a pallet without calls.
        let calls: Range<Int>?

        package var callCount: Int? { calls?.count }
    }

    /// - Throws: ``MetadataError``; the blob must end with the metadata's last byte, and every string must be UTF-8.
    public init(_ blob: [UInt8]) throws(MetadataError) {
        formatVersion = try MetadataHead.statedVersion(of: blob)
        guard Self.formatVersions.contains(formatVersion) else { throw .versionNotReadable(formatVersion) }
        let body = try Self.readBody(blob, version: formatVersion)
        self.blob = blob
        pallets = body.pallets
        extensions = body.extensions
        callOffsets = body.callOffsets
        // The body refuses an index that stands there twice.
        palletPositions = Dictionary(uniqueKeysWithValues: body.pallets.enumerated().map { ($1.index, $0) })
        version = try body.system.runtimeVersion(in: blob)
        base58Prefix = try body.system.base58Prefix(in: blob)
    }

    private static func readBody(_ blob: [UInt8], version: UInt8) throws(MetadataError) -> TextMetadataBody {
        do throws(MetadataFault) {
            return try blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: MetadataHead.byteCount)
                return try TextMetadataBody(from: &cursor, version: version)
            }
        } catch {
            throw .unableToDecode(error)
        }
    }

    /// The pallet that `index` selects in a call.
    package func pallet(index: UInt8) -> Pallet? {
        palletPositions[index].map { pallets[$0] }
    }

    /// The call that `index` selects in `pallet`, one of ``pallets``.
    func call(index: UInt8, of pallet: Pallet) -> TextCall? {
        guard let calls = pallet.calls, Int(index) < calls.count else { return nil }
        let offset = Int(callOffsets[calls.lowerBound + Int(index)])
        return blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: offset)
            return try? TextCall(from: &cursor)
        }
    }
}

/// A call as metadata 12 and 13 describe it.
struct TextCall {
    var name: String
    var arguments: [(name: String, type: TypeText)] = []
    /// Where its doc lines stand in the blob.
    var docsOffset: Int

    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        name = try cursor.name()
        for _ in 0..<(try cursor.count()) {
            let name = try cursor.name()
            arguments.append((name, TypeText(cursor.bytes(try cursor.text()))))
        }
        docsOffset = cursor.position
    }
}
