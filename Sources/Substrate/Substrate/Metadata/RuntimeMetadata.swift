import SCALE

/// Runtime metadata as an index of offsets over the raw blob: what decoding a transaction needs, read when it is
/// needed.
///
///     let metadata = try RuntimeMetadata(blob)
///     print(metadata.specName, metadata.specVersion)
///
/// Reads format versions 14 to 16 (`signer-wire` section 4). `FullMetadata`, in a room of its own, holds all of it as
/// values.
public struct RuntimeMetadata: Sendable {
    /// The version of the metadata's format.
    public let formatVersion: UInt8
    /// The pallets, in their order.
    public let pallets: [Pallet]
    /// The extensions in the order in which their data follows a call.
    package let extensions: [TransactionExtension]
    /// The type of a call with its pallet; nil if metadata 14 does not tell.
    package let outerCallType: UInt32?
    /// The type of a sender's address; nil if metadata 14 does not tell.
    package let addressType: UInt32?
    /// The type of a signature; nil if metadata 14 does not tell.
    package let signatureType: UInt32?
    /// The version of the runtime.
    public let version: RuntimeVersion
    /// The address prefix that the runtime states, if it states one.
    public let base58Prefix: UInt16?
    let registry: TypeRegistry
    /// Position in `pallets` by pallet index.
    private let palletPositions: [UInt8: Int]

    /// A pallet, as far as calls are concerned.
    public struct Pallet: Hashable, Sendable {
        /// What stands before its calls, as `Balances`; in a call it is ``index`` that selects it.
        public let name: String
        /// The byte that selects it in a call.
        public let index: UInt8
        /// The variant type of its calls, if it has any.
        package let callsType: UInt32?
        package let constantCount: Int
    }

    /// A signed extension, also called transaction extension.
    package struct TransactionExtension: Hashable, Sendable {
        package let identifier: String
        /// What it adds to the transaction.
        package let type: UInt32
        /// What it adds to the signed bytes only.
        package let additionalSigned: UInt32
    }

    /// The blob, beginning with `meta`.
    public var blob: [UInt8] { registry.blob }
    var types: TypeIndex { registry.types }
    package var typeCount: Int { types.entries.count }

    /// Whether the set of extensions lacks, or has twice, one of those that a transaction's safety rests on
    /// (`signer-wire` section 4.5).
    package var extensionsIncomplete: Bool {
        !["CheckSpecVersion", "CheckGenesis", "CheckMortality"].allSatisfy { name in
            extensions.count { $0.identifier == name } == 1
        }
    }

    /// - Throws: ``MetadataError``; the blob must end with the metadata's last byte.
    public init(_ blob: [UInt8]) throws(MetadataError) {
        formatVersion = try MetadataHead.formatVersion(of: blob)
        let body = try Self.readBody(blob, version: formatVersion)
        pallets = body.pallets
        extensions = body.extrinsic.extensions
        outerCallType = body.extrinsic.callType
        addressType = body.extrinsic.addressType
        signatureType = body.extrinsic.signatureType
        registry = TypeRegistry(blob: blob, types: body.types)
        // The body refuses an index that stands there twice.
        palletPositions = Dictionary(uniqueKeysWithValues: body.pallets.enumerated().map { ($1.index, $0) })
        version = try body.system.runtimeVersion(in: blob)
        base58Prefix = try body.system.base58Prefix(in: blob)
    }

    /// The pallet that `index` selects in a call.
    package func pallet(index: UInt8) -> Pallet? {
        palletPositions[index].map { pallets[$0] }
    }

    private static func readBody(_ blob: [UInt8], version: UInt8) throws(MetadataError) -> MetadataBody {
        do throws(MetadataFault) {
            return try blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: MetadataHead.byteCount)
                return try MetadataBody(from: &cursor, version: version)
            }
        } catch {
            throw .unableToDecode(error)
        }
    }
}

/// The first five bytes of a blob.
package enum MetadataHead {
    package static let byteCount = 5

    /// The format version, if this build reads it as ``RuntimeMetadata``. The version switch of the module: what reads
    /// a version plugs in here and in ``MetadataBody``.
    package static func formatVersion(of blob: [UInt8]) throws(MetadataError) -> UInt8 {
        _ = try statedVersion(of: blob)
        switch blob[4] {
        case 14, 15, 16: return blob[4]
        case 12, 13: throw .versionNotReadable(blob[4])
        default: throw .versionIncompatible(blob[4])
        }
    }

    /// The format version that the blob states, whether it is read or not.
    static func statedVersion(of blob: [UInt8]) throws(MetadataError) -> UInt8 {
        guard blob.count <= MetadataLimits.blobByteCount else { throw .blobTooLarge(byteCount: blob.count) }
        guard blob.starts(with: Array("meta".utf8)) else { throw .notMeta }
        guard blob.count >= byteCount else {
            throw .unableToDecode(.malformed(.dataTooShort(offset: 4, needed: 1, available: 0)))
        }
        return blob[4]
    }
}

extension RuntimeMetadata {
    /// How many calls a pallet has; nil for one without calls.
    package func callCount(of pallet: Pallet) -> Int? {
        guard let calls = pallet.callsType, let entry = types[calls] else { return nil }
        return blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: Int(entry.definition))
            guard (try? cursor.definitionKind()) == .variant else { return nil }
            return try? cursor.count()
        }
    }
}
