import BasicFoundation

/// What an attestation says of itself. Nothing of it is verified: it is for people who look for a mistake.
package struct UnverifiedAttestation: Sendable {
    package let byteCount: Int
    /// The SHA-256 of the App ID, 32 bytes.
    package let rpIDHash: [UInt8]
    package let signCount: UInt32
    /// The AAGUID, 16 bytes.
    package let aaguid: [UInt8]
    package let environment: AppAttestEnvironment?
    package let credentialID: [UInt8]
    package let publicKey: [UInt8]
    package let extensions: AuthenticatorDataExtensions
    /// The certificates in DER, the leaf first.
    package let certificates: [[UInt8]]
    /// The nonce that the leaf is bound to.
    package let nonce: [UInt8]?
    /// The App ID that the leaf names.
    package let namedApp: String?
    package let facts: CertificateFacts?
    package let receipt: [UInt8]

    /// - Throws: ``AppAttestError`` of step A1, A2 or A3.
    package init(_ bytes: [UInt8]) throws(AppAttestError) {
        let object = try AttestationObject(bytes)
        let attested: AuthenticatorData.Attested
        do { attested = try AuthenticatorData.Attested(object.authenticatorData) } catch {
            throw AppAttestError(.malformedAuthenticatorData, at: "A3", "\(error)")
        }
        let leaf = object.certificates.first.flatMap { try? ChainCertificate(der: $0) }
        let attributes = leaf.map { LeafAttributes($0) }
        byteCount = bytes.count
        rpIDHash = Array(attested.data.rpIDHash)
        signCount = attested.data.signCount
        aaguid = Array(attested.aaguid)
        environment = AppAttestEnvironment(aaguid: attested.aaguid)
        credentialID = Array(attested.credentialID)
        publicKey = attested.publicKey
        extensions = attested.data.extensions
        certificates = object.certificates.map { Array($0) }
        nonce = attributes?.nonceExtension.flatMap { LeafAttributes.nonce(in: $0) }.map { Array($0) }
        if case .app(let name)? = attributes?.namedApp {
            namedApp = String(decoding: name, as: UTF8.self)
        } else {
            namedApp = nil
        }
        facts = leaf.map { CertificateFacts($0, LeafAttributes($0)) }
        receipt = Array(object.receipt)
    }
}

/// What an assertion says of itself. Nothing of it is verified.
package struct UnverifiedAssertion: Sendable {
    package let byteCount: Int
    /// The SHA-256 of the App ID, 32 bytes.
    package let rpIDHash: [UInt8]
    package let signCount: UInt32
    package let extensions: AuthenticatorDataExtensions
    /// The signature in DER.
    package let signature: [UInt8]

    /// - Throws: ``AppAttestError`` of step S1, S2 or S3.
    package init(_ bytes: [UInt8]) throws(AppAttestError) {
        let (signature, signed) = try AssertionVerifier.parts(of: bytes)
        let data: AuthenticatorData
        do { data = try AuthenticatorData(assertion: signed) } catch {
            throw AppAttestError(.malformedAuthenticatorData, at: "S3", "\(error)")
        }
        byteCount = bytes.count
        rpIDHash = Array(data.rpIDHash)
        signCount = data.signCount
        extensions = data.extensions
        self.signature = Array(signature)
    }
}

/// What a receipt says of itself. Nothing of it is verified.
package struct UnverifiedReceipt: Sendable {
    package let byteCount: Int
    package let certificateCount: Int
    package let kind: Receipt.Kind
    package let appID: String
    package let environment: String?
    package let creation: Date
    package let riskMetric: Int?
    package let notBefore: Date?
    package let expiration: Date
    /// The point of the key that the receipt is about.
    package let publicKey: [UInt8]?

    /// - Throws: ``AppAttestError`` of step R1 or R5.
    package init(_ bytes: [UInt8]) throws(AppAttestError) {
        let envelope: SignedReceipt
        do { envelope = try SignedReceipt(bytes[...]) } catch {
            throw AppAttestError(.receiptMalformed, at: "R1", "the receipt is malformed: \(error)")
        }
        let payload: ReceiptPayload
        do { payload = try ReceiptPayload(envelope.content) } catch {
            throw AppAttestError(.receiptMalformed, at: "R5", "the receipt is malformed: \(error.reason)")
        }
        byteCount = bytes.count
        certificateCount = envelope.certificates.count
        kind = payload.kind
        appID = payload.appID
        environment = payload.environment
        creation = Date(payload.creation)
        riskMetric = payload.riskMetric
        notBefore = payload.notBefore.map { Date($0) }
        expiration = Date(payload.expiration)
        publicKey = (try? ChainCertificate(der: payload.attestedKey))?.p256Point
    }
}
