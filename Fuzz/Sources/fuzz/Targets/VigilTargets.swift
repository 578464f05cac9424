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
        precondition(OutsideBytes.manifest(bytes), "an envelope is written as it was read")
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
        OutsideBytes.evidence(bytes)
        _ = try? TPMQuote(attest: bytes, signature: bytes, keyArea: bytes)
    }

    /// Keys in PEM, points, and signatures in DER.
    static let keyAndSignature = FuzzTarget(
        name: "key-signature",
        seeds: [
            Array(
                ("-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7\n"
                    + "Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==\n-----END PUBLIC KEY-----\n").utf8),
            [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01], [4] + Array(repeating: 1, count: 64),
        ]
    ) { bytes in
        precondition(OutsideBytes.keyAndSignature(bytes), "what is read is written as it was read")
    }

    /// Messages of version 1 of the protocol.
    static let versionOne = FuzzTarget(
        name: "vigil-v1",
        seeds: [
            Array(#"{"action":"ping"}"#.utf8), Array(#"{"valid":false}"#.utf8),
            Array(#"{"action":"validate","hash":"","nonce":"","publicKey":"","signature":""}"#.utf8),
        ]
    ) { bytes in
        precondition(OutsideBytes.versionOne(bytes), "a message is written as it was read")
    }

    /// Messages of version 2: what is read is written again as it was.
    static let vigilMessage = FuzzTarget(
        name: "vigil-v2",
        seeds: OutsideBytes.headers.map { $0 + Array(repeating: 0, count: 344) }
    ) { bytes in
        precondition(OutsideBytes.message(bytes), "a message is written as it was read")
    }
}
