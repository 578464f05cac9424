/// Where the libraries of this machine are, as `ldconfig` has found them: `/etc/ld.so.cache`.
///
/// Source: glibc's `dl-cache.h`; ldconfig(8).
struct LoaderCache: Sendable {
    /// The paths of libraries, by soname, in the order of the file.
    private let paths: [String: [String]]

    /// The size of the largest cache that is read, in bytes; a desktop has 200 KB.
    static let sizeLimit = 16 << 20

    /// Files of this name, for whatever architecture.
    func places(of soname: String) -> [String] { paths[soname] ?? [] }

    /// - Parameter bytes: the whole file, in the byte order of this machine.
    /// - Returns: nil for what is none.
    init?(parsing bytes: [UInt8]) {
        guard let start = Self.start(in: bytes), let count = Self.number(in: bytes, at: start + Self.countOffset),
            count <= (bytes.count - start - Self.headerSize) / Self.entrySize
        else { return nil }
        var paths: [String: [String]] = [:]
        for index in 0..<count {
            let entry = start + Self.headerSize + index * Self.entrySize
            guard let name = Self.text(in: bytes, from: start, at: entry + Self.nameOffset),
                let path = Self.text(in: bytes, from: start, at: entry + Self.pathOffset)
            else { return nil }
            paths[name, default: []].append(path)
        }
        self.paths = paths
    }

    private static let magic = Array("glibc-ld.so.cache1.1".utf8)
    private static let headerSize = 48
    private static let countOffset = 20
    private static let entrySize = 24
    private static let nameOffset = 4
    private static let pathOffset = 8

    private static let olderMagic = Array("ld.so-1.7.0".utf8)
    private static let olderHeaderSize = 16
    private static let olderEntrySize = 12

    /// The list may stand behind one for older loaders.
    private static func start(in bytes: [UInt8]) -> Int? {
        var start = 0
        if bytes.starts(with: olderMagic) {
            guard let count = number(in: bytes, at: olderHeaderSize - 4) else { return nil }
            start = (olderHeaderSize + count * olderEntrySize + 7) / 8 * 8
        }
        guard start <= bytes.count - headerSize, bytes[start...].starts(with: magic) else { return nil }
        return start
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    /// - Parameters:
    ///   - start: what offsets are counted from.
    ///   - place: of the offset of the text, which a zero byte ends.
    private static func text(in bytes: [UInt8], from start: Int, at place: Int) -> String? {
        guard let offset = number(in: bytes, at: place), offset < bytes.count - start,
            let end = bytes[(start + offset)...].firstIndex(of: 0)
        else { return nil }
        return String(decoding: bytes[(start + offset)..<end], as: UTF8.self)
    }
}
