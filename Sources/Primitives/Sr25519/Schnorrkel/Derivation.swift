import CSodium
import SecretMemory

/// What a soft junction adds to a key: everything here is public.
package struct SoftDerivation {
    /// A scalar below L, 32 bytes.
    package let scalar: [UInt8]
    private let transcript: Transcript

    package init(publicKey: [UInt8], chainCode: [UInt8]) {
        var transcript = Self.prefix
        transcript.append(label: "chain-code", message: chainCode)
        transcript.append(label: "public-key", message: publicKey)
        scalar = Scalar.reduce(transcript.challenge("HDKD-scalar", count: 64))
        // The chain code of the child, which Substrate does not use; drawn because the nonce comes after it.
        _ = transcript.challenge("HDKD-chaincode", count: 32)
        self.transcript = transcript
    }

    /// The transcript that junctions begin with. Substrate passes an empty index.
    static let prefix: Transcript = {
        var transcript = Transcript(label: "SchnorrRistrettoHDKD")
        transcript.append(label: "sign-bytes", message: "")
        return transcript
    }()

    /// The child's secret, key then nonce, from the parent's. The nonce is random: only the key is reproducible.
    func derive(_ secret: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try derive(secret, random: .random(count: 32))
    }

    /// The same with given randomness: for known answers.
    package func derive(_ secret: SecretBytes, random: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: 64) { output in
            secret.withUnsafeBytes { parent in
                crypto_core_ristretto255_scalar_add(output.asBytes, parent.asBytes, scalar)
                random.withUnsafeBytes { random in
                    transcript.witness(
                        "HDKD-nonce", seeds: [UnsafeRawBufferPointer(rebasing: parent[32...]), parent], random: random,
                        into: UnsafeMutableRawBufferPointer(rebasing: output[32...]))
                }
            }
        }
    }
}

/// The mini-secret of a hard junction: a hash of the parent's scalar and the junction (`substrate-crypto` section 6.6).
enum HardDerivation {
    static func miniSecret(_ secret: SecretBytes, chainCode: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
        var transcript = SoftDerivation.prefix
        defer { transcript.erase() }
        transcript.append(label: "chain-code", message: chainCode)
        secret.withUnsafeBytes {
            transcript.append(label: "secret-key", message: UnsafeRawBufferPointer(rebasing: $0[..<32]))
        }
        return try SecretBytes(count: 32) { transcript.challenge("HDKD-hard", into: $0) }
    }
}
