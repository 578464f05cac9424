import Files
import Substrate

/// A network's metadata as they were put into a release.
package struct ReleasedMetadata: Hashable, Sendable {
    /// Name and version.
    package let name: MetadataName
    /// The file's name.
    package let file: String
    /// Bytes of the file.
    package let byteCount: Int
    /// Whether the file was written; not where it held these metadata.
    package let isWritten: Bool
}

/// Metadata that a release of the signer ships with: a folder of files `NAME.metadata`, without documentation.
///
/// A vault is never written to from a connected machine; what is in a release, its builder answers for.
extension HotSide {
    private static let fileSuffix = ".metadata"
    /// Bytes of a file at the most.
    private static let fileLimit = MetadataLimits.blobByteCount

    /// Puts the newest metadata of networks into the files of a release, each file at once.
    ///
    /// - Parameters:
    ///   - folder: of the release.
    ///   - makesMissing: whether networks get a file that have none; otherwise those alone that the release knows.
    /// - Throws: ``HotSideError/earlierVersion(name:stored:fetched:)`` where the release is ahead, `FileError`.
    package func release(to folder: FilePath, makesMissing: Bool) throws -> [ReleasedMetadata] {
        let place = try Folder(
            folder, makesMissing: makesMissing, permissions: .init(rawValue: 0o755), followsLinks: true)
        var newest: [String: StoredMetadata] = [:]
        for stored in try metadata() { newest[stored.key.name] = stored }
        var released: [ReleasedMetadata] = []
        for (name, stored) in newest.sorted(by: { $0.key < $1.key }) {
            // The name comes from a chain.
            guard Self.isPlain(name) else {
                throw HotSideError.notSupported(reason: "\(name) cannot be the name of a file")
            }
            let file = name + Self.fileSuffix
            let former = try place.content(of: file, limit: Self.fileLimit)
            guard former != nil || makesMissing else { continue }
            let lean = try Self.lean(stored.metadata)
            if let former, former != lean, let known = try? ChainMetadata(former),
                known.specVersion > stored.key.version
            {
                throw HotSideError.earlierVersion(name: name, stored: known.specVersion, fetched: stored.key.version)
            }
            if former != lean { try PreparedFile.replace(place.path(of: file), with: lean) }
            released.append(
                ReleasedMetadata(name: stored.key, file: file, byteCount: lean.count, isWritten: former != lean))
        }
        return released
    }

    private static func lean(_ metadata: ChainMetadata) throws -> [UInt8] {
        guard case .registry = metadata else { return metadata.blob }
        do { return try LeanMetadata.transform(metadata.blob) } catch { throw HotSideError.metadataBroken(error) }
    }

    /// Whether a runtime's name can be the name of a file.
    package static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
