import CSodium
import SCALE
import SecretMemory

/// The cost of turning a PIN or passphrase into a key with Argon2id (RFC 9106).
struct PasswordHashCost: Hashable, Sendable {
    /// Passes over the memory.
    var passes: UInt32
    /// Bytes of memory.
    var memory: UInt64

    /// What a file may ask for: less would be a weakened file, more would stop the machine.
    static let passesAllowed: ClosedRange<UInt32> = 1...16
    static let memoryAllowed: ClosedRange<UInt64> = (8 << 10)...(2 << 30)

    var isAllowed: Bool {
        Self.passesAllowed.contains(passes) && Self.memoryAllowed.contains(memory)
    }
}

/// A key for sealing and one for committing to it, from one credential.
struct SealingKeys {
    static let saltByteCount = 16

    /// libsodium's number of Argon2id version 1.3, which its header gives as a macro.
    private static let argon2id13: CInt = 2

    private let both: SecretBytes

    /// - Parameter salt: 16 bytes.
    init(credential: SecretBytes, salt: [UInt8], cost: PasswordHashCost) throws {
        var outcome: CInt = -1
        do throws(SecretMemoryError) {
            both = try SecretBytes(count: 64) { output in
                credential.withUnsafeBytes { credential in
                    outcome = crypto_pwhash_argon2id(
                        output.asBytes, 64,
                        UnsafeRawPointer(credential.asBytes).assumingMemoryBound(to: CChar.self),
                        UInt64(credential.count), salt, UInt64(cost.passes), Int(cost.memory),
                        Self.argon2id13)
                }
            }
        } catch {
            throw SignerError.memory(error)
        }
        guard outcome == 0 else { throw SignerError.memory(.allocationFailed(bytes: Int(cost.memory))) }
    }

    /// Runs `body` with the 32 bytes of the sealing key.
    func withKey<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try both.withUnsafeBytes { (both) throws(E) in try body(UnsafeRawBufferPointer(rebasing: both[..<32])) }
    }

    /// A keyed hash of the header: only the right credential gives it, whatever the sealed bytes are.
    func commitment(to header: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 32)
        both.withUnsafeBytes { both in
            let key = UnsafeRawBufferPointer(rebasing: both[32...])
            _ = crypto_generichash_blake2b(&output, 32, header, UInt64(header.count), key.asBytes, 32)
        }
        return output
    }
}
