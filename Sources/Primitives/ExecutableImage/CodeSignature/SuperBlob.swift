/// The container of a code signature: an index of blobs. Numbers in it have the highest byte first.
struct SuperBlob {
    private static let magic: UInt32 = 0xfade_0cc0

    private let image: ImageView
    /// Where it begins, counted from the start of the image.
    private let start: UInt64
    private let blobs: [Blob]

    struct Blob {
        let type: UInt32
        let magic: UInt32
        /// Where the blob lies, counted from the start of the image.
        let extent: Extent
    }

    private enum Kind {
        static let certificate: UInt32 = 0x1_0000
        /// Entitlements as a property list, and in DER.
        static let lists: [UInt32] = [5, 7]
        /// The first directory, and those for other hash functions.
        static func isDirectory(_ type: UInt32) -> Bool { type == 0 || (0x1000..<0x1005).contains(type) }
    }

    init(parsing image: ImageView, _ extent: Extent) throws(ImageFailure) {
        self.image = image
        start = extent.start
        let refusal = image.refusal(.codeSignatureOutOfBounds, at: extent.start)
        guard extent.length >= 12 else { throw refusal }
        let header = Fields(
            try image.bytes(Extent(at: extent.start, count: 12), orRefuse: .codeSignatureOutOfBounds), .big)
        let (length, count) = (header.uint32(4), header.uint32(8))
        let indexSize = UInt64(count) * 8
        guard header.uint32(0) == Self.magic, count <= CodeSignature.entryLimit, UInt64(length) <= extent.length,
            UInt64(length) >= 12 + indexSize
        else { throw refusal }
        let index = Fields(
            try image.bytes(Extent(at: extent.start + 12, count: indexSize), orRefuse: .codeSignatureOutOfBounds), .big)
        var blobs: [Blob] = []
        for entry in 0..<Int(count) {
            let offset = UInt64(index.uint32(8 * entry + 4))
            guard offset + 8 <= UInt64(length) else { throw refusal }
            let start = extent.start + offset
            let blob = Fields(try image.bytes(Extent(at: start, count: 8), orRefuse: .codeSignatureOutOfBounds), .big)
            guard blob.uint32(4) >= 8, offset + UInt64(blob.uint32(4)) <= UInt64(length) else { throw refusal }
            blobs.append(
                Blob(
                    type: index.uint32(8 * entry), magic: blob.uint32(0),
                    extent: Extent(at: start, count: UInt64(blob.uint32(4)))))
        }
        // Each directory costs a pass over the image, and of two lists nobody knows which holds.
        let single = blobs.map(\.type).filter { Kind.isDirectory($0) || Kind.lists.contains($0) }
        guard Set(single).count == single.count else { throw refusal }
        self.blobs = blobs
    }

    func signature() throws(ImageFailure) -> CodeSignature {
        let lists = Kind.lists.map { type in (slot: type, blob: blobs.first { $0.type == type }) }
        var (directories, entitlements): ([CodeDirectory], [[UInt8]]) = ([], [])
        for blob in blobs where Kind.isDirectory(blob.type) {
            directories.append(try CodeDirectory(parsing: image, blob, signatureStart: start, lists: lists))
        }
        for case let list? in lists.map(\.blob) { entitlements.append(try text(of: list)) }
        return CodeSignature(
            directories: directories,
            hasCertificate: blobs.contains { $0.type == Kind.certificate && $0.extent.length > 8 },
            entitlements: entitlements)
    }

    /// What stands behind the head of a blob.
    private func text(of blob: Blob) throws(ImageFailure) -> [UInt8] {
        let refusal = image.refusal(.codeSignatureOutOfBounds, at: blob.extent.start)
        guard blob.extent.length <= CodeSignature.entitlementLimit else { throw refusal }
        return Array(try image.bytes(blob.extent, orRefuse: .codeSignatureOutOfBounds).dropFirst(8))
    }
}
