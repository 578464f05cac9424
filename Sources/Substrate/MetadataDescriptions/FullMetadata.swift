import Substrate

/// All that metadata of format version 14 to 16 says, as values. Documentation stays in the blob: ``docs(_:)`` reads
/// it.
///
/// For decoding transactions ``RuntimeMetadata`` is cheaper. Source: `signer-wire` sections 4.2 and 4.3.
public struct FullMetadata: Sendable {
    package let blob: [UInt8]
    package let formatVersion: UInt8
    package let types: [TypeDescription]
    package let pallets: [PalletDescription]
    package let extrinsic: ExtrinsicDescription
    /// nil in metadata 16.
    package let runtimeType: UInt32?
    /// Empty in metadata 14.
    package let apis: [RuntimeAPIDescription]
    /// nil in metadata 14.
    package let outerEnums: OuterEnums?
    /// Empty in metadata 14.
    package let custom: [CustomValue]

    /// Documentation in the blob: where its `vec<str>` stands.
    package struct DocsRange: Hashable, Sendable {
        let range: Range<Int>

        /// Whether there are no lines.
        package var isEmpty: Bool { range.count == 1 }
    }

    package struct OuterEnums: Hashable, Sendable {
        package let call: UInt32
        package let event: UInt32
        package let error: UInt32
    }

    package struct CustomValue: Hashable, Sendable {
        package let name: String
        package let type: UInt32
        /// Where the value stands in the blob.
        package let value: Range<Int>
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
        var selectors = PalletSelectors()
        pallets = try cursor.list { cursor throws(MetadataFault) in
            try cursor.pallet(version: version, notIn: &selectors)
        }
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
    package func docs(_ docs: DocsRange) -> String {
        Documentation(blob: blob, offset: docs.range.lowerBound).text
    }
}
