import Airgap
import SCALE
import Substrate
import Zstandard

/// The kinds of updates, by the names that commands have for them.
public enum UpdateKind: String, CaseIterable, Sendable {
    /// Types of old networks.
    case loadTypes = "load-types"
    /// Metadata of a network.
    case loadMetadata = "load-metadata"
    /// Metadata of a network, without documentation and compressed.
    case loadPackedMetadata = "load-packed-metadata"
    /// A network.
    case addSpecs = "add-specs"
}

/// Files that hold what an update carries, to be signed or to be joined with a signature.
///
/// Source: `signer-wire` section 8.5.
public enum UpdateFile {
    private static let unsignedPrefix = "sign_me_"

    /// The name of the file in which the content waits for a signature.
    ///
    /// - Parameter content: of metadata, which must be such.
    public static func unsignedName(_ content: UpdatePayload.Content, named name: MetadataName? = nil) -> String {
        switch content {
        case .specs(let specs): unsignedPrefix + "add_specs_\(specs.name)_\(specs.scheme.name)"
        case .types: unsignedPrefix + "load_types"
        case .metadata: unsignedPrefix + "load_metadata_\(label(name))"
        case .packedMetadata: unsignedPrefix + "load_packed_metadata_\(label(name))"
        }
    }

    /// The name of a finished update, without its ending.
    public static func finishedName(
        _ content: UpdatePayload.Content, named name: MetadataName? = nil, crypto: UpdateCrypto
    ) -> String {
        let base =
            switch content {
            case .specs(let specs): "add_specs_\(specs.name)-\(specs.scheme.name)"
            case .types: "load_types"
            case .metadata: "load_metadata_\(label(name))"
            case .packedMetadata: "load_packed_metadata_\(label(name))"
            }
        return base + crypto.suffix
    }

    private static func label(_ name: MetadataName?) -> String { name.map { "\($0.name)V\($0.version)" } ?? "unknown" }

    /// Reads what ``UpdatePayload/Content/signedBytes`` of a kind are.
    ///
    /// - Returns: the content, and of metadata their name.
    /// - Throws: ``HotSideError/payloadFileBroken(kind:reason:)``, ``HotSideError/metadataBroken(_:)``,
    ///   ``HotSideError/specsMalformed(name:_:)``.
    public static func content(
        _ kind: UpdateKind, _ bytes: [UInt8]
    ) throws(HotSideError) -> (content: UpdatePayload.Content, name: MetadataName?) {
        switch kind {
        case .addSpecs:
            let specs: NetworkSpecs = try decoded(bytes, as: kind)
            try specs.checkForVaults()
            return (.specs(specs), nil)
        case .loadTypes: return (.types(try decoded(bytes, as: kind)), nil)
        case .loadMetadata: return try metadata(bytes)
        case .loadPackedMetadata: return try packedMetadata(bytes)
        }
    }

    private static func decoded<T: ScaleCodable>(_ bytes: [UInt8], as kind: UpdateKind) throws(HotSideError) -> T {
        do throws(ScaleError) { return try T(scaleEncoded: bytes) } catch {
            throw .payloadFileBroken(kind: kind.rawValue, reason: "\(error)")
        }
    }

    private static func metadata(
        _ bytes: [UInt8]
    ) throws(HotSideError) -> (content: UpdatePayload.Content, name: MetadataName?) {
        let (blob, genesis): ([UInt8], Hash256)
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes)
            blob = try decoder.byteSequence()
            genesis = try Hash256(from: &decoder)
            try decoder.finish()
        } catch {
            throw .payloadFileBroken(kind: UpdateKind.loadMetadata.rawValue, reason: "\(error)")
        }
        return (.metadata(blob, genesisHash: genesis), try name(of: blob))
    }

    private static func packedMetadata(
        _ bytes: [UInt8]
    ) throws(HotSideError) -> (content: UpdatePayload.Content, name: MetadataName?) {
        let (count, frame, genesis): (UInt32, [UInt8], Hash256)
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes)
            count = try decoder.compact32()
            frame = try decoder.byteSequence()
            genesis = try Hash256(from: &decoder)
            try decoder.finish()
        } catch {
            throw .payloadFileBroken(kind: UpdateKind.loadPackedMetadata.rawValue, reason: "\(error)")
        }
        guard let packed = PackedMetadata(byteCount: Int(count), frame: frame) else {
            throw .payloadFileBroken(kind: UpdateKind.loadPackedMetadata.rawValue, reason: "its length is not taken")
        }
        let blob: [UInt8]
        do { blob = try ZstdFrame.expand(frame, to: packed.byteCount, limit: PackedMetadata.byteLimit) } catch {
            throw .payloadFileBroken(kind: UpdateKind.loadPackedMetadata.rawValue, reason: "\(error)")
        }
        return (.packedMetadata(packed, genesisHash: genesis), try name(of: blob))
    }

    private static func name(of blob: [UInt8]) throws(HotSideError) -> MetadataName {
        do throws(MetadataError) {
            let metadata = try ChainMetadata(blob)
            return MetadataName(name: metadata.specName, version: metadata.specVersion)
        } catch {
            throw .metadataBroken(error)
        }
    }
}

extension UpdatePayload.Content {
    /// The same metadata as they are quickest to film: without documentation and runtime APIs, which no transaction is
    /// read by, and compressed. Takes seconds.
    ///
    /// - Parameters:
    ///   - metadata: of format version 14 or newer.
    ///   - genesis: of their network.
    public static func packed(
        _ metadata: ChainMetadata, genesisHash genesis: Hash256
    ) throws(HotSideError) -> UpdatePayload.Content {
        guard case .registry = metadata else { throw .notPackable(formatVersion: metadata.formatVersion) }
        let lean: [UInt8]
        do { lean = try LeanMetadata.transform(metadata.blob, keepsRuntimeAPIs: false) } catch {
            throw .metadataBroken(error)
        }
        let frame: [UInt8]
        do { frame = try ZstdFrame.compress(lean) } catch { throw .notCompressed(reason: "\(error)") }
        guard let packed = PackedMetadata(byteCount: lean.count, frame: frame) else {
            throw .notCompressed(reason: "they have \(lean.count) bytes")
        }
        return .packedMetadata(packed, genesisHash: genesis)
    }
}
