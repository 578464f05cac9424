/// A secret that one Secure Enclave can derive again, as a key file stores it.
///
/// Version 1 ‖ flags (bit 0: biometry) ‖ length (2) ‖ the enclave key's representation ‖ ephemeral public key (X9.63,
/// 65 bytes).
///
/// Source: `mainkey` section 18.
public struct EnclaveBlob: Hashable, Sendable {
    /// The enclave asks for a face or finger; when those that are enrolled change, the key is gone.
    package let needsBiometry: Bool
    /// The key, encrypted by the enclave.
    let representation: [UInt8]
    let ephemeralKey: [UInt8]

    private static let representationLimit = 1024

    /// What it means that the enclave took its key, and does not agree with the other one although the user was
    /// not refused.
    var refusedAgreement: HardwareKeyError { needsBiometry ? .enclaveKeyInvalidated : .unavailable(.otherHardware) }
    /// What it means that the other key is no point of the curve.
    var badEphemeralKey: HardwareKeyError {
        .malformed(.enclaveBlob, offset: 4 + representation.count, reason: "the public key is no point of P-256")
    }

    init(needsBiometry: Bool, representation: [UInt8], ephemeralKey: [UInt8]) {
        self.needsBiometry = needsBiometry
        self.representation = representation
        self.ephemeralKey = ephemeralKey
    }

    /// - Throws: ``HardwareKeyError/malformed(_:offset:reason:)``
    public init(parsing bytes: [UInt8]) throws(HardwareKeyError) {
        self = try ByteReader.read(bytes, as: .enclaveBlob) { (reader) throws(HardwareKeyError) in
            try reader.expect([1], "version 1")
            let flags = try reader.integer(UInt8.self)
            guard flags <= 1 else { throw reader.malformed("unknown flags") }
            let representation = try reader.sized(limit: Self.representationLimit)
            guard !representation.isEmpty else { throw reader.malformed("the key is empty") }
            try reader.expect([0x04], "an uncompressed public key")
            return try EnclaveBlob(
                needsBiometry: flags == 1, representation: representation, ephemeralKey: [0x04] + reader.take(64))
        }
    }

    /// The blob as a key file stores it.
    public var serialised: [UInt8] {
        var bytes: [UInt8] = [1, needsBiometry ? 1 : 0]
        bytes.append(sized: representation)
        return bytes + ephemeralKey
    }
}
