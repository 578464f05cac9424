import CSodium
import SecretMemory

/// PBKDF2 with HMAC-SHA512 (RFC 8018), one block of output, as BIP-39 uses it.
enum PBKDF2 {
    /// - Returns: 64 bytes.
    static func sha512(
        password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, rounds: Int
    ) throws(SecretMemoryError) -> SecretBytes {
        // The block that each round hashes, and the sum of all rounds.
        let work = try SecretBytes(count: 128) { work in
            let block = UnsafeMutableRawBufferPointer(rebasing: work[..<64]).asBytes
            let sum = UnsafeMutableRawBufferPointer(rebasing: work[64...]).asBytes
            var keyed = crypto_auth_hmacsha512_state()
            crypto_auth_hmacsha512_init(&keyed, password.asBytes, password.count)
            var round = keyed
            crypto_auth_hmacsha512_update(&round, salt.asBytes, UInt64(salt.count))
            crypto_auth_hmacsha512_update(&round, [0, 0, 0, 1], 4)
            crypto_auth_hmacsha512_final(&round, block)
            sum.update(from: block, count: 64)
            for _ in 1..<rounds {
                round = keyed
                crypto_auth_hmacsha512_update(&round, block, 64)
                crypto_auth_hmacsha512_final(&round, block)
                for index in 0..<64 { sum[index] ^= block[index] }
            }
            withUnsafeMutableBytes(of: &keyed) { sodium_memzero($0.asBytes, $0.count) }
            withUnsafeMutableBytes(of: &round) { sodium_memzero($0.asBytes, $0.count) }
        }
        return try work.withUnsafeBytes { (work) throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: work[64...]))
        }
    }
}
