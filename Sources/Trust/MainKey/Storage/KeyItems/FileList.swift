import BigEndian

/// The encrypted files that a vault lists: a name for each, and the digest of the header that the file was last written
/// with. Every writing draws a salt of its own, so that a header tells one from all others.
///
///     count u32 | for each, by ascending names: BE16 length, name | SHA-256 of its header 32 | that of before 32
///
/// It stands behind the items in their list. While a new file takes its place, both it and the one before are listed;
/// else the last field is zeros.
///
/// Source: `mainkey` section 19.
struct FileList: Equatable, Sendable {
    /// A name in UTF-8: names are compared byte by byte.
    typealias Name = [UInt8]

    struct Entry: Equatable, Sendable {
        /// The digest of the header that was written last.
        var digest: [UInt8]
        /// The digest of the file before, as long as it is not certain that the new one has its place.
        var previous: [UInt8]?

        func takes(_ digest: [UInt8]) -> Bool { self.digest == digest || previous == digest }
    }

    /// The most entries of a list; it bounds what is read.
    static let entryLimit = 16_384
    /// The bytes of a name.
    static let nameByteCounts = 1...1024
    static let byteLimit = 4 + entryLimit * (2 + nameByteCounts.upperBound + 2 * ItemList.digestByteCount)

    private static let none = [UInt8](repeating: 0, count: ItemList.digestByteCount)
    private static let leastByteCount = 2 + nameByteCounts.lowerBound + 2 * ItemList.digestByteCount

    private var entries: [Name: Entry] = [:]

    init() {}

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// What is listed under a name; nil for nothing.
    subscript(name: Name) -> Entry? { entries[name] }

    /// All entries, by ascending names.
    var sorted: [(name: Name, entry: Entry)] {
        entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    /// - Throws: `limitExceeded` if it has as many as it can, or for a name that is too long or empty.
    mutating func list(_ name: Name, _ entry: Entry) throws(MainKeyError) {
        guard Self.nameByteCounts.contains(name.count) else {
            throw .limitExceeded(
                reason: "a file is listed under a name of 1 to \(Self.nameByteCounts.upperBound) bytes")
        }
        guard entries[name] != nil || count < Self.entryLimit else {
            throw .limitExceeded(reason: "a vault lists at most \(Self.entryLimit) files")
        }
        entries[name] = entry
    }

    mutating func remove(_ name: Name) { entries[name] = nil }

    var bytes: [UInt8] {
        var bytes = [UInt8](bigEndian: UInt32(count))
        for (name, entry) in sorted {
            bytes.append(bigEndian: UInt16(name.count))
            bytes += name + entry.digest + (entry.previous ?? Self.none)
        }
        return bytes
    }

    /// Reads it up to the end of the list of items.
    ///
    /// - Throws: `truncated`, `malformed`.
    init(from reader: inout ByteReader) throws(MainKeyError) {
        guard reader.remaining >= 4 else { throw .truncated(.itemList) }
        let count = Int(reader.integer(UInt32.self))
        guard (1...Self.entryLimit).contains(count) else {
            throw .malformed(.itemList, reason: "it lists \(count) files")
        }
        var previous: Name = []
        for _ in 0..<count {
            guard reader.remaining >= Self.leastByteCount else { throw .truncated(.itemList) }
            let length = Int(reader.integer(UInt16.self))
            guard Self.nameByteCounts.contains(length) else {
                throw .malformed(.itemList, reason: "the name of a file has \(length) bytes")
            }
            guard reader.remaining >= length + 2 * ItemList.digestByteCount else { throw .truncated(.itemList) }
            let name = reader.array(length)
            guard previous.lexicographicallyPrecedes(name) else {
                throw .malformed(.itemList, reason: "the names of its files do not ascend")
            }
            guard String(validating: name, as: UTF8.self) != nil else {
                throw .malformed(.itemList, reason: "the name of a file is no UTF-8")
            }
            let digest = reader.array(ItemList.digestByteCount)
            let before = reader.array(ItemList.digestByteCount)
            entries[name] = Entry(digest: digest, previous: before == Self.none ? nil : before)
            previous = name
        }
    }
}
