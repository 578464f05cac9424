/// Where each type of a registry stands in the blob, and what its path marks it as.
struct TypeIndex: Sendable {
    private(set) var entries: [IndexedType] = []

    struct IndexedType: Sendable {
        /// Offset of the type's path.
        var start: UInt32
        /// Offset of the definition's tag.
        var definition: UInt32
        var mark: TypeMark
        /// The outer call type, or some pallet's calls.
        var callRole: CallRole = .none
    }

    enum CallRole: UInt8 {
        case none, outerCall, palletCalls
    }

    /// A registry without types.
    init() {}

    /// Reads a registry, whose ids must be its positions.
    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        let count = try cursor.typeCount()
        entries.reserveCapacity(count)
        for position in 0..<count {
            try cursor.skipTypeID(expected: position)
            let start = cursor.position
            let mark = try TypeMark(fromPath: &cursor)
            try cursor.skipParameters()
            entries.append(IndexedType(start: UInt32(start), definition: UInt32(cursor.position), mark: mark))
            try cursor.skipDefinition()
            try cursor.skipTexts()
        }
    }

    subscript(id: UInt32) -> IndexedType? {
        Int(id) < entries.count ? entries[Int(id)] : nil
    }

    /// Sets the role of a type. Does nothing for an id that the registry does not hold.
    mutating func setCallRole(_ role: CallRole, of id: UInt32) {
        if Int(id) < entries.count { entries[Int(id)].callRole = role }
    }
}

/// What the last segment of a type's path says about how to show it (`signer-wire` sections 5.3, 6.2).
enum TypeMark: UInt8, Sendable {
    case none, accountID32, accountID20, era, nonce, tip, lsb0, msb0
    /// The path is `Option` and nothing else.
    case option

    /// Reads a path, a `vec<str>`.
    init(fromPath cursor: inout BlobCursor) throws(MetadataFault) {
        var last = 0..<0
        let count = try cursor.count()
        for _ in 0..<count { last = try cursor.text() }
        self = count == 1 && cursor.equals(last, "Option") ? .option : Self(segment: last, in: cursor)
    }

    private init(segment: Range<Int>, in cursor: BlobCursor) {
        switch segment.count {
        case 3: self = cursor.equals(segment, "Era") ? .era : .none
        case 4: self = cursor.equals(segment, "Lsb0") ? .lsb0 : cursor.equals(segment, "Msb0") ? .msb0 : .none
        case 10: self = cursor.equals(segment, "CheckNonce") ? .nonce : .none
        case 11:
            self =
                cursor.equals(segment, "AccountId32")
                ? .accountID32
                : cursor.equals(segment, "AccountId20") ? .accountID20 : .none
        case 24: self = cursor.equals(segment, "ChargeTransactionPayment") ? .tip : .none
        default: self = .none
        }
    }
}
