/// The types that transactions of a runtime use, with the numbers that RFC-0078 gives them (`signer-wire` section
/// 10.4).
struct MerkleizedTypes {
    private let metadata: RuntimeMetadata
    /// The members of types, by registry id; nil for types that transactions do not use.
    private var members: [TypeMembers?]
    /// The numbers of types, by registry id; -1 for types that get no leaf.
    private(set) var numbers: [Int32]
    /// Registry ids of the types that get leaves, ascending.
    private(set) var numbered: [UInt32] = []

    init(_ metadata: RuntimeMetadata, roots: [UInt32]) throws(MerkleizationError) {
        self.metadata = metadata
        members = Array(repeating: nil, count: metadata.typeCount)
        numbers = Array(repeating: -1, count: metadata.typeCount)
        try collect(roots)
        for (id, type) in members.enumerated() {
            guard let type, !type.isEmpty, type.kind != .primitive, type.kind != .compact else { continue }
            numbers[id] = Int32(numbered.count)
            numbered.append(UInt32(id))
        }
    }

    /// Everything that can be reached, without what is inside compacts and bit sequences.
    private mutating func collect(_ roots: [UInt32]) throws(MerkleizationError) {
        var open = roots
        while let id = open.popLast() {
            guard Int(id) < members.count else { throw .typeNotResolved(type: id) }
            guard members[Int(id)] == nil else { continue }
            let type = try read(id)
            members[Int(id)] = type
            if type.kind != .compact && type.kind != .bitSequence { open += type.types }
        }
    }

    private func read(_ id: UInt32) throws(MerkleizationError) -> TypeMembers {
        guard let entry = metadata.types[id] else { throw .typeNotResolved(type: id) }
        do throws(MetadataFault) {
            return try metadata.blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: Int(entry.definition))
                return try TypeMembers(from: &cursor)
            }
        } catch {
            throw .typeNotResolved(type: id)
        }
    }

    /// Registry ids reachable from `roots`, themselves included.
    func reachable(from roots: [UInt32]) -> Set<UInt32> {
        var found: Set<UInt32> = []
        var open = roots
        while let id = open.popLast() {
            guard found.insert(id).inserted, let type = members[Int(id)] else { continue }
            if type.kind != .compact && type.kind != .bitSequence { open += type.types }
        }
        return found
    }

    func reference(to id: UInt32) throws(MerkleizationError) -> TypeReference {
        guard Int(id) < members.count else { throw .typeNotResolved(type: id) }
        if numbers[Int(id)] >= 0 { return .type(UInt32(numbers[Int(id)])) }
        let type: TypeMembers
        if let known = members[Int(id)] { type = known } else { type = try read(id) }
        if let primitive = type.primitive { return .primitive(primitive) }
        guard type.kind == .compact else { return .void }
        guard let inner = try onlyPrimitive(inside: type.types, of: id) else { return .void }
        guard (PrimitiveType.u8.rawValue...PrimitiveType.u256.rawValue).contains(inner.rawValue) else {
            throw .compactNotSimple(type: id)
        }
        return .compact(inner)
    }

    /// The one primitive that types are made of, nil if they are made of none.
    private func onlyPrimitive(
        inside types: [UInt32], of id: UInt32
    ) throws(MerkleizationError) -> PrimitiveType? {
        var found: PrimitiveType?
        var seen: Set<UInt32> = []
        var open = types
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            let type = try read(next)
            if let primitive = type.primitive {
                guard found == nil else { throw .compactNotSimple(type: id) }
                found = primitive
            }
            open += type.types
        }
        return found
    }

    /// Bytes of the unit in which a bit sequence stores bits.
    func bitStoreByteCount(_ id: UInt32) throws(MerkleizationError) -> UInt8 {
        guard let primitive = try onlyPrimitive(inside: [id], of: id), let bits = primitive.unsignedBits, bits <= 64
        else { throw .notBitStoreType(type: id) }
        return UInt8(bits / 8)
    }

    func isLeastSignificantFirst(_ id: UInt32) throws(MerkleizationError) -> Bool {
        guard let entry = metadata.types[id] else { throw .typeNotResolved(type: id) }
        let path = metadata.blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: Int(entry.start))
            return cursor.strings()
        }
        if path.contains("Lsb0") { return true }
        guard path.contains("Msb0") else { throw .notBitOrderType(type: id) }
        return false
    }
}
