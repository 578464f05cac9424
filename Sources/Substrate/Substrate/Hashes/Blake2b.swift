import CSodium

/// BLAKE2b without key, salt or personalisation (RFC 7693), as Substrate uses it for hashes and checksums.
package enum Blake2b {
    /// - Parameter size: output bytes, 16 to 64.
    package static func hash(_ bytes: some Collection<UInt8>, size: Int) -> [UInt8] {
        precondition((16...64).contains(size), "BLAKE2b output is 16 to 64 bytes here")
        var output = [UInt8](repeating: 0, count: size)
        let input = ContiguousArray(bytes)
        input.withUnsafeBufferPointer { input in
            _ = crypto_generichash_blake2b(&output, size, input.baseAddress, UInt64(input.count), nil, 0)
        }
        return output
    }

    package static func hash256(_ bytes: some Collection<UInt8>) -> Hash256 {
        Hash256(unchecked: hash(bytes, size: 32))
    }
}
