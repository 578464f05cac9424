import BigEndian
import SecretMemory

/// The sealed items that a vault has, each with the digest of its file as it was written last, and the encrypted files
/// that it lists (`items.mk`).
///
///     "MKL1" | vault ID 16 | count u32 | for each item, by ascending names: name 16 | SHA-256 of its file 32
///     "MKL2" | the same | list of files, which has one at least
///
/// Nothing in it is authenticated by itself: the key file names the digest of the whole list, its root, and is
/// authenticated and, with a TPM, anchored. One item that is put back differs from the list, and a list that is put
/// back from the key file.
///
/// Source: `mainkey` section 19.
struct ItemList: Equatable, Sendable {
    /// The number of an item: what its file is named after.
    typealias Name = [UInt8]

    static let nameByteCount = 16
    static let digestByteCount = 32
    /// The most entries of a list, more than anybody keeps; it bounds what is read.
    static let entryLimit = 65_536
    static let byteLimit = headByteCount + entryLimit * entryByteCount + FileList.byteLimit

    private static let magic = Array("MKL1".utf8)
    /// Begins a list with files, which programs that know none refuse.
    private static let magicWithFiles = Array("MKL2".utf8)
    private static let headByteCount = 24
    private static let entryByteCount = nameByteCount + digestByteCount

    private var digests: [Name: [UInt8]] = [:]
    /// The encrypted files, which lie wherever they do.
    var files = FileList()

    init() {}

    var count: Int { digests.count }
    var names: Set<Name> { Set(digests.keys) }

    /// The digest of an item's file; nil for an item that the vault does not have.
    subscript(name: Name) -> [UInt8]? { digests[name] }

    /// - Throws: `limitExceeded` if it has as many as it can.
    mutating func list(_ name: Name, digest: [UInt8]) throws(MainKeyError) {
        guard digests[name] != nil || count < Self.entryLimit else {
            throw .limitExceeded(reason: "a vault has at most \(Self.entryLimit) items and tokens")
        }
        digests[name] = digest
    }

    mutating func remove(_ name: Name) { digests[name] = nil }

    /// Forgets the items that are not among these.
    mutating func keep(only names: Set<Name>) { digests = digests.filter { names.contains($0.key) } }

    func bytes(of vault: VaultID) -> [UInt8] {
        let magic = files.isEmpty ? Self.magic : Self.magicWithFiles
        var bytes = magic + vault.bytes + [UInt8](bigEndian: UInt32(count))
        bytes.reserveCapacity(bytes.count + count * Self.entryByteCount)
        for (name, digest) in digests.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            bytes += name + digest
        }
        return files.isEmpty ? bytes : bytes + files.bytes
    }

    /// The digest by which a key file names a list.
    static func root(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { sha256($0) } }

    /// - Throws: `truncated`, `badMagic`, `malformed`; `tampered` for the list of another vault.
    init(parsing bytes: [UInt8], of vault: VaultID) throws(MainKeyError) {
        guard bytes.count >= Self.magic.count else { throw .truncated(.itemList) }
        let hasFiles = bytes.starts(with: Self.magicWithFiles)
        guard hasFiles || bytes.starts(with: Self.magic) else { throw .badMagic(.itemList) }
        guard bytes.count >= Self.headByteCount else { throw .truncated(.itemList) }
        var reader = ByteReader(bytes[Self.magic.count...])
        guard reader.array(VaultID.byteCount) == vault.bytes else {
            throw .tampered(reason: "the list of items is that of another vault")
        }
        let count = Int(reader.integer(UInt32.self))
        guard count <= Self.entryLimit else { throw .malformed(.itemList, reason: "it lists \(count) items") }
        guard reader.remaining >= count * Self.entryByteCount else { throw .truncated(.itemList) }
        var previous: Name = []
        for _ in 0..<count {
            let name = reader.array(Self.nameByteCount)
            guard previous.lexicographicallyPrecedes(name) else {
                throw .malformed(.itemList, reason: "its names do not ascend")
            }
            digests[name] = reader.array(Self.digestByteCount)
            previous = name
        }
        if hasFiles { files = try FileList(from: &reader) }
        guard reader.remaining == 0 else { throw .malformed(.itemList, reason: "bytes follow its end") }
    }
}
