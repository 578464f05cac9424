import Airgap
import MetadataDescriptions
import Signer
import Substrate

/// An update that this vault refused, as whoever publishes it has to see it before they sign.
///
/// Source: `signer-product` section 8.
package struct RefusedContentData: Sendable, Encodable {
    /// A pallet that differs from the newest stored metadata.
    package struct Pallet: Sendable, Encodable {
        /// The pallet's name.
        package var name: String
        /// What became of it: `added`, `removed`, `changed`.
        package var kind: String
        /// The calls that differ.
        package var calls: [String]
    }

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
    /// The newest version that is stored, which the pallets are compared with; nil where there is none.
    package var comparedWith: UInt32?
    /// The pallets that differ from that one.
    package var pallets: [Pallet]?

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
            try compare(metadata, in: vault)
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

    /// Finds the pallets that differ from the newest metadata of that name that are here.
    private mutating func compare(_ metadata: ChainMetadata, in vault: Vault) throws {
        let known = try vault.networkList().first { $0.specs.name == metadata.specName }
        guard let newest = known?.metadata.first,
            case .metadata(let blob, _) = try vault.content(
                of: .metadata(name: metadata.specName, version: newest.version)),
            let (old, new) = try? (FullMetadata(blob), FullMetadata(metadata.blob))
        else { return }
        comparedWith = newest.version
        pallets = MetadataChanges(from: old, to: new).pallets.map { pallet in
            switch pallet.kind {
            case .added: Pallet(name: pallet.name, kind: "added", calls: [])
            case .removed: Pallet(name: pallet.name, kind: "removed", calls: [])
            case .changed(let calls): Pallet(name: pallet.name, kind: "changed", calls: calls)
            }
        }
    }
}
