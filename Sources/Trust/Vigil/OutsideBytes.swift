import Cryptography

/// Parsers of bytes from outside, for the fuzzer alone. Each tells whether what was read is written again as it was.
@_spi(Fuzzing) public enum OutsideBytes {
    /// Reads bytes as an envelope, and as what stands behind a signature in a manifest and in a store.
    public static func manifest(_ bytes: [UInt8]) -> Bool {
        if let manifest = try? Manifest(payload: bytes) { _ = try? Manifest(payload: manifest.payload) }
        _ = try? Attestation(payload: bytes)
        guard let envelope = try? Envelope(parsing: bytes) else { return true }
        return (try? Envelope(parsing: envelope.json)) == envelope
    }

    /// Reads bytes as evidence, with its envelope and without.
    public static func evidence(_ bytes: [UInt8]) {
        _ = try? Evidence(payload: bytes)
        _ = try? EvidenceEnvelope(parsing: bytes)
    }

    /// Reads bytes as a message of version 1 of the protocol.
    public static func versionOne(_ bytes: [UInt8]) -> Bool {
        if let request = try? VersionOne.Request(parsing: bytes) {
            guard (try? VersionOne.Request(parsing: request.json)) == request else { return false }
        }
        guard let response = try? VersionOne.Response(parsing: bytes) else { return true }
        return (try? VersionOne.Response(parsing: response.json)) == response
    }

    /// Reads bytes as each message of version 2.
    public static func message(_ bytes: [UInt8]) -> Bool {
        let types: [any WireMessage.Type] = [
            Challenge.self, Request.self, Response.self, Confirmation.self, Alert.self, Revalidate.self,
            Revalidated.self, ProvisionRequest.self, ProvisionResponse.self, RotationRequest.self,
            RotationResponse.self, EvidenceRequest.self, EvidenceResponse.self, Failure.self,
        ]
        return types.allSatisfy { isKept(bytes, $0) }
    }

    /// Reads bytes as a key in PEM, as a point, and as a signature in DER.
    public static func keyAndSignature(_ bytes: [UInt8]) -> Bool {
        if let key = PublicKey(pem: String(decoding: bytes, as: UTF8.self)) {
            guard PublicKey(spkiOrX963: key.spki) == key else { return false }
        }
        _ = P256PublicKey(x963: bytes)
        guard let signature = P256Signature(der: bytes) else { return true }
        return signature.der == bytes
    }

    /// The first bytes of messages of each type, from each side.
    public static let headers = MessageType.allCases.flatMap { type in
        [Role.app, .validator].map { MessageHeader(type, from: $0).bytes }
    }

    private static func isKept<Message: WireMessage>(_ bytes: [UInt8], _: Message.Type) -> Bool {
        guard let sent = try? Sent<Message>(Received(bytes)) else { return true }
        return sent.message.bytes == bytes
    }
}
