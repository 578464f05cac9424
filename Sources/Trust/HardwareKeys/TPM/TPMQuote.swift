import Cryptography

/// What a TPM says of its registers, signed by a key that signs nothing from outside.
///
/// Source: `vigil` sections 5.2 and 9.4; TPM 2.0 Library, part 2, `TPMS_ATTEST`.
public struct TPMQuote: Hashable, Sendable {
    /// The structure `TPMS_ATTEST`, as it was signed.
    package let attest: [UInt8]
    /// The signature as r ‖ s, 64 bytes.
    package let signature: [UInt8]
    /// The public area of the attestation key.
    package let keyArea: [UInt8]
    /// The attestation key in X9.63, 65 bytes.
    public let publicKey: [UInt8]
    /// The key's qualified Name: its own hashed behind those of all its parents, up to the hierarchy. Whoever does not
    /// know those cannot compare it; that the key has signed is what tells that it is of this key.
    ///
    /// Source: TPM 2.0 Library, part 1, "Qualified Name".
    package let signer: [UInt8]
    /// The bytes that the caller gave to be signed as well.
    public let qualifyingData: [UInt8]
    /// The quoted registers of the SHA-256 bank, ascending.
    public let registers: [Int]
    /// The SHA-256 of the registers' values, one behind the other.
    package let registerDigest: [UInt8]

    /// Reads a quote.
    ///
    /// - Parameters:
    ///   - attest: `TPMS_ATTEST`.
    ///   - signature: `TPMT_SIGNATURE`, ECDSA with SHA-256.
    ///   - keyArea: `TPMT_PUBLIC` of the attestation key.
    /// - Throws: ``HardwareKeyError``: `malformed` for anything but a quote of an attestation key of P-256.
    public init(attest: [UInt8], signature: [UInt8], keyArea: [UInt8]) throws(HardwareKeyError) {
        guard let publicKey = TPMPublicArea.point(of: keyArea, after: TPMPublicArea.attestationKeyHead) else {
            throw .malformed(.quote, offset: 0, reason: "the public area is not that of a P-256 attestation key")
        }
        self.attest = attest
        self.keyArea = keyArea
        self.publicKey = publicKey
        self.signature = try ByteReader.read(signature, as: .quote) { (reader) throws(HardwareKeyError) in
            try reader.expect([0x00, 0x18, 0x00, 0x0b], "a signature of ECDSA with SHA-256")
            let (r, s) = (try reader.sized(limit: 32), try reader.sized(limit: 32))
            return TPMPublicArea.padded(r) + TPMPublicArea.padded(s)
        }
        (signer, qualifyingData, registers, registerDigest) = try ByteReader.read(attest, as: .quote) {
            (reader) throws(HardwareKeyError) in
            try reader.expect([0xff, 0x54, 0x43, 0x47, 0x80, 0x18], "a quote made by a TPM")
            let signer = try reader.sized(limit: 66)
            guard signer.count == 34, signer.starts(with: [0x00, 0x0b]) else {
                throw reader.malformed("the key's qualified Name is not one of SHA-256")
            }
            let qualifyingData = try reader.sized(limit: 64)
            // Clock (8), resets (4), restarts (4), whether they are safe (1), firmware (8).
            _ = try reader.take(25)
            let registers = try Self.registers(&reader)
            return (signer, qualifyingData, registers, try reader.sized(limit: 32))
        }
    }

    /// Reads one selection of registers, of the SHA-256 bank.
    private static func registers(_ reader: inout ByteReader) throws(HardwareKeyError) -> [Int] {
        try reader.expect([0, 0, 0, 1, 0x00, 0x0b, 3], "a selection of the SHA-256 bank")
        let bitmap = try reader.take(3)
        return (0..<24).filter { bitmap[$0 / 8] >> ($0 % 8) & 1 == 1 }
    }

    /// Whether the attestation key has signed it.
    public var isSigned: Bool {
        guard let key = P256PublicKey(x963: publicKey), let signature = P256Signature(raw: signature) else {
            return false
        }
        return key.isValid(signature, ofDigest: SHA256Hash.of(attest))
    }

    /// Whether the registers had these values.
    ///
    /// - Parameter values: 32 bytes each, by register.
    public func covers(_ values: [Int: [UInt8]]) -> Bool {
        guard values.keys.sorted() == registers else { return false }
        return SHA256Hash.of(registers.flatMap { values[$0] ?? [] }) == registerDigest
    }
}
