import SecretMemory

/// HKDF-SHA-256 (RFC 5869) whose keys and outputs never leave locked memory.
extension HMACSHA256 {
    /// Extracts a key from its input (HKDF-Extract).
    package static func extract(salt: [UInt8], _ input: SecretBytes) throws(MainKeyError) -> SecretBytes {
        let salt = try secret { try SecretBytes(copying: salt) }
        return try secret {
            try SecretBytes(count: byteCount) { output in
                write(key: salt, into: output) { update in input.withUnsafeBytes(update) }
            }
        }
    }

    /// HKDF-Expand.
    ///
    /// - Parameter count: 1 to 8160 bytes, 255 blocks.
    /// - Throws: `limitExceeded` above that.
    package static func expand(
        _ key: SecretBytes, info: [UInt8], count: Int = byteCount
    ) throws(MainKeyError) -> SecretBytes {
        precondition(count > 0, "an output has at least one byte")
        let blocks = (count + byteCount - 1) / byteCount
        guard blocks <= Int(UInt8.max) else {
            throw .limitExceeded(reason: "HKDF makes 8160 bytes of one key at the most, not \(count)")
        }
        let output = try secret {
            try SecretBytes(count: blocks * byteCount) { output in
                var previous = UnsafeRawBufferPointer(start: nil, count: 0)
                for index in 0..<blocks {
                    let block = UnsafeMutableRawBufferPointer(
                        rebasing: output[index * byteCount..<(index + 1) * byteCount])
                    write(key: key, into: block) { update in
                        update(previous)
                        info.withUnsafeBytes(update)
                        withUnsafeBytes(of: UInt8(index + 1), update)
                    }
                    previous = UnsafeRawBufferPointer(block)
                }
            }
        }
        return count == output.count ? output : try secret { try output.part(0..<count) }
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
