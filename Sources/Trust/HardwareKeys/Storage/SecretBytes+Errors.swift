import SecretMemory

extension SecretBytes {
    /// Runs something that needs locked memory, and tells its absence in this room's errors.
    package static func guarded<R>(_ body: () throws(SecretMemoryError) -> R) throws(HardwareKeyError) -> R {
        do throws(SecretMemoryError) { return try body() } catch { throw .noSecretMemory(reason: "\(error)") }
    }

    /// Joins parts one behind the other, of which some are secret.
    static func joining(_ parts: [SecretPart]) throws(HardwareKeyError) -> SecretBytes {
        try guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: parts.reduce(0) { $0 + $1.count }) { buffer in
                var rest = buffer
                for part in parts {
                    part.write(into: rest)
                    rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.count...])
                }
            }
        }
    }
}

/// A piece of a file that holds a secret.
enum SecretPart {
    case plain([UInt8])
    case secret(SecretBytes)

    var count: Int {
        switch self {
        case .plain(let bytes): bytes.count
        case .secret(let bytes): bytes.count
        }
    }

    func write(into buffer: UnsafeMutableRawBufferPointer) {
        switch self {
        case .plain(let bytes): buffer.copyBytes(from: bytes)
        case .secret(let bytes): bytes.withUnsafeBytes { buffer.copyMemory(from: $0) }
        }
    }
}
