/// HKDF-SHA-256 whose keys and outputs never leave locked memory.
///
/// Source: RFC 5869.
package enum HKDFSHA256 {
    /// Bytes of one block, and of a key that was extracted.
    package static let byteCount = HMACSHA256.byteCount
    /// Bytes that one key makes at the most: 255 blocks.
    package static let maximumCount = 255 * byteCount

    /// Extracts a key from its input (HKDF-Extract).
    package static func extract(salt: [UInt8], _ input: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        let salt = try SecretBytes(copying: salt)
        return try SecretBytes(count: byteCount) { output in
            HMACSHA256.write(key: salt, into: output) { update in input.withUnsafeBytes(update) }
        }
    }

    /// Expands a key to as many bytes as are wanted (HKDF-Expand).
    ///
    /// - Parameters:
    ///   - info: what the output is for.
    ///   - count: 1 to ``maximumCount`` bytes.
    package static func expand(
        _ key: SecretBytes, info: [UInt8], count: Int = byteCount
    ) throws(SecretMemoryError) -> SecretBytes {
        precondition((1...maximumCount).contains(count), "one key makes 1 to \(maximumCount) bytes, not \(count)")
        let blocks = (count + byteCount - 1) / byteCount
        let output = try SecretBytes(count: blocks * byteCount) { output in
            var previous = UnsafeRawBufferPointer(start: nil, count: 0)
            for index in 0..<blocks {
                let block = UnsafeMutableRawBufferPointer(
                    rebasing: output[index * byteCount..<(index + 1) * byteCount])
                HMACSHA256.write(key: key, into: block) { update in
                    update(previous)
                    info.withUnsafeBytes(update)
                    withUnsafeBytes(of: UInt8(index + 1), update)
                }
                previous = UnsafeRawBufferPointer(block)
            }
        }
        return count == output.count ? output : try output.part(0..<count)
    }

    /// Derives a key with both steps.
    package static func derive(
        _ input: SecretBytes, salt: [UInt8], info: [UInt8], count: Int = byteCount
    ) throws(SecretMemoryError) -> SecretBytes {
        try expand(try extract(salt: salt, input), info: info, count: count)
    }
}
