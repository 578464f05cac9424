import CSodium
import SecretMemory

extension Verdict {
    /// - Throws: `noGrant`, also for one that is too short.
    func usableGrant() throws -> SecretBytes {
        guard let grant, grant.count >= GrantShare.leastGrant else { throw SignerError.vigil(.noGrant) }
        return grant
    }
}

/// What a validator's grant makes of the secrets that open a bound vault: without it, what a person types opens
/// nothing.
///
/// Source: `vigil` section 1.3.
enum GrantShare {
    /// Bytes of a grant at the least.
    static let leastGrant = 32

    private static let pinLabel = "casemate/vigil/pin/v1\0"
    private static let sessionLabel = "casemate/vigil/session/v1\0"

    /// What the vault's key takes as its PIN: HMAC-SHA256 of the label and what was typed, under the grant, as 64
    /// lower-case digits.
    static func pin(_ typed: SecretBytes, grant: SecretBytes) throws -> SecretBytes {
        try guarded {
            try SecretBytes(count: 2 * Int(crypto_auth_hmacsha256_BYTES)) { output in
                // The code lies in the second half; each digit is written at or before the byte that was just read.
                let half = output.count / 2
                code(
                    key: grant, label: pinLabel, secret: typed,
                    into: UnsafeMutableRawBufferPointer(rebasing: output[half...]))
                for index in 0..<half {
                    let byte = output[half + index]
                    output[2 * index] = digit(byte >> 4)
                    output[2 * index + 1] = digit(byte & 15)
                }
            }
        }
    }

    /// What the key of a session is joined with.
    static func session(_ grant: SecretBytes) throws -> SecretBytes {
        try guarded {
            try SecretBytes(count: Int(crypto_auth_hmacsha256_BYTES)) {
                code(key: grant, label: sessionLabel, secret: nil, into: $0)
            }
        }
    }

    /// The hexadecimal digit, computed without a table, whose reading would depend on the secret.
    private static func digit(_ value: UInt8) -> UInt8 {
        // 39 is the way from behind the digit 9 to the letter a.
        UInt8(ascii: "0") &+ value &+ (((9 &- value) >> 7) &* 39)
    }

    /// - Parameter output: 32 bytes.
    private static func code(
        key: SecretBytes, label: String, secret: SecretBytes?, into output: UnsafeMutableRawBufferPointer
    ) {
        var state = crypto_auth_hmacsha256_state()
        defer { sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
        key.withUnsafeBytes { _ = crypto_auth_hmacsha256_init(&state, $0.asBytes, $0.count) }
        let label = Array(label.utf8)
        _ = crypto_auth_hmacsha256_update(&state, label, UInt64(label.count))
        secret?.withUnsafeBytes { _ = crypto_auth_hmacsha256_update(&state, $0.asBytes, UInt64($0.count)) }
        _ = crypto_auth_hmacsha256_final(&state, output.asBytes)
    }

    private static func guarded<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SecretMemoryError { throw SignerError.memory(error) }
    }
}
