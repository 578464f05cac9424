/// What metadata says of transactions: the outer call type and the extensions.
struct ExtrinsicIndex {
    var callType: UInt32?
    var extensions: [RuntimeMetadata.TransactionExtension]

    /// Metadata 14 names the outer call type as the parameter `Call` of the extrinsic type.
    init(version14 cursor: inout BlobCursor, types: TypeIndex) throws(MetadataFault) {
        let type = UInt32(try cursor.compact())
        _ = try cursor.byte()
        extensions = try cursor.extensions()
        guard let entry = types[type] else { return }
        var parameters = cursor
        parameters.move(to: Int(entry.start))
        try parameters.skipTexts()
        for _ in 0..<(try parameters.count()) {
            let name = try parameters.text()
            let type = try parameters.optionalType()
            if parameters.equals(name, "Call") { callType = type }
        }
    }

    init(version15 cursor: inout BlobCursor) throws(MetadataFault) {
        _ = try cursor.byte()
        _ = try cursor.compact()
        callType = UInt32(try cursor.compact())
        _ = try cursor.compact()
        _ = try cursor.compact()
        extensions = try cursor.extensions()
    }
}

extension BlobCursor {
    mutating func extensions() throws(MetadataFault) -> [RuntimeMetadata.TransactionExtension] {
        var extensions: [RuntimeMetadata.TransactionExtension] = []
        for _ in 0..<(try count()) {
            let identifier = try text()
            let type = UInt32(try compact())
            let additional = UInt32(try compact())
            extensions.append(.init(identifier: try validString(identifier), type: type, additionalSigned: additional))
        }
        return extensions
    }
}
