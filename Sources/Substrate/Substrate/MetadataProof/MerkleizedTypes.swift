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
    /// What compacts are, by registry id.
    private var compacts: [UInt32: Result<TypeReference, MerkleizationError>] = [:]
    /// What bit sequences store bits in and order them by, by registry id.
    private var bitTypes: [UInt32: BitType] = [:]

    private struct BitType {
        let store: Inner
        let isLeastSignificantFirst: Bool?
    }

    /// Steps inside compacts and bit sequences, together. Runtimes take some hundreds; metadata of a few hundred bytes,
    /// compressed, would take 10^12.
    private static let mostSteps = 1 << 20

    init(_ metadata: RuntimeMetadata, roots: [UInt32]) throws(MerkleizationError) {
        self.metadata = metadata
        members = Array(repeating: nil, count: metadata.typeCount)
        numbers = Array(repeating: -1, count: metadata.typeCount)
        try collect(roots)
        try lookInside()
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
        guard Int(id) < members.count, let type = members[Int(id)] else { throw .typeNotResolved(type: id) }
        if numbers[Int(id)] >= 0 { return .type(UInt32(numbers[Int(id)])) }
        if let primitive = type.primitive { return .primitive(primitive) }
        guard let compact = compacts[id] else { return .void }
        return try compact.get()
    }

    // MARK: Inside compacts and bit sequences

    /// Finds out once what each compact and each bit sequence is made of, however often it is used.
    private mutating func lookInside() throws(MerkleizationError) {
        var steps = 0
        for (id, type) in members.enumerated() {
            guard let type else { continue }
            if type.kind == .compact {
                let inner = try onlyPrimitive(inside: type.types, steps: &steps)
                compacts[UInt32(id)] = Self.compact(of: inner, type: UInt32(id))
            } else if type.kind == .bitSequence {
                for inner in type.types where bitTypes[inner] == nil {
                    bitTypes[inner] = BitType(
                        store: try onlyPrimitive(inside: [inner], steps: &steps), isLeastSignificantFirst: order(inner))
                }
            }
        }
    }

    private static func compact(of inner: Inner, type: UInt32) -> Result<TypeReference, MerkleizationError> {
        switch inner {
        case .none: .success(.void)
        case .one(let primitive):
            (PrimitiveType.u8.rawValue...PrimitiveType.u256.rawValue).contains(primitive.rawValue)
                ? .success(.compact(primitive)) : .failure(.compactNotSimple(type: type))
        case .several: .failure(.compactNotSimple(type: type))
        case .unresolved(let missing): .failure(.typeNotResolved(type: missing))
        }
    }

    /// The primitives that types are made of.
    private enum Inner {
        case none
        case one(PrimitiveType)
        case several
        case unresolved(UInt32)
    }

    private func onlyPrimitive(inside types: [UInt32], steps: inout Int) throws(MerkleizationError) -> Inner {
        var found: PrimitiveType?
        var seen: Set<UInt32> = []
        var open = types
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            let type: TypeMembers
            do throws(MerkleizationError) { type = try read(next) } catch { return .unresolved(next) }
            // What was read, whether all of it is looked at or not.
            steps += 1 + type.types.count
            guard steps <= Self.mostSteps else { throw .tooLarge }
            if let primitive = type.primitive {
                guard found == nil else { return .several }
                found = primitive
            }
            open += type.types
        }
        return found.map(Inner.one) ?? .none
    }

    /// The order of bits that the path of a type names; nil for none.
    private func order(_ id: UInt32) -> Bool? {
        guard let entry = metadata.types[id] else { return nil }
        let path = metadata.blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: Int(entry.start))
            return cursor.strings()
        }
        return path.contains("Lsb0") ? true : path.contains("Msb0") ? false : nil
    }

    /// Bytes of the unit in which a bit sequence stores bits.
    func bitStoreByteCount(_ id: UInt32) throws(MerkleizationError) -> UInt8 {
        guard case .one(let primitive)? = bitTypes[id]?.store, let bits = primitive.unsignedBits, bits <= 64
        else { throw .notBitStoreType(type: id) }
        return UInt8(bits / 8)
    }

    func isLeastSignificantFirst(_ id: UInt32) throws(MerkleizationError) -> Bool {
        guard let order = bitTypes[id]?.isLeastSignificantFirst else { throw .notBitOrderType(type: id) }
        return order
    }
}
