#if os(Linux)
    import Glibc
#else
    import Darwin
#endif

/// A file of the kernel (`/proc`, `/sys`), read to its end: it has no size, and Foundation takes such a file for one of
/// a page.
package enum KernelFile {
    /// - Throws: ``NotOpened`` if the file is absent or the kernel refuses it.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw NotOpened(path: path, code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
        return bytes
    }

    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    package struct NotOpened: Error {
        package let path: String
        package let code: Int32
    }
}
