import Foundation

/// The file `wipe.mk`, which says that a wipe has begun: whoever opens the vault next finishes it.
///
///     "MKW1" | vault ID 16 | for each folder or file of the application: length u16, UTF-8
///
/// Source: `mainkey` section 16.
struct WipeMark: Equatable {
    private static let magic = Array("MKW1".utf8)
    private static let byteLimit = 1 << 20
    private typealias Name = VaultDirectory.Name

    /// Absolute paths of what is removed too.
    let data: [String]
    let vault: VaultID?

    /// - Throws: `configError` for paths that are too long.
    init(_ vault: VaultID, data: [String]) throws(MainKeyError) {
        self.vault = vault
        self.data = data.map { $0.hasPrefix("/") ? $0 : FileManager.default.currentDirectoryPath + "/" + $0 }
        guard self.data.allSatisfy({ $0.utf8.count <= UInt16.max }), bytes.count <= Self.byteLimit else {
            throw .configError(reason: "the paths of the data to remove have more than \(Self.byteLimit) bytes")
        }
    }

    /// What cannot be read of it is left out: that it is there is what counts.
    private init(parsing bytes: [UInt8]) {
        let head = Self.magic.count + VaultID.byteCount
        guard bytes.count >= head, bytes.starts(with: Self.magic) else {
            (vault, data) = (nil, [])
            return
        }
        vault = VaultID(Array(bytes[Self.magic.count..<head]))
        var paths: [String] = []
        var rest = bytes[head...]
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard rest.count >= count, let path = String(validating: rest.prefix(count), as: UTF8.self),
                path.hasPrefix("/")
            else { break }
            paths.append(path)
            rest = rest.dropFirst(count)
        }
        data = paths
    }

    private var bytes: [UInt8] {
        var bytes = Self.magic + (vault?.bytes ?? [])
        for path in data { bytes += bigEndian(UInt16(path.utf8.count)) + Array(path.utf8) }
        return bytes
    }

    func write(to directory: VaultDirectory) throws(MainKeyError) { try directory.files.write(bytes, to: Name.wipe) }

    static func isPresent(in directory: VaultDirectory) throws(MainKeyError) -> Bool {
        try read(from: directory) != nil
    }

    /// - Returns: nil if there is none.
    static func read(from directory: VaultDirectory) throws(MainKeyError) -> WipeMark? {
        try directory.files.read(Name.wipe, limit: byteLimit).map { WipeMark(parsing: $0) }
    }

    /// Removes what it names.
    func removeData() throws(MainKeyError) {
        for path in data {
            var status = stat()
            // A link is removed, not what it leads to.
            guard lstat(path, &status) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { continue }
                throw .system(path, "it cannot be removed")
            }
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw .io(path: path, reason: "it cannot be removed: \(error.localizedDescription)")
            }
        }
    }
}
