extension CodeDirectory {
    private static let magic: UInt32 = 0xfade_0c02
    /// Bytes of the fields that all versions have.
    private static let headerSize: UInt64 = 44
    /// Bytes of an identifier at the most.
    private static let nameLimit: UInt64 = 4096

    /// The version in which a field was added, and where it is.
    private enum Added {
        static let team: (version: UInt32, position: UInt64) = (0x2_0200, 48)
        static let codeLimit64: (version: UInt32, position: UInt64) = (0x2_0300, 56)
    }

    /// - Parameters:
    ///   - signatureStart: where the signature begins, counted from the start of the image.
    ///   - lists: the entitlements of the signature, by the numbers of the slots for their hashes.
    init(
        parsing image: ImageView, _ blob: SuperBlob.Blob, signatureStart: UInt64,
        lists: [(slot: UInt32, blob: SuperBlob.Blob?)]
    ) throws(ImageFailure) {
        let reader = Reader(image: image, extent: blob.extent)
        guard blob.magic == Self.magic else { throw reader.refusal }
        let fields = try reader.fields(at: 0, count: Self.headerSize)
        version = fields.uint32(8)
        flags = CodeDirectoryFlags(rawValue: fields.uint32(12))
        let hashOffset = UInt64(fields.uint32(16))
        let pageCount = fields.uint32(28)
        self.pageCount = pageCount
        let hashSize = fields.bytes[fields.bytes.startIndex + 36]
        hashType = fields.bytes[fields.bytes.startIndex + 37]
        pageSizeLog2 = fields.bytes[fields.bytes.startIndex + 39]
        guard let form = SlotForm(hashType: hashType), form.size == hashSize, pageSizeLog2 < 32 else {
            throw reader.refusal
        }
        identifier = try reader.name(UInt64(fields.uint32(20)))
        var team: UInt64 = 0
        if version >= Added.team.version {
            team = UInt64(try reader.fields(at: Added.team.position, count: 4).uint32(0))
        }
        teamIdentifier = team == 0 ? nil : try reader.name(team)
        var limit = UInt64(fields.uint32(32))
        if version >= Added.codeLimit64.version {
            let wide = try reader.fields(at: Added.codeLimit64.position, count: 8).uint64(0)
            if wide > 0 { limit = wide }
        }
        codeLimit = limit
        reachesSignature = limit == signatureStart
        guard image.contains(Extent(at: 0, count: limit)),
            hashOffset + UInt64(pageCount) * UInt64(hashSize) <= blob.extent.length
        else { throw reader.refusal }
        let pageSize = pageSizeLog2 == 0 ? max(limit, 1) : 1 << UInt64(pageSizeLog2)
        isComplete = UInt128(pageCount) * UInt128(pageSize) >= UInt128(limit)
        cdhash = Array(try image.hash(blob.extent, with: HashStream(form.function)).prefix(20))
        let hashes = SlotHashes(
            reader: reader, start: hashOffset, size: UInt64(hashSize), stream: try HashStream(form.function))
        badPages = try hashes.badPages(count: pageCount, pageSize: pageSize, below: limit)
        sealsEntitlements = try hashes.seals(lists, otherCount: fields.uint32(24))
    }

    /// The hashes of a directory: those of pages, and before them, the first one last, those of what is no page.
    private struct SlotHashes {
        let reader: Reader
        /// Where in the directory the hash of the first page is.
        let start: UInt64
        /// Bytes of each.
        let size: UInt64
        let stream: HashStream

        /// - Parameter limit: where the last page ends.
        /// - Returns: the numbers of the pages that are not what their hashes say.
        func badPages(count: UInt32, pageSize: UInt64, below limit: UInt64) throws(ImageFailure) -> [UInt32] {
            var bad: [UInt32] = []
            for page in 0..<count {
                let begin = min(UInt64(page) * pageSize, limit)
                let expected = try reader.fields(at: start + UInt64(page) * size, count: size).bytes
                let found = try reader.image.hash(
                    Extent(at: begin, count: min(pageSize, limit - begin)), with: stream)
                if !found.prefix(Int(size)).elementsEqual(expected) { bad.append(page) }
            }
            return bad
        }

        /// Whether each blob is what the hash in its slot says. A slot without content is zero.
        ///
        /// - Parameter otherCount: how many slots of what is no page there are.
        func seals(
            _ lists: [(slot: UInt32, blob: SuperBlob.Blob?)], otherCount: UInt32
        ) throws(ImageFailure) -> Bool {
            var isSealed = true
            for (slot, blob) in lists {
                let distance = UInt64(slot) * size
                var expected = [UInt8](repeating: 0, count: Int(size))
                if slot <= otherCount {
                    guard distance <= start else { throw reader.refusal }
                    expected = Array(try reader.fields(at: start - distance, count: size).bytes)
                }
                var found = [UInt8](repeating: 0, count: Int(size))
                if let blob { found = Array(try reader.image.hash(blob.extent, with: stream).prefix(Int(size))) }
                isSealed = isSealed && found == expected
            }
            return isSealed
        }
    }

    /// What a hash in the directory is.
    private struct SlotForm {
        let function: HashFunction
        let size: UInt8

        init?(hashType: UInt8) {
            switch hashType {
            case 1: (function, size) = (.sha1, 20)
            case 2: (function, size) = (.sha256, 32)
            case 3: (function, size) = (.sha256, 20)
            case 4: (function, size) = (.sha384, 48)
            default: return nil
            }
        }
    }

    /// Reads inside the blob only.
    private struct Reader {
        let image: ImageView
        let extent: Extent

        var refusal: ImageFailure { image.refusal(.codeSignatureOutOfBounds, at: extent.start) }

        func fields(at offset: UInt64, count: UInt64) throws(ImageFailure) -> Fields {
            guard Extent(at: offset, count: count).fits(below: UInt128(extent.length)) else { throw refusal }
            return Fields(
                try image.bytes(Extent(at: extent.start + offset, count: count), orRefuse: .codeSignatureOutOfBounds),
                .big)
        }

        func name(_ offset: UInt64) throws(ImageFailure) -> String {
            guard offset < extent.length else { throw refusal }
            let bytes = try fields(at: offset, count: min(extent.length - offset, nameLimit)).bytes
            guard let end = bytes.firstIndex(of: 0) else { throw refusal }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }
}

extension ImageView {
    fileprivate func hash(_ extent: Extent, with stream: HashStream) throws(ImageFailure) -> [UInt8] {
        let place = Extent(at: position(extent.start), count: extent.length)
        try source.forEachPiece(of: place, pieceSize: DigestPass.pieceSize) { stream.update($0) }
        return try stream.finish()
    }
}
