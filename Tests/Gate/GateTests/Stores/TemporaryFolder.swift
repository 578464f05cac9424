#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/gate-stores-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    struct Failure: Error { let code: Int32 }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws {
        guard let file = fopen(file(name), "w") else { throw Failure(code: errno) }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(code: errno) }
    }

    func read(_ name: String) -> String? {
        guard let file = fopen(file(name), "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The permission bits.
    func mode(_ name: String) -> mode_t? {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// Returns whether a file or an empty folder was there.
    func remove(_ name: String) -> Bool { unlink(file(name)) == 0 || rmdir(file(name)) == 0 }

    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        if unlink(path) != 0 { rmdir(path) }
    }
}
