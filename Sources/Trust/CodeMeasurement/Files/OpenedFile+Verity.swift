import CLinux
import ExecutableImage
import Files

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension OpenedFile {
    /// Asks the kernel for the digest of a file that fs-verity protects; takes the same time for each file.
    ///
    /// - Returns: nil if the file is not protected, or by another hash than SHA-256, or if its file system is none
    ///   whose word on that is the kernel's own.
    /// - Throws: ``ImageFailure/unreadable(offset:reason:)`` if the kernel cannot tell.
    ///
    /// Source: Vigil specification, 3.8.
    package func verityDigest() throws(ImageFailure) -> ImageDigest? {
        #if os(Linux)
            guard FileSystemKind.hasVerity(descriptor: descriptor) else { return nil }
        #endif
        var bytes = [UInt8](repeating: 0, count: 64)
        var algorithm: UInt16 = 0
        var size: UInt16 = 0
        guard clinux_measure_verity(descriptor, &bytes, &algorithm, &size) == 0 else {
            guard [ENODATA, ENOTTY, EOPNOTSUPP, ENOTSUP].contains(errno) else {
                throw .unreadable(offset: nil, reason: "\(Errno(rawValue: errno))")
            }
            return nil
        }
        let sha256: UInt16 = 1
        return algorithm == sha256 ? ImageDigest(bytes.prefix(Int(size))) : nil
    }
}
