import CSodium

/// libsodium, started once for the whole process.
package enum Sodium {
    private static let started = sodium_init() >= 0

    /// Starts libsodium if it has not been; every use of it in this package passes here or through ``SecretBytes``
    /// first.
    package static func start() throws(SecretMemoryError) {
        guard started else { throw .initialisationFailed }
    }
}

/// Overwrites `bytes` with zeros in a way that the compiler may not leave out, for the rare temporary that cannot be a
/// ``SecretBytes``. Copies made before, by value semantics, are not reached: keep such arrays unshared.
public func zeroise(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as libsodium's functions take them: never null, also for an empty buffer, whose pointer is not read.
    package var asBytes: UnsafePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(bitPattern: 1)!
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as libsodium's functions take them: never null, also for an empty buffer, whose pointer is not
    /// written.
    package var asBytes: UnsafeMutablePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafeMutablePointer(bitPattern: 1)!
    }
}
