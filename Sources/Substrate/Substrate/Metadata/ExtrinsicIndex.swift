/// What metadata says of transactions: the types of their parts and the extensions.
struct ExtrinsicIndex {
    var callType: UInt32?
    var addressType: UInt32?
    var signatureType: UInt32?
    var extensions: [RuntimeMetadata.TransactionExtension]

    /// Metadata 14 names the parts as parameters of the extrinsic type.
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
            if parameters.equals(name, "Address") { addressType = type }
            if parameters.equals(name, "Signature") { signatureType = type }
        }
    }

    init(version15 cursor: inout BlobCursor) throws(MetadataFault) {
        _ = try cursor.byte()
        addressType = UInt32(try cursor.compact())
        callType = UInt32(try cursor.compact())
        signatureType = UInt32(try cursor.compact())
        _ = try cursor.compact()
        extensions = try cursor.extensions()
    }

    /// Metadata 16 lists extensions by extension version; those of ``ExtensionSet/signedVersion`` are kept.
    init(version16 cursor: inout BlobCursor) throws(MetadataFault) {
        try cursor.skipText()
        addressType = UInt32(try cursor.compact())
        callType = UInt32(try cursor.compact())
        signatureType = UInt32(try cursor.compact())
        let sets = try cursor.extensionSets()
        extensions = try cursor.extensions(of: sets)
    }
}

/// The extensions of an extension version, by position, in their order.
package struct ExtensionSet: Hashable, Sendable {
    package let version: UInt8
    package let positions: [Int]

    /// The extension version of the transactions that signers handle (transaction version 4).
    package static let signedVersion: UInt8 = 0
}

extension BlobCursor {
    private mutating func extensionCount() throws(MetadataFault) -> Int {
        let offset = position
        let count = try count()
        guard count <= MetadataLimits.extensions else { throw .tooManyExtensions(offset: offset, count: count) }
        return count
    }

    package mutating func extensionSets() throws(MetadataFault) -> [ExtensionSet] {
        var sets: [ExtensionSet] = []
        for _ in 0..<(try extensionCount()) {
            let version = try byte()
            var positions: [Int] = []
            for _ in 0..<(try extensionCount()) { positions.append(try compact()) }
            sets.append(ExtensionSet(version: version, positions: positions))
        }
        return sets
    }

    /// The extensions of the signed version in its order, picked from the list that stands here.
    mutating func extensions(
        of sets: [ExtensionSet]
    ) throws(MetadataFault) -> [RuntimeMetadata.TransactionExtension] {
        let offset = position
        return try Self.pick(try extensions(), by: sets, offset: offset)
    }

    package static func pick(
        _ all: [RuntimeMetadata.TransactionExtension], by sets: [ExtensionSet], offset: Int
    ) throws(MetadataFault) -> [RuntimeMetadata.TransactionExtension] {
        guard let set = sets.first(where: { $0.version == ExtensionSet.signedVersion }) else {
            throw .noSignedExtensions(offset: offset)
        }
        var picked: [RuntimeMetadata.TransactionExtension] = []
        for position in set.positions {
            guard position < all.count else { throw .extensionOutOfRange(offset: offset, position: position) }
            picked.append(all[position])
        }
        return picked
    }

    package mutating func extensions() throws(MetadataFault) -> [RuntimeMetadata.TransactionExtension] {
        var extensions: [RuntimeMetadata.TransactionExtension] = []
        for _ in 0..<(try extensionCount()) {
            let identifier = try text()
            let type = UInt32(try compact())
            let additional = UInt32(try compact())
            extensions.append(.init(identifier: try validString(identifier), type: type, additionalSigned: additional))
        }
        return extensions
    }
}
