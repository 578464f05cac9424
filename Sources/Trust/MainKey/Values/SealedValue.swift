import CSodium
import SecretMemory

/// The bytes of a sealed attribute, token, item or other small value (`mainkey` section 8).
///
///     version 1 · purpose 1 · epoch 4 · nonce 12 · ciphertext and tag
package enum SealedValue {
    static let headerByteCount = 18
    /// The shortest: one byte of plaintext.
    static let leastByteCount = headerByteCount + 1 + AEAD.tagByteCount
    private static let version: UInt8 = 1

    private static let nonceRange = 6..<headerByteCount

    /// The epoch that a value was sealed in, without opening it.
    package static func epoch(of sealed: [UInt8]) throws(MainKeyError) -> UInt32 {
        try sealed.withRawBytes { (sealed) throws(MainKeyError) in try epoch(of: sealed) }
    }

    private static func epoch(of sealed: UnsafeRawBufferPointer) throws(MainKeyError) -> UInt32 {
        guard sealed.count >= leastByteCount else { throw .truncated(.sealedValue) }
        return UInt32(bigEndian: sealed.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
    }

    /// Lends what is authenticated with a value: label ‖ header ‖ context ‖ BE16 length of the row ‖ row. Short ones
    /// need no heap.
    private static func withData<R>(
        header: UnsafeRawBufferPointer, context: [UInt8], row: [UInt8], body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        let count = prefix.count + header.count + context.count + 2 + row.count
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { data in
            var end = 0
            func append(_ part: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: data[end...]).copyMemory(from: part)
                end += part.count
            }
            prefix.withUnsafeBytes(append)
            append(header)
            context.withUnsafeBytes(append)
            withUnsafeBytes(of: UInt16(row.count).bigEndian, append)
            row.withUnsafeBytes(append)
            return body(UnsafeRawBufferPointer(data))
        }
    }

    private static let prefix = KeyLabel.sealedValue.bytes

    /// Seals the plaintext that `fill` writes.
    ///
    /// - Parameters:
    ///   - row: binds the value to its row; at most 65535 bytes.
    ///   - count: bytes of plaintext, its tag included.
    ///   - nonce: 12 bytes; only tests give one.
    package static func seal(
        _ purpose: SealedPurpose, row: [UInt8], count: Int, keys: EpochKeys, nonce: [UInt8]? = nil,
        filling fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(MainKeyError) -> [UInt8] {
        guard row.count <= UInt16.max else { throw .configError(reason: "a row binding has more than 65535 bytes") }
        precondition(count >= 1, "a plaintext has its tag")
        let (cipher, epoch) = try keys.sealing(purpose)
        let total = headerByteCount + count + AEAD.tagByteCount
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let header = UnsafeMutableRawBufferPointer(rebasing: bytes[..<headerByteCount])
            header[0] = version
            header[1] = purpose.code
            header.storeBytes(of: epoch.bigEndian, toByteOffset: 2, as: UInt32.self)
            let place = UnsafeMutableRawBufferPointer(rebasing: header[nonceRange])
            if let nonce { place.copyBytes(from: nonce) } else { randombytes_buf(place.asBytes, place.count) }
            let body = UnsafeMutableRawBufferPointer(rebasing: bytes[headerByteCount..<total])
            let plaintext = UnsafeMutableRawBufferPointer(rebasing: body[..<count])
            fill(plaintext)
            // In place: the plaintext is overwritten where it was written.
            withData(header: UnsafeRawBufferPointer(header), context: cipher.context, row: row) { data in
                cipher.aead.seal(
                    UnsafeRawBufferPointer(plaintext), nonce: UnsafeRawBufferPointer(place), data: data, into: body)
            }
            initialized = total
        }
    }

    /// Opens a value and lends its plaintext, which is zeroised afterwards.
    ///
    /// - Throws: in this order: `truncated`, `unsupportedVersion`, `wrongPurpose`, `unknownEpoch`, `authFailed`.
    static func open<R>(
        _ sealed: UnsafeRawBufferPointer, _ purpose: SealedPurpose, row: [UInt8], keys: EpochKeys,
        body: (UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        guard sealed.count >= leastByteCount else { throw .truncated(.sealedValue) }
        guard sealed[0] == version else { throw .unsupportedVersion(.sealedValue, found: Int(sealed[0])) }
        guard sealed[1] == purpose.code else {
            throw .wrongPurpose(expected: Int(purpose.code), found: Int(sealed[1]))
        }
        guard row.count <= UInt16.max else { throw .configError(reason: "a row binding has more than 65535 bytes") }
        let cipher = try keys.opening(purpose, epoch: try epoch(of: sealed))
        let count = sealed.count - headerByteCount - AEAD.tagByteCount
        let result = withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) {
            plaintext -> Result<R, MainKeyError> in
            defer { if let start = plaintext.baseAddress { sodium_memzero(start, count) } }
            let header = UnsafeRawBufferPointer(rebasing: sealed[..<headerByteCount])
            let authentic = withData(header: header, context: cipher.context, row: row) { data in
                cipher.aead.open(
                    UnsafeRawBufferPointer(rebasing: sealed[headerByteCount...]),
                    nonce: UnsafeRawBufferPointer(rebasing: header[nonceRange]), data: data, into: plaintext)
            }
            guard authentic else { return .failure(.authFailed(.sealedValue)) }
            do throws(MainKeyError) { return .success(try body(UnsafeRawBufferPointer(plaintext))) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
