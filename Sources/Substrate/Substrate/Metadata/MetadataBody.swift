/// One pass over the body of metadata 14 to 16 that keeps what decoding needs and skips the rest
/// (`signer-wire` section 4.3).
struct MetadataBody {
    var types: TypeIndex
    var pallets: [RuntimeMetadata.Pallet] = []
    var system = SystemConstants()
    var extrinsic: ExtrinsicIndex

    /// - Parameter version: 14, 15 or 16.
    init(from cursor: inout BlobCursor, version: UInt8) throws(MetadataFault) {
        types = try TypeIndex(from: &cursor)
        var selectors = PalletSelectors()
        let palletCount = try cursor.count()
        pallets.reserveCapacity(palletCount)
        for _ in 0..<palletCount {
            pallets.append(
                try Self.readPallet(from: &cursor, version: version, system: &system, selectors: &selectors))
        }
        switch version {
        case 14: extrinsic = try ExtrinsicIndex(version14: &cursor, types: types)
        case 15: extrinsic = try ExtrinsicIndex(version15: &cursor)
        default: extrinsic = try ExtrinsicIndex(version16: &cursor)
        }
        if version < 16 { _ = try cursor.compact() }
        if version >= 15 {
            try cursor.skipAPIs(version: version)
            try cursor.skipOuterEnumsAndCustom()
        }
        guard cursor.remaining == 0 else {
            throw .trailingBytes(offset: cursor.position, count: cursor.remaining)
        }
        for pallet in pallets {
            if let calls = pallet.callsType { types.setCallRole(.palletCalls, of: calls) }
        }
        if let outer = extrinsic.callType { types.setCallRole(.outerCall, of: outer) }
    }

    private static func readPallet(
        from cursor: inout BlobCursor, version: UInt8, system: inout SystemConstants,
        selectors: inout PalletSelectors
    ) throws(MetadataFault) -> RuntimeMetadata.Pallet {
        let nameRange = try cursor.text()
        let name = try cursor.validString(nameRange)
        try cursor.skipStorage(version: version)
        let calls = try cursor.palletEnum(version: version)
        _ = try cursor.palletEnum(version: version)
        let constantCount = try cursor.count()
        let isSystem = name == "System"
        if isSystem { system.isPresent = true }
        for _ in 0..<constantCount {
            let name = try cursor.text()
            _ = try cursor.compact()
            let value = try cursor.text()
            try cursor.skipTexts()
            if version >= 16 { try cursor.skipDeprecation() }
            if isSystem { system.note(name: name, value: value, in: cursor) }
        }
        _ = try cursor.palletEnum(version: version)
        if version >= 16 {
            try cursor.skipAssociatedTypes()
            try cursor.skipViewFunctions()
        }
        let index = try cursor.palletIndex(of: name, notIn: &selectors)
        if version >= 15 { try cursor.skipTexts() }
        if version >= 16 { try cursor.skipDeprecation() }
        return RuntimeMetadata.Pallet(name: name, index: index, callsType: calls, constantCount: constantCount)
    }
}

/// The parts of metadata that decoding passes by.
extension BlobCursor {
    package mutating func optionalType() throws(MetadataFault) -> UInt32? {
        try isPresent() ? UInt32(try compact()) : nil
    }

    /// The type of a pallet's calls, events or errors; metadata 16 adds deprecations of single variants.
    mutating func palletEnum(version: UInt8) throws(MetadataFault) -> UInt32? {
        guard let type = try optionalType() else { return nil }
        if version >= 16 {
            for _ in 0..<(try count()) {
                _ = try byte()
                try skipDeprecation()
            }
        }
        return type
    }

    /// What metadata 16 says of a part that should no longer be used.
    mutating func skipDeprecation() throws(MetadataFault) {
        guard try checkIndex(below: 3, kind: "deprecation") == 2 else { return }
        try skipText()
        if try isPresent() { try skipText() }
    }

    mutating func skipAssociatedTypes() throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skipText()
            _ = try compact()
            try skipTexts()
        }
    }

    mutating func skipViewFunctions() throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skip(32)
            try skipMethodUpToDocs()
            try skipTexts()
            try skipDeprecation()
        }
    }

    mutating func skipStorage(version: UInt8) throws(MetadataFault) {
        guard try isPresent() else { return }
        try skipText()
        for _ in 0..<(try count()) {
            try skipStorageEntryUpToDocs()
            try skipTexts()
            if version >= 16 { try skipDeprecation() }
        }
    }

    mutating func skipStorageEntryUpToDocs() throws(MetadataFault) {
        try skipText()
        try checkIndex(below: 2, kind: "storage modifier")
        if try storageIsMap() {
            for _ in 0..<(try count()) { try checkIndex(below: 7, kind: "storage hasher") }
            _ = try compact()
        }
        _ = try compact()
        try skipText()
    }

    package mutating func storageIsMap() throws(MetadataFault) -> Bool {
        let tag = try byte()
        guard tag <= 1 else { throw .unknownIndex(offset: position - 1, kind: "storage entry type", found: tag) }
        return tag == 1
    }

    @discardableResult
    package mutating func checkIndex(below limit: UInt8, kind: String) throws(MetadataFault) -> UInt8 {
        let tag = try byte()
        guard tag < limit else { throw .unknownIndex(offset: position - 1, kind: kind, found: tag) }
        return tag
    }

    mutating func skipAPIs(version: UInt8) throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skipText()
            for _ in 0..<(try count()) {
                try skipMethodUpToDocs()
                try skipTexts()
                if version >= 16 { try skipDeprecation() }
            }
            try skipTexts()
            if version >= 16 { try skipAPIVersion() }
        }
    }

    mutating func skipAPIVersion() throws(MetadataFault) {
        _ = try compact()
        try skipDeprecation()
    }

    mutating func skipMethodUpToDocs() throws(MetadataFault) {
        try skipText()
        for _ in 0..<(try count()) {
            try skipText()
            _ = try compact()
        }
        _ = try compact()
    }

    mutating func skipOuterEnumsAndCustom() throws(MetadataFault) {
        for _ in 0..<3 { _ = try compact() }
        for _ in 0..<(try count()) {
            try skipText()
            _ = try compact()
            try skipText()
        }
    }
}
