import HardwareKeys
@_spi(Fuzzing) import Vigil

extension FuzzTarget {
    /// Envelopes, and the payload of manifests and stores.
    static let manifest = FuzzTarget(
        name: "manifest",
        seeds: [
            Array(#"{"payloadType":"a","payload":"AAAA","signatures":[{"keyid":"","sig":"AA=="}]}"#.utf8),
            Array(
                #"{"vigilManifest":2,"product":"p","epoch":1,"created":"2026-01-01T00:00:00Z","entries":[{"role":"app","pageSize":4096}],"bundles":[]}"#
                    .utf8),
            Array(
                #"{"version":2,"role":"app","product":"p","epoch":1,"generation":1,"rotationCounter":0,"peers":[]}"#
                    .utf8),
        ]
    ) { bytes in
        if let envelope = try? Envelope(parsing: bytes) {
            precondition((try? Envelope(parsing: envelope.json)) == envelope)
        }
        _ = OutsideBytes.manifest(bytes)
        _ = OutsideBytes.attestation(bytes)
    }

    /// Evidence, with and without the quote of a TPM.
    static let evidence = FuzzTarget(
        name: "evidence",
        seeds: [
            Array(
                #"{"version":2,"product":"p","epoch":1,"issuedAt":"2026-01-01T00:00:00Z","keyKinds":{"app":"tpm2"}}"#
                    .utf8),
            [0xff, 0x54, 0x43, 0x47, 0x80, 0x18, 0, 34, 0, 11],
        ]
    ) { bytes in
        _ = OutsideBytes.evidence(bytes)
        _ = try? EvidenceEnvelope(parsing: bytes)
        _ = try? TPMQuote(attest: bytes, signature: bytes, keyArea: bytes)
    }

    /// Messages of version 1 of the protocol.
    static let versionOne = FuzzTarget(
        name: "vigil-v1",
        seeds: [
            Array(#"{"action":"ping"}"#.utf8), Array(#"{"valid":false}"#.utf8),
            Array(#"{"action":"validate","hash":"","nonce":"","publicKey":"","signature":""}"#.utf8),
        ]
    ) { bytes in
        if let request = try? VersionOne.Request(parsing: bytes) {
            precondition((try? VersionOne.Request(parsing: request.json)) == request)
        }
        if let response = try? VersionOne.Response(parsing: bytes) {
            precondition((try? VersionOne.Response(parsing: response.json)) == response)
        }
    }

    /// Messages of version 2: what is read is written again as it was.
    static let vigilMessage = FuzzTarget(
        name: "vigil-v2",
        seeds: MessageType.allCases.map { type in
            [0x56, 0x47, 2, type.rawValue, 0x41, 0, 0, 0] + Array(repeating: 0, count: 344)
        } + MessageType.allCases.map { [0x56, 0x47, 2, $0.rawValue, 0x56, 0, 0, 0] + Array(repeating: 0, count: 344) }
    ) { bytes in
        let read: [[UInt8]?] = [
            try? Challenge(parsing: bytes).bytes, try? Request(parsing: bytes).bytes,
            try? Response(parsing: bytes).bytes, try? Confirmation(parsing: bytes).bytes,
            try? Alert(parsing: bytes).bytes, try? Revalidate(parsing: bytes).bytes,
            try? Revalidated(parsing: bytes).bytes, try? ProvisionRequest(parsing: bytes).bytes,
            try? ProvisionResponse(parsing: bytes).bytes, try? RotationRequest(parsing: bytes).bytes,
            try? RotationResponse(parsing: bytes).bytes, try? EvidenceRequest(parsing: bytes).bytes,
            try? EvidenceResponse(parsing: bytes).bytes, try? Failure(parsing: bytes).bytes,
        ]
        for written in read.compactMap({ $0 }) { precondition(written == bytes) }
    }
}
