import CSodium
import SecretMemory

/// HMAC-SHA-256 (RFC 2104) and HKDF-SHA-256 (RFC 5869) whose keys, states and secret outputs never leave locked memory.
enum HMACSHA256 {
    static let byteCount = 32

    /// The code of parts that are joined.
    ///
    /// - Returns: 32 bytes that are not secret, for files and indexes.
    static func code(key: SecretBytes, _ parts: [[UInt8]]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        output.withUnsafeMutableBytes { output in
            write(key: key, into: output) { update in
                for part in parts { part.withUnsafeBytes(update) }
            }
        }
        return output
    }

    /// Writes the code of what `body` feeds. The state, which holds what the key became, is zeroised.
    ///
    /// - Parameter output: 32 bytes.
    static func write(
        key: SecretBytes, into output: UnsafeMutableRawBufferPointer,
        _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        precondition(output.count == byteCount, "a code has 32 bytes")
        var state = crypto_auth_hmacsha256_state()
        defer { sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
        _ = key.withUnsafeBytes { crypto_auth_hmacsha256_init(&state, $0.asBytes, $0.count) }
        body { bytes in _ = crypto_auth_hmacsha256_update(&state, bytes.asBytes, UInt64(bytes.count)) }
        _ = crypto_auth_hmacsha256_final(&state, output.asBytes)
    }

    /// HKDF-Extract.
    static func extract(salt: [UInt8], _ input: SecretBytes) throws(MainKeyError) -> SecretBytes {
        let salt = try secret { try SecretBytes(copying: salt) }
        return try secret {
            try SecretBytes(count: byteCount) { output in
                write(key: salt, into: output) { update in input.withUnsafeBytes(update) }
            }
        }
    }

    /// HKDF-Expand, for outputs of one block.
    ///
    /// - Parameter count: 1 to 32 bytes.
    static func expand(_ key: SecretBytes, _ label: KeyLabel, context: [UInt8], count: Int = byteCount)
        throws(MainKeyError) -> SecretBytes
    {
        precondition((1...byteCount).contains(count), "one block of output is 1 to 32 bytes")
        let info = label.bytes + context + [1]
        let block = try secret {
            try SecretBytes(count: byteCount) { output in
                write(key: key, into: output) { update in info.withUnsafeBytes(update) }
            }
        }
        return count == byteCount ? block : try secret { try block.part(0..<count) }
    }

    /// HKDF as a whole.
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

extension SecretBytes {
    /// A copy of bytes that are not secret by themselves.
    convenience init(copying bytes: [UInt8]) throws(SecretMemoryError) {
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }
}
