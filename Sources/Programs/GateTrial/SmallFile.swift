#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files that fit in memory: certificates, keys, attestations.
package enum SmallFile {
    package static let maximumBytes = 16 << 20

    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        /// The reason in the system's words.
        package let reason: String

        package var description: String { "\(path): \(reason)" }

        fileprivate init(_ path: String, _ code: Int32 = errno) {
            self.path = path
            reason = String(cString: strerror(code))
        }
    }

    /// Reads a regular file, or standard input where the path is `-`.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.read(descriptor, &piece)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(path) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= maximumBytes else { throw Failure(path, EFBIG) }
            bytes += piece[..<count]
        }
    }

    private static func read(_ descriptor: Int32, _ piece: inout [UInt8]) -> Int {
        piece.withUnsafeMutableBytes { buffer in
            #if canImport(Glibc)
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
    }

    /// Makes a file anew, for its owner alone where it holds a secret.
    ///
    /// - Parameter replaces: whether a file of that name may be there; it keeps its old content until the new is whole.
    package static func write(
        _ bytes: [UInt8], to path: String, isSecret: Bool, replaces: Bool = false
    ) throws(Failure) {
        let place = replaces ? path + ".new" : path
        if replaces { unlink(place) }
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw Failure(place) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Failure(place)
                close(descriptor)
                unlink(place)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        close(descriptor)
        if replaces, rename(place, path) != 0 { throw Failure(path) }
    }

    package static func text(_ path: String) throws(Failure) -> String {
        String(decoding: try read(path), as: UTF8.self)
    }
}
