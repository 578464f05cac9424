import CSodium
import SecretMemory

/// HMAC-SHA-256 (RFC 2104) and HKDF-SHA-256 (RFC 5869) whose keys, states and secret outputs never leave locked memory.
package enum HMACSHA256 {
    static let byteCount = 32

    /// The code of parts that are joined.
    ///
    /// - Returns: 32 bytes that are not secret, for files and indexes.
    package static func code(key: SecretBytes, _ parts: [[UInt8]]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        output.withUnsafeMutableBytes { output in
            write(key: key, into: output) { update in
                for part in parts { part.withUnsafeBytes(update) }
            }
        }
        return output
    }

    /// Writes the code of what `body` feeds.
    ///
    /// - Parameter output: 32 bytes.
    static func write(
        key: SecretBytes, into output: UnsafeMutableRawBufferPointer,
        _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        write(into: output, starting: { state in key.withUnsafeBytes { start(&state, $0) } }, body)
    }

    /// The state, which holds what the key became, is zeroised.
    private static func write(
        into output: UnsafeMutableRawBufferPointer, starting start: (inout crypto_auth_hmacsha256_state) -> Void,
        _ body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        precondition(output.count == byteCount, "a code has 32 bytes")
        var state = crypto_auth_hmacsha256_state()
        defer { sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
        start(&state)
        body { bytes in _ = crypto_auth_hmacsha256_update(&state, bytes.asBytes, UInt64(bytes.count)) }
        _ = crypto_auth_hmacsha256_final(&state, output.asBytes)
    }

    private static func start(_ state: inout crypto_auth_hmacsha256_state, _ key: UnsafeRawBufferPointer) {
        _ = crypto_auth_hmacsha256_init(&state, key.asBytes, key.count)
    }

    /// A key as it is after its two blocks, in locked memory: half of the work of a short code.
    struct PreparedKey: Sendable {
        private let state: SecretBytes

        init(_ key: SecretBytes) throws(MainKeyError) {
            state = try secret {
                try SecretBytes(count: MemoryLayout<crypto_auth_hmacsha256_state>.size) { memory in
                    let state = memory.bindMemory(to: crypto_auth_hmacsha256_state.self)
                    key.withUnsafeBytes { start(&state[0], $0) }
                }
            }
        }

        /// Writes the code of what `body` feeds.
        ///
        /// - Parameter output: 32 bytes.
        func write(into output: UnsafeMutableRawBufferPointer, _ body: ((UnsafeRawBufferPointer) -> Void) -> Void) {
            HMACSHA256.write(
                into: output,
                starting: { copy in
                    state.withUnsafeBytes { copy = $0.load(as: crypto_auth_hmacsha256_state.self) }
                }, body)
        }
    }

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

extension SecretBytes {
    /// A copy of bytes that are not secret by themselves.
    convenience init(copying bytes: [UInt8]) throws(SecretMemoryError) {
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }
}
