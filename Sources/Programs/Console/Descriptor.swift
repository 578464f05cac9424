import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard error, for what a command says beside its results.
package enum StandardError {
    package static func write(_ text: String) { Descriptor.write(Array(text.utf8), to: STDERR_FILENO) }
}

/// Standard output, for the results that a command was asked for, byte by byte.
package enum StandardOutput {
    package static func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard Descriptor.writeAll(bytes, to: STDOUT_FILENO) else {
            throw FileError("standard output", .write, because: .system(Errno(rawValue: errno)))
        }
    }

    package static func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }
}

/// Writes bytes to a descriptor, whatever it stands for.
package enum Descriptor {
    /// Writes all of it; where no reader is left, nothing is to be done about it.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) {
        _ = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    }

    /// - Returns: whether all of it was taken; else `errno` tells why.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            #else
                let count = Darwin.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            #endif
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// - Returns: 1, 0 at the end, or a negative number; then `errno` tells why.
    static func readByte(to place: UnsafeMutableRawPointer, from descriptor: Int32) -> Int {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, place, 1)
            #else
                let count = Darwin.read(descriptor, place, 1)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
