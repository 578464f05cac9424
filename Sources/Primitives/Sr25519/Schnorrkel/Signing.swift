import CSodium
import SecretMemory

/// Transcripts of the signing contexts (`substrate-crypto` section 6.2).
enum SigningContext {
    /// The state behind `append("", "substrate")`, which is the same for every signature on a chain.
    private static let substrate: Transcript = start("substrate")

    private static func start(_ context: StaticString) -> Transcript {
        var transcript = Transcript(label: "SigningContext")
        transcript.append(label: "", message: context)
        return transcript
    }

    static func transcript(_ message: [UInt8], context: [UInt8]?) -> Transcript {
        var transcript = substrate
        if let context {
            transcript = Transcript(label: "SigningContext")
            transcript.append(label: "", message: context)
        }
        transcript.append(label: "sign-bytes", message: message)
        return transcript
    }
}

extension Sr25519KeyPair {
    /// Signs with fresh randomness, and verifies the signature before it is released, so that a fault of the machine
    /// cannot give away the key.
    ///
    /// - Parameters:
    ///   - context: the signing context; nil is `substrate`, that of every chain.
    /// - Returns: 64 bytes, different each time.
    public func sign(_ message: [UInt8], context: [UInt8]? = nil) throws(Sr25519Error) -> [UInt8] {
        let signature = try signUnchecked(message, context: context)
        do {
            try Sr25519.verify(signature: signature, message: message, publicKey: publicKey, context: context)
        } catch {
            throw .faultDuringSigning
        }
        return signature
    }

    /// Signs without the check behind it, to measure what the check costs.
    @_spi(Benchmarks)
    public func signUnchecked(_ message: [UInt8], context: [UInt8]? = nil) throws(Sr25519Error) -> [UInt8] {
        while true {
            let random = try Self.typed { () throws(SecretMemoryError) in try SecretBytes.random(count: 32) }
            // nil where the nonce came out as zero, which chance does not bring about.
            if let signature = try signUnchecked(message, context: context, random: random) { return signature }
        }
    }

    /// Signs with given randomness, which must be used once only: for known answers.
    package func signUnchecked(
        _ message: [UInt8], context: [UInt8]? = nil, random: SecretBytes
    ) throws(Sr25519Error) -> [UInt8]? {
        var transcript = SigningContext.transcript(message, context: context)
        transcript.append(label: "proto-name", message: "Schnorr-sig")
        transcript.append(label: "sign:pk", message: publicKey.bytes)
        var signature = [UInt8](repeating: 0, count: 64)
        let nonce = try Self.typed { () throws(SecretMemoryError) in try nonceScalar(transcript, random: random) }
        guard nonce.withUnsafeBytes({ crypto_scalarmult_ristretto255_base(&signature, $0.asBytes) }) == 0 else {
            return nil
        }
        transcript.append(label: "sign:R", message: Array(signature[..<32]))
        let challenge = Scalar.reduce(transcript.challenge("sign:c", count: 64))
        let product = try Self.typed { () throws(SecretMemoryError) in
            try SecretBytes(count: 32) { output in
                secret.withUnsafeBytes { crypto_core_ristretto255_scalar_mul(output.asBytes, challenge, $0.asBytes) }
            }
        }
        signature.withUnsafeMutableBytes { signature in
            product.withUnsafeBytes { product in
                nonce.withUnsafeBytes { nonce in
                    crypto_core_ristretto255_scalar_add(
                        signature.asBytes + 32, product.asBytes, nonce.asBytes)
                }
            }
        }
        signature[63] |= 0x80
        return signature
    }

    private func nonceScalar(_ transcript: Transcript, random: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        let wide = try SecretBytes(count: 64) { output in
            secret.withUnsafeBytes { secret in
                random.withUnsafeBytes { random in
                    transcript.witness(
                        "signing", seeds: [UnsafeRawBufferPointer(rebasing: secret[32...])], random: random,
                        into: output)
                }
            }
        }
        return try Scalar.reduce(wide)
    }
}
