/// A well-formed signature, taken apart (`substrate-crypto` section 6.4).
struct ParsedSignature {
    /// R as received; only the canonical encoding of an element can equal the one that the equation gives.
    let commitment: SIMD4<UInt64>
    /// A scalar below L.
    let scalar: PublicScalar

    /// - Throws: ``Sr25519Error/invalidLength(expected:found:)``, ``Sr25519Error/notMarkedSchnorrkel``,
    ///   ``Sr25519Error/nonCanonicalScalar``.
    init(_ bytes: [UInt8]) throws(Sr25519Error) {
        guard bytes.count == Sr25519.signatureByteCount else {
            throw .invalidLength(expected: Sr25519.signatureByteCount, found: bytes.count)
        }
        let (commitment, marked) = bytes.withUnsafeBytes { bytes in
            (
                SIMD4(littleEndian: UnsafeRawBufferPointer(rebasing: bytes[..<32])),
                SIMD4(littleEndian: UnsafeRawBufferPointer(rebasing: bytes[32...]))
            )
        }
        let mark: UInt64 = 1 << 63
        guard marked[3] & mark != 0 else { throw .notMarkedSchnorrkel }
        var scalar = marked
        scalar[3] &= ~mark
        self.commitment = commitment
        self.scalar = PublicScalar(words: scalar)
        guard self.scalar.isCanonical else { throw .nonCanonicalScalar }
    }

    /// What the signer answered with the scalar.
    ///
    /// - Parameter context: the signing context; nil is `substrate`.
    func challenge(message: [UInt8], publicKey: [UInt8], context: [UInt8]?) -> PublicScalar {
        var transcript = SigningContext.transcript(message, context: context)
        transcript.append(label: "proto-name", message: "Schnorr-sig")
        transcript.append(label: "sign:pk", message: publicKey)
        withUnsafeBytes(of: commitment) { transcript.append(label: "sign:R", message: $0) }
        var wide = InlineArray<64, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &wide) { transcript.challenge("sign:c", into: $0) }
        return PublicScalar(reducing: wide)
    }
}
