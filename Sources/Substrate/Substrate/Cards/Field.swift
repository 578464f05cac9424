/// The type that a field's value has, as people may look it up.
public struct FieldType: Hashable, Sendable {
    private let blob: [UInt8]
    private let offset: Int

    /// - Parameter offset: where the type begins in `blob`, at its path.
    init(blob: [UInt8], offset: Int) {
        self.blob = blob
        self.offset = offset
    }

    /// The segments of the type's path joined by ` >> `; empty for a type without a path.
    public var path: String {
        blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: offset)
            return cursor.strings().joined(separator: " >> ")
        }
    }

    /// What the metadata says of it.
    public var docs: Documentation {
        blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: offset)
            guard (try? cursor.skipTypeUpToDocs()) != nil else { return .empty }
            return Documentation(blob: blob, offset: cursor.position)
        }
    }

    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool { left.path == right.path && left.docs == right.docs }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

/// A field as its type declares it.
public struct FieldName: Hashable, Sendable {
    /// What the metadata call it, as `dest`.
    public var name: String
    /// What the metadata says of it.
    public var docs: Documentation
    /// The type of its value.
    public var type: FieldType
}

/// A field without a name, or an element of a tuple.
public struct FieldNumber: Hashable, Sendable {
    /// The number, from 0 for fields, from 1 for elements of a tuple.
    public var number: Int
    /// What the metadata says of it.
    public var docs: Documentation
    /// The type of its value.
    public var type: FieldType
}
