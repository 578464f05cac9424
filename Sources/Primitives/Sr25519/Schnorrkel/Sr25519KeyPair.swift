import CSodium
import SecretMemory

/// A secret key with its public key.
///
///     let pair = try Sr25519KeyPair(miniSecret: seed)
///     let signature = try pair.sign(message)
///
/// Source: w3f schnorrkel 0.11, Ed25519-mode expansion as Substrate uses it (`substrate-crypto` section 6).
public struct Sr25519KeyPair: Sendable {
    /// The compressed Ristretto point that belongs to the secret scalar.
    public let publicKey: Sr25519PublicKey
    /// Scalar (32 bytes, below L), then nonce seed (32).
    let secret: SecretBytes
    /// The 64 bytes of the secret key, scalar and nonce, to be handed to its owner.
    public var expandedSecret: SecretBytes { secret }
    /// The 32 bytes that the secret was expanded from; nil behind a soft junction or after import of an expanded key.
    public let miniSecret: SecretBytes?

    /// How 64 bytes of secret key are written down.
    public enum SecretForm: Sendable {
        /// Scalar, nonce.
        case canonical
        /// Scalar times eight as a plain number, nonce: polkadot-js keystores.
        case ed25519
    }

    /// - Parameter miniSecret: 32 bytes.
    /// - Throws: ``Sr25519Error/invalidLength(expected:found:)``, ``Sr25519Error/memory(_:)``.
    public init(miniSecret: SecretBytes) throws(Sr25519Error) {
        guard miniSecret.count == 32 else { throw .invalidLength(expected: 32, found: miniSecret.count) }
        let secret = try Self.typed { () throws(SecretMemoryError) in try Self.expandEd25519(miniSecret) }
        try self.init(secret: secret, miniSecret: miniSecret)
    }

    /// Imports an expanded secret key.
    ///
    /// - Parameter secret: 64 bytes.
    /// - Throws: ``Sr25519Error/invalidSecretKey`` for a scalar that is zero or not below L, or, in the form of
    ///   ed25519, not a multiple of eight.
    public init(secret: SecretBytes, form: SecretForm) throws(Sr25519Error) {
        guard secret.count == 64 else { throw .invalidLength(expected: 64, found: secret.count) }
        let canonical: SecretBytes
        switch form {
        case .canonical:
            canonical = secret
        case .ed25519:
            guard secret.withUnsafeBytes({ $0[0] & 7 }) == 0 else { throw .invalidSecretKey }
            canonical = try Self.typed { () throws(SecretMemoryError) in
                try SecretBytes(count: 64) { output in
                    secret.withUnsafeBytes { output.copyMemory(from: $0) }
                    Self.divideByEight(output)
                }
            }
        }
        let isCanonical = try Self.typed { () throws(SecretMemoryError) in
            try canonical.withUnsafeBytes { (bytes) throws(SecretMemoryError) in
                try Scalar.isCanonical(secret: UnsafeRawBufferPointer(rebasing: bytes[..<32]))
            }
        }
        guard isCanonical else { throw .invalidSecretKey }
        try self.init(secret: canonical, miniSecret: nil)
    }

    private init(secret: SecretBytes, miniSecret: SecretBytes?) throws(Sr25519Error) {
        var encoded = [UInt8](repeating: 0, count: 32)
        // −1 for a scalar of zero, whose public key would be the identity.
        let outcome = secret.withUnsafeBytes { crypto_scalarmult_ristretto255_base(&encoded, $0.asBytes) }
        guard outcome == 0 else { throw .invalidSecretKey }
        self.publicKey = Sr25519PublicKey(madeHere: encoded)
        self.secret = secret
        self.miniSecret = miniSecret
    }

    // MARK: Expansion

    private static func expandEd25519(_ miniSecret: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: 64) { output in
            miniSecret.withUnsafeBytes { _ = crypto_hash_sha512(output.asBytes, $0.asBytes, 32) }
            output[0] &= 248
            output[31] &= 63
            output[31] |= 64
            divideByEight(output)
        }
    }

    /// The other expansion of schnorrkel, which Substrate does not use.
    package static func expandUniform(_ miniSecret: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        var transcript = Transcript(label: "ExpandSecretKeys")
        defer { transcript.erase() }
        miniSecret.withUnsafeBytes { transcript.append(label: "mini", message: $0) }
        let wide = try SecretBytes(count: 64) { transcript.challenge("sk", into: $0) }
        return try SecretBytes(count: 64) { output in
            wide.withUnsafeBytes { crypto_core_ristretto255_scalar_reduce(output.asBytes, $0.asBytes) }
            transcript.challenge("no", into: UnsafeMutableRawBufferPointer(rebasing: output[32...]))
        }
    }

    /// Divides the 256-bit number in the first 32 bytes by eight.
    private static func divideByEight(_ bytes: UnsafeMutableRawBufferPointer) {
        var high: UInt8 = 0
        for index in stride(from: 31, through: 0, by: -1) {
            let byte = bytes[index]
            bytes[index] = byte >> 3 | high << 5
            high = byte & 7
        }
    }

    /// The 64 bytes of the secret, in either form.
    public func secretBytes(form: SecretForm) throws(Sr25519Error) -> SecretBytes {
        guard form == .ed25519 else { return secret }
        return try Self.typed { () throws(SecretMemoryError) in
            try SecretBytes(count: 64) { output in
                secret.withUnsafeBytes { output.copyMemory(from: $0) }
                var low: UInt8 = 0
                for index in 0..<32 {
                    let byte = output[index]
                    output[index] = byte << 3 | low
                    low = byte >> 5
                }
            }
        }
    }

    // MARK: Derivation

    /// The key of a hard junction.
    ///
    /// - Parameter chainCode: 32 bytes, the junction's id.
    public func deriveHard(chainCode: [UInt8]) throws(Sr25519Error) -> Sr25519KeyPair {
        guard chainCode.count == 32 else { throw .invalidLength(expected: 32, found: chainCode.count) }
        let mini = try Self.typed { () throws(SecretMemoryError) in
            try HardDerivation.miniSecret(secret, chainCode: chainCode)
        }
        return try Sr25519KeyPair(miniSecret: mini)
    }

    /// The key of a soft junction. Its nonce is fresh each time: compare public keys, not secrets.
    ///
    /// - Parameter chainCode: 32 bytes, the junction's id.
    public func deriveSoft(chainCode: [UInt8]) throws(Sr25519Error) -> Sr25519KeyPair {
        guard chainCode.count == 32 else { throw .invalidLength(expected: 32, found: chainCode.count) }
        let derivation = SoftDerivation(publicKey: publicKey.bytes, chainCode: chainCode)
        let child = try Self.typed { () throws(SecretMemoryError) in try derivation.derive(secret) }
        let point = publicKey.point + RistrettoPoint.multiplyBase(derivation.scalar)
        return Sr25519KeyPair(publicKey: Sr25519PublicKey(point: point), softSecret: child)
    }

    private init(publicKey: Sr25519PublicKey, softSecret: SecretBytes) {
        self.publicKey = publicKey
        self.secret = softSecret
        self.miniSecret = nil
    }

    /// Runs what can only fail for lack of locked memory.
    static func typed<R>(_ body: () throws(SecretMemoryError) -> R) throws(Sr25519Error) -> R {
        do {
            return try body()
        } catch {
            throw .memory(error)
        }
    }
}
