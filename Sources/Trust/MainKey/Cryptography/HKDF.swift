import SecretMemory

/// HKDF-SHA-256 with this room's errors and purposes.
extension HMACSHA256 {
    /// Extracts a key from its input (HKDF-Extract).
    package static func extract(salt: [UInt8], _ input: SecretBytes) throws(MainKeyError) -> SecretBytes {
        try secret { try HKDFSHA256.extract(salt: salt, input) }
    }

    /// HKDF-Expand.
    ///
    /// - Parameter count: 1 to 8160 bytes, 255 blocks.
    /// - Throws: `limitExceeded` above that.
    package static func expand(
        _ key: SecretBytes, info: [UInt8], count: Int = byteCount
    ) throws(MainKeyError) -> SecretBytes {
        guard count <= HKDFSHA256.maximumCount else {
            throw .limitExceeded(reason: "HKDF makes 8160 bytes of one key at the most, not \(count)")
        }
        return try secret { try HKDFSHA256.expand(key, info: info, count: count) }
    }

    /// The same for one of this room's purposes.
    static func expand(_ key: SecretBytes, _ label: KeyLabel, context: [UInt8], count: Int = byteCount)
        throws(MainKeyError) -> SecretBytes
    {
        try expand(key, info: label.bytes + context, count: count)
    }

    /// Derives a key with the whole of HKDF.
    static func derive(
        _ key: SecretBytes, salt: [UInt8], _ label: KeyLabel, context: [UInt8] = [], count: Int = byteCount
    ) throws(MainKeyError) -> SecretBytes {
        try expand(try extract(salt: salt, key), label, context: context, count: count)
    }
}

/// Runs what allocates secret memory, with its failure as one of this room's.
func secret<R>(_ body: () throws -> R) throws(MainKeyError) -> R {
    do { return try body() } catch let error as MainKeyError { throw error } catch let error as SecretMemoryError {
        throw .limitExceeded(reason: "\(error)")
    } catch {
        throw .internalFailure(reason: "\(error)")
    }
}
