import SCALE

/// All that metadata of format version 14 to 16 says, as values. Documentation stays in the blob: ``docs(_:)`` reads
/// it.
///
/// For decoding transactions ``RuntimeMetadata`` is cheaper. Source: `signer-wire` sections 4.2 and 4.3.
public struct FullMetadata: Sendable {
    public let blob: [UInt8]
    public let formatVersion: UInt8
    public let types: [TypeDescription]
    public let pallets: [PalletDescription]
    public let extrinsic: ExtrinsicDescription
    /// nil in metadata 16.
    public let runtimeType: UInt32?
    /// Empty in metadata 14.
    public let apis: [RuntimeAPIDescription]
    /// nil in metadata 14.
    public let outerEnums: OuterEnums?
    /// Empty in metadata 14.
    public let custom: [CustomValue]

    /// Documentation in the blob: where its `vec<str>` stands.
    public struct DocsRange: Hashable, Sendable {
        let range: Range<Int>

        /// Whether there are no lines.
        public var isEmpty: Bool { range.count == 1 }
    }

    public struct OuterEnums: Hashable, Sendable {
        public let call: UInt32
        public let event: UInt32
        public let error: UInt32
    }

    public struct CustomValue: Hashable, Sendable {
        public let name: String
        public let type: UInt32
        /// Where the value stands in the blob.
        public let value: Range<Int>
    }

    /// - Throws: ``MetadataError``; the blob must end with the metadata's last byte, and every string must be UTF-8.
    public init(_ blob: [UInt8]) throws(MetadataError) {
        let version = try MetadataHead.formatVersion(of: blob)
        do throws(MetadataFault) {
            self = try blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: MetadataHead.byteCount)
                return try FullMetadata(from: &cursor, blob: blob, version: version)
            }
        } catch {
            throw .unableToDecode(error)
        }
    }

    private init(from cursor: inout BlobCursor, blob: [UInt8], version: UInt8) throws(MetadataFault) {
        self.blob = blob
        formatVersion = version
        types = try cursor.types()
        pallets = try cursor.list { cursor throws(MetadataFault) in try cursor.pallet(version: version) }
        extrinsic = try cursor.extrinsic(version: version)
        runtimeType = version < 16 ? try cursor.typeID() : nil
        apis =
            version == 14 ? [] : try cursor.list { cursor throws(MetadataFault) in try cursor.api(version: version) }
        outerEnums =
            version == 14
            ? nil : OuterEnums(call: try cursor.typeID(), event: try cursor.typeID(), error: try cursor.typeID())
        custom =
            version == 14
            ? []
            : try cursor.list { cursor throws(MetadataFault) in
                CustomValue(name: try cursor.name(), type: try cursor.typeID(), value: try cursor.text())
            }
        guard cursor.remaining == 0 else {
            throw .trailingBytes(offset: cursor.position, count: cursor.remaining)
        }
    }

    /// The lines of a documentation, joined by newline.
    public func docs(_ docs: DocsRange) -> String {
        Documentation(blob: blob, offset: docs.range.lowerBound).text
    }
}
