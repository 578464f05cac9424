/// Metadata without its documentation: every fact stays, each list of doc lines becomes empty.
///
/// The result is metadata of the same format version; it decodes every transaction to the same cards but for their
/// docs, in fewer bytes to carry by QR. Its hash differs from the original's.
public enum LeanMetadata {
    /// - Parameters:
    ///   - blob: metadata of format version 14 to 16.
    ///   - keepsRuntimeAPIs: whether the list of runtime APIs stays, which no transaction is read by. The types that it
    ///     names stay, so that all numbers of types and the metadata hash are the same without it.
    /// - Throws: ``MetadataError`` for a blob that ``RuntimeMetadata`` refuses for its form.
    public static func transform(
        _ blob: [UInt8], keepsRuntimeAPIs: Bool = true
    ) throws(MetadataError) -> [UInt8] {
        let version = try MetadataHead.formatVersion(of: blob)
        do throws(MetadataFault) {
            return try blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var stripper = DocsStripper(
                    cursor: BlobCursor(buffer, at: MetadataHead.byteCount), keepsRuntimeAPIs: keepsRuntimeAPIs)
                try stripper.strip(version: version)
                return stripper.finished()
            }
        } catch {
            throw .unableToDecode(error)
        }
    }
}

/// Copies a blob in pieces, each list of doc lines replaced by an empty one.
private struct DocsStripper {
    var cursor: BlobCursor
    private var output: [UInt8] = []
    /// Where the part begins that is read and not yet copied.
    private var pending = 0
    private var selectors = PalletSelectors()

    private let keepsRuntimeAPIs: Bool

    init(cursor: BlobCursor, keepsRuntimeAPIs: Bool) {
        self.cursor = cursor
        self.keepsRuntimeAPIs = keepsRuntimeAPIs
        output.reserveCapacity(cursor.end)
    }

    mutating func finished() -> [UInt8] {
        output.append(contentsOf: cursor.bytes(pending..<cursor.position))
        return output
    }

    mutating func strip(version: UInt8) throws(MetadataFault) {
        try stripTypes()
        for _ in 0..<(try cursor.count()) { try stripPallet(version: version) }
        try passExtrinsic(version: version)
        if version < 16 { _ = try cursor.compact() }
        if version >= 15 {
            if keepsRuntimeAPIs {
                for _ in 0..<(try cursor.count()) { try stripAPI(version: version) }
            } else {
                output.append(contentsOf: cursor.bytes(pending..<cursor.position))
                // An empty list; what was there is read, and kept nowhere.
                let kept = output + [0]
                for _ in 0..<(try cursor.count()) { try stripAPI(version: version) }
                (output, pending) = (kept, cursor.position)
            }
            try cursor.skipOuterEnumsAndCustom()
        }
        guard cursor.remaining == 0 else {
            throw .trailingBytes(offset: cursor.position, count: cursor.remaining)
        }
    }

    private mutating func passExtrinsic(version: UInt8) throws(MetadataFault) {
        switch version {
        case 14:
            _ = try cursor.compact()
            _ = try cursor.byte()
            _ = try cursor.extensions()
        case 15: _ = try ExtrinsicIndex(version15: &cursor)
        default: _ = try ExtrinsicIndex(version16: &cursor)
        }
    }

    private mutating func stripDocs() throws(MetadataFault) {
        output.append(contentsOf: cursor.bytes(pending..<cursor.position))
        output.append(0)
        try cursor.skipTexts()
        pending = cursor.position
    }

    private mutating func stripTypes() throws(MetadataFault) {
        for position in 0..<(try cursor.typeCount()) {
            try cursor.skipTypeID(expected: position)
            try cursor.skipTexts()
            try cursor.skipParameters()
            try stripDefinition()
            try stripDocs()
        }
    }

    private mutating func stripDefinition() throws(MetadataFault) {
        let start = cursor.position
        switch try cursor.definitionKind() {
        case .composite: try stripFields()
        case .variant:
            var seen = ByteSet()
            for _ in 0..<(try cursor.count()) {
                try cursor.skipText()
                try stripFields()
                _ = try cursor.variantIndex(notIn: &seen)
                try stripDocs()
            }
        case .sequence, .array, .tuple, .primitive, .compact, .bitSequence:
            cursor.move(to: start)
            try cursor.skipDefinition()
        }
    }

    private mutating func stripFields() throws(MetadataFault) {
        for _ in 0..<(try cursor.count()) {
            try cursor.skipFieldUpToDocs()
            try stripDocs()
        }
    }

    private mutating func stripPallet(version: UInt8) throws(MetadataFault) {
        let name = try cursor.name()
        if try cursor.isPresent() {
            try cursor.skipText()
            for _ in 0..<(try cursor.count()) {
                try cursor.skipStorageEntryUpToDocs()
                try stripDocs()
                if version >= 16 { try cursor.skipDeprecation() }
            }
        }
        for _ in 0..<2 { _ = try cursor.palletEnum(version: version) }
        for _ in 0..<(try cursor.count()) {
            try cursor.skipText()
            _ = try cursor.compact()
            try cursor.skipText()
            try stripDocs()
            if version >= 16 { try cursor.skipDeprecation() }
        }
        _ = try cursor.palletEnum(version: version)
        if version >= 16 { try stripPalletAdditions() }
        _ = try cursor.palletIndex(of: name, notIn: &selectors)
        if version >= 15 { try stripDocs() }
        if version >= 16 { try cursor.skipDeprecation() }
    }

    /// Associated types and view functions, of metadata 16.
    private mutating func stripPalletAdditions() throws(MetadataFault) {
        for _ in 0..<(try cursor.count()) {
            try cursor.skipText()
            _ = try cursor.compact()
            try stripDocs()
        }
        for _ in 0..<(try cursor.count()) {
            try cursor.skip(32)
            try cursor.skipMethodUpToDocs()
            try stripDocs()
            try cursor.skipDeprecation()
        }
    }

    private mutating func stripAPI(version: UInt8) throws(MetadataFault) {
        try cursor.skipText()
        for _ in 0..<(try cursor.count()) {
            try cursor.skipMethodUpToDocs()
            try stripDocs()
            if version >= 16 { try cursor.skipDeprecation() }
        }
        try stripDocs()
        if version >= 16 { try cursor.skipAPIVersion() }
    }
}
