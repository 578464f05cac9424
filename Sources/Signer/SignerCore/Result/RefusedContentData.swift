import Airgap
import Signer
import Substrate

/// An update that this vault refused, as whoever publishes it has to see it before they sign.
///
/// Source: `signer-product` section 8.
package struct RefusedContentData: Sendable, Encodable {
    /// What it brings: `specs`, `metadata`, `types`.
    package var kind: String
    /// The name of the network or runtime.
    package var name: String?
    /// The version of the runtime.
    package var version: UInt32?
    /// The genesis of the network in hex.
    package var genesis: String?
    /// BLAKE2b-256 of what is new, in hex.
    package var hash: String
    /// The fields of a network's record, as they would be stored.
    package var fields: [String: String]?
    /// What differs from the metadata of that name that are stored; nil where there are none.
    package var comparison: HeldComparison?

    init(_ content: UpdatePayload.Content, vault: Vault) throws {
        switch try vault.expanded(content) {
        case .specs(let specs):
            kind = "specs"
            name = specs.name
            genesis = specs.genesisHash.hex
            hash = Blake2b.hash256(specs.scaleEncoded).hex
            fields = [
                "title": specs.title, "prefix": "\(specs.base58Prefix)", "decimals": "\(specs.decimals)",
                "unit": specs.unit, "scheme": specs.scheme.name, "path": specs.pathID, "logo": specs.logo,
                "color": specs.color, "secondaryColor": specs.secondaryColor,
            ]
        case .types(let types):
            kind = "types"
            hash = types.hash.hex
        case .packedMetadata: throw RefusedPayload.metadataNotExpanded
        case .metadata(let blob, let genesisHash):
            let metadata: ChainMetadata
            do throws(MetadataError) { metadata = try ChainMetadata(blob) } catch {
                throw RefusedPayload.update(.metadataBroken(error))
            }
            kind = "metadata"
            name = metadata.specName
            version = metadata.specVersion
            genesis = genesisHash.hex
            hash = metadata.blobHash.hex
            comparison = try HeldComparison(of: metadata, in: vault)
        }
    }

    /// What is signed, in words.
    var text: String {
        switch kind {
        case "specs": "the network \(name ?? ""), which this vault refused"
        case "types": "types, which this vault refused"
        default: "the metadata \(name ?? "")\(version.map { "\($0)" } ?? ""), which this vault refused"
        }
    }
}
