/// One pass over the body of metadata 12 or 13: every field is read, what decoding needs is kept
/// (`signer-wire` section 4.4).
struct TextMetadataBody {
    private(set) var pallets: [TextMetadata.Pallet] = []
    private(set) var extensions: [String] = []
    private(set) var callOffsets: [UInt32] = []
    private(set) var system = SystemConstants()
    private var selectors = PalletSelectors()

    /// - Parameter version: 12 or 13.
    init(from cursor: inout BlobCursor, version: UInt8) throws(MetadataFault) {
        for _ in 0..<(try cursor.count()) { try readPallet(from: &cursor, version: version) }
        _ = try cursor.byte()
        for _ in 0..<(try cursor.count()) { extensions.append(try cursor.name()) }
        guard cursor.remaining == 0 else {
            throw .trailingBytes(offset: cursor.position, count: cursor.remaining)
        }
    }

    private mutating func readPallet(from cursor: inout BlobCursor, version: UInt8) throws(MetadataFault) {
        let name = try cursor.name()
        try cursor.skipTextStorage(version: version)
        let calls = try readCalls(from: &cursor)
        try cursor.skipTextEvents()
        let constantCount = try readConstants(from: &cursor, isSystem: name == "System")
        try cursor.skipTextErrors()
        let index = try cursor.palletIndex(of: name, notIn: &selectors)
        pallets.append(
            TextMetadata.Pallet(name: name, index: index, constantCount: constantCount, calls: calls))
    }

    private mutating func readCalls(from cursor: inout BlobCursor) throws(MetadataFault) -> Range<Int>? {
        guard try cursor.isPresent() else { return nil }
        let first = callOffsets.count
        for _ in 0..<(try cursor.count()) {
            callOffsets.append(UInt32(cursor.position))
            try cursor.skipUTF8()
            for _ in 0..<(try cursor.count()) {
                try cursor.skipUTF8()
                try cursor.skipUTF8()
            }
            try cursor.skipUTF8List()
        }
        return first..<callOffsets.count
    }

    private mutating func readConstants(
        from cursor: inout BlobCursor, isSystem: Bool
    ) throws(MetadataFault) -> Int {
        if isSystem { system.isPresent = true }
        let count = try cursor.count()
        for _ in 0..<count {
            let name = try cursor.utf8()
            try cursor.skipUTF8()
            let value = try cursor.text()
            try cursor.skipUTF8List()
            if isSystem { system.note(name: name, value: value, in: cursor) }
        }
        return count
    }
}

/// The parts of metadata 12 and 13 that decoding passes by.
extension BlobCursor {
    mutating func skipTextStorage(version: UInt8) throws(MetadataFault) {
        guard try isPresent() else { return }
        try skipUTF8()
        for _ in 0..<(try count()) {
            try skipUTF8()
            try checkIndex(below: 2, kind: "storage modifier")
            try skipTextStorageKind(version: version)
            try skipText()
            try skipUTF8List()
        }
    }

    /// A plain value, a map, a map of two keys and, from version 13, a map of any number of keys.
    private mutating func skipTextStorageKind(version: UInt8) throws(MetadataFault) {
        switch try checkIndex(below: version == 12 ? 3 : 4, kind: "storage entry type") {
        case 0: try skipUTF8()
        case 1:
            try skipHasher()
            for _ in 0..<2 { try skipUTF8() }
            _ = try flag()
        case 2:
            try skipHasher()
            for _ in 0..<3 { try skipUTF8() }
            try skipHasher()
        default:
            try skipUTF8List()
            for _ in 0..<(try count()) { try skipHasher() }
            try skipUTF8()
        }
    }

    private mutating func skipHasher() throws(MetadataFault) {
        try checkIndex(below: 7, kind: "storage hasher")
    }

    mutating func skipTextEvents() throws(MetadataFault) {
        guard try isPresent() else { return }
        for _ in 0..<(try count()) {
            try skipUTF8()
            try skipUTF8List()
            try skipUTF8List()
        }
    }

    mutating func skipTextErrors() throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skipUTF8()
            try skipUTF8List()
        }
    }

    /// A string, as the place where it stands. Allocates only if it is not ASCII.
    mutating func utf8() throws(MetadataFault) -> Range<Int> {
        let range = try text()
        if !bytes(range).allSatisfy({ $0 < 0x80 }) { _ = try validString(range) }
        return range
    }

    mutating func skipUTF8() throws(MetadataFault) {
        _ = try utf8()
    }

    /// A `vec<str>`.
    mutating func skipUTF8List() throws(MetadataFault) {
        for _ in 0..<(try count()) { try skipUTF8() }
    }
}
