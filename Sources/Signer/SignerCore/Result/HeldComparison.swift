import MetadataDescriptions
import Signer
import Substrate

/// What differs between metadata and those of the same name that a vault has: of the same version, else the newest.
///
/// Whoever signs metadata for others is told by it what their transactions would be read by.
package struct HeldComparison: Sendable, Encodable {
    /// A pallet that differs.
    package struct Pallet: Sendable, Encodable {
        /// The pallet's name.
        package var name: String
        /// What became of it: `added`, `removed`, `changed`.
        package var kind: String
        /// The calls that differ.
        package var calls: [String]
    }

    /// The version that it is compared with.
    package var version: UInt32
    /// The digest of those that are here, where they have the same version and are others; in hex.
    package var otherDigest: String?
    /// Whether calls are compared: metadata before format version 14 cannot be.
    package var isReadable: Bool
    /// The pallets that differ in their number or in names and arguments of calls.
    package var pallets: [Pallet] = []
    /// The transaction extensions that differ.
    package var extensions: [String] = []
    /// Types that have the same name and are others inside, at most ``mostTypes``.
    package var types: [String] = []
    /// How many more of these there are.
    package var furtherTypes = 0

    /// How many types are named.
    package static let mostTypes = 24

    /// Whether the same transaction gives the same cards, but for what documentation says.
    package var isSame: Bool { isReadable && pallets.isEmpty && extensions.isEmpty && types.isEmpty }

    /// - Returns: nil where the vault has none of that name.
    package init?(of metadata: ChainMetadata, in vault: Vault) throws {
        guard let known = try vault.networkList().first(where: { $0.specs.name == metadata.specName }),
            let held = known.metadata.first(where: { $0.version == metadata.specVersion }) ?? known.metadata.first,
            case .metadata(let blob, _) = try vault.content(
                of: .metadata(name: metadata.specName, version: held.version))
        else { return nil }
        version = held.version
        if held.version == metadata.specVersion, held.hash != metadata.blobHash { otherDigest = held.hash.hex }
        guard let (old, new) = try? (FullMetadata(blob), FullMetadata(metadata.blob)) else {
            isReadable = false
            return
        }
        isReadable = true
        let changes = MetadataChanges(from: old, to: new)
        pallets = changes.pallets.map(Pallet.init)
        extensions = changes.extensions
        types = Array(changes.types.prefix(Self.mostTypes))
        furtherTypes = changes.types.count - types.count
    }
}

extension HeldComparison.Pallet {
    fileprivate init(_ pallet: MetadataChanges.Pallet) {
        name = pallet.name
        switch pallet.kind {
        case .added: (kind, calls) = ("added", [])
        case .removed: (kind, calls) = ("removed", [])
        case .changed(let changed): (kind, calls) = ("changed", changed)
        }
    }
}
