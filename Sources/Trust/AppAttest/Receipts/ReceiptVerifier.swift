import BasicFoundation
import TextForms

/// Verifies receipts: those that come with attestations, and those that Apple's server gives for them later.
///
/// Source: `appattest-gate` section 2.5.
public struct ReceiptVerifier: Sendable {
    private static let byteLimit = 16_384
    /// How many certificates a path may have, from the signer up.
    private static let pathLimit = 4

    private let root: TrustedRoot
    private let clockSkew: Duration

    /// - Parameter clockSkew: how far Apple's clock may be ahead of ours.
    /// - Throws: ``VerifierSetupError``.
    public init(anchors: TrustAnchors = .apple, clockSkew: Duration = .seconds(60)) throws(VerifierSetupError) {
        root = try anchors.trustedReceiptRoot()
        self.clockSkew = clockSkew
    }

    /// Verifies a receipt.
    ///
    /// - Parameters:
    ///   - receipt: BER or DER.
    ///   - publicKey: the X9.62 point of the attested key, 65 bytes.
    ///   - expectedClientHash: what the client had attested; compared in receipts of kind ``Receipt/Kind/attest``
    ///     alone.
    ///   - maximumAge: 300 seconds at registration; nil for a receipt that was stored.
    /// - Throws: ``AppAttestError`` of the first step that fails.
    public func verify(
        receipt: [UInt8], publicKey: [UInt8], appID: AppID, expectedClientHash: [UInt8]? = nil,
        environment: AppAttestEnvironment, at now: Date, kind: Receipt.Kind, maximumAge: Duration? = nil
    ) throws(AppAttestError) -> Receipt {
        try verify(
            receipt: receipt[...],
            Expectation(
                kind: kind, publicKey: publicKey, knownCertificate: nil, appID: appID, clientHash: expectedClientHash,
                environment: environment, maximumAge: maximumAge),
            at: UTCTimestamp(now))
    }

    /// What a receipt must be about.
    struct Expectation {
        let kind: Receipt.Kind
        let publicKey: [UInt8]
        /// A certificate that is known to have that key, DER: the one in an attestation need not be parsed twice.
        let knownCertificate: ArraySlice<UInt8>?
        let appID: AppID
        let clientHash: [UInt8]?
        let environment: AppAttestEnvironment
        let maximumAge: Duration?
    }

    func verify(
        receipt: ArraySlice<UInt8>, _ expectation: Expectation, at now: UTCTimestamp
    ) throws(AppAttestError) -> Receipt {
        guard receipt.count <= Self.byteLimit else {
            throw AppAttestError(.receiptMalformed, at: "R1", "the receipt has more than \(Self.byteLimit) bytes")
        }
        let envelope: SignedReceipt
        do { envelope = try SignedReceipt(receipt) } catch {
            throw AppAttestError(.receiptMalformed, at: "R1", "the receipt is malformed: \(error)")
        }
        let signer = try trustedSigner(of: envelope, at: now)
        guard signer.hasSigned(envelope.content, signature: envelope.signature) else {
            throw AppAttestError(.receiptSignatureInvalid, at: "R4", "the signature is not over this content")
        }
        let payload: ReceiptPayload
        do { payload = try ReceiptPayload(envelope.content) } catch {
            throw AppAttestError(.receiptMalformed, at: "R5", "the receipt is malformed: \(error.reason)")
        }
        try Self.checkSubject(payload, expectation)
        try checkTimes(of: payload, at: now, maximumAge: expectation.maximumAge)
        try Self.checkKey(payload, expectation)
        try Self.checkCircumstances(payload, expectation)
        return Receipt(payload, publicKey: expectation.publicKey)
    }

    /// The signer of a receipt, whose certificate leads to the root: steps R2 and R3.
    private func trustedSigner(
        of envelope: SignedReceipt, at now: UTCTimestamp
    ) throws(AppAttestError) -> ChainCertificate {
        let certificates = envelope.certificates.compactMap { try? root.certificate($0) }
        let signer = certificates.first { certificate in
            certificate.issuer == envelope.issuer && certificate.serialNumber == envelope.serialNumber
        }
        guard let signer else {
            throw AppAttestError(.receiptUntrusted, at: "R2", "the certificate of the receipt's signer is missing")
        }
        let path = Self.path(from: signer, among: certificates)
        // A certificate off the path is covered by no signature: a receipt with one is not as Apple made it.
        guard path.count == envelope.certificates.count else { throw Self.untrusted("a certificate leads nowhere") }
        do throws(TrustedRoot.Refusal) {
            try root.check(path, at: now, remembering: .wholePath)
        } catch {
            throw switch error {
            case .untrusted(let reason): Self.untrusted(reason)
            case .notYetValid: Self.untrusted("a certificate is not valid yet")
            case .expired: Self.untrusted("a certificate is not valid any more")
            }
        }
        // The root stands above many services of Apple; this one signs receipts.
        guard signer.value(of: ExtensionID.receiptSigner) != nil else {
            throw Self.untrusted("it is not one for receipts")
        }
        return signer
    }

    /// The certificates from the signer up, each followed by the first certificate with the name of its issuer.
    private static func path(
        from signer: ChainCertificate, among certificates: [ChainCertificate]
    ) -> [ChainCertificate] {
        var path = [signer]
        while path.count < pathLimit, let last = path.last, last.issuer != last.subject,
            let issuer = certificates.first(where: { $0.subject == last.issuer })
        {
            path.append(issuer)
        }
        return path
    }

    private static func untrusted(_ reason: String) -> AppAttestError {
        AppAttestError(
            .receiptUntrusted, at: "R3", "the receipt's signer does not lead to the root of receipts: \(reason)")
    }

    /// The kind is the end of step R5; then R6.
    private static func checkSubject(
        _ payload: ReceiptPayload, _ expectation: Expectation
    ) throws(AppAttestError) {
        guard payload.kind == expectation.kind else {
            throw AppAttestError(.receiptMalformed, at: "R5", "the receipt is not of kind \(expectation.kind.rawValue)")
        }
        guard payload.appID == expectation.appID.description else {
            throw AppAttestError(.receiptAppIDMismatch, at: "R6", "the receipt is of another app")
        }
    }

    /// Checks when the receipt was made and when it expires: steps R8 and R9.
    private func checkTimes(
        of payload: ReceiptPayload, at now: UTCTimestamp, maximumAge: Duration?
    ) throws(AppAttestError) {
        guard now.duration(to: payload.creation) <= clockSkew else {
            throw AppAttestError(.receiptNotYetValid, at: "R8", "the receipt was made in the future")
        }
        if let maximumAge, payload.creation.duration(to: now) > maximumAge {
            throw AppAttestError(
                .receiptTooOld, at: "R8", "the receipt is older than \(maximumAge.components.seconds) seconds")
        }
        guard now < payload.expiration else {
            throw AppAttestError(.receiptExpired, at: "R9", "the receipt has expired")
        }
    }

    /// Checks that the receipt is of the expected key: step R10.
    private static func checkKey(_ payload: ReceiptPayload, _ expectation: Expectation) throws(AppAttestError) {
        if payload.attestedKey == expectation.knownCertificate { return }
        let certificate: ChainCertificate
        do { certificate = try ChainCertificate(der: payload.attestedKey) } catch {
            throw AppAttestError(.receiptMalformed, at: "R10", "the receipt names its key by no certificate")
        }
        guard certificate.p256Point == expectation.publicKey else {
            throw AppAttestError(.receiptPublicKeyMismatch, at: "R10", "the receipt is of another key")
        }
    }

    /// Checks challenge and environment: steps R11 and R12.
    private static func checkCircumstances(
        _ payload: ReceiptPayload, _ expectation: Expectation
    ) throws(AppAttestError) {
        if payload.kind == .attest, let expected = expectation.clientHash {
            guard payload.clientHash.map({ $0.elementsEqual(expected) }) == true else {
                throw AppAttestError(
                    .receiptClientHashMismatch, at: "R11", "the receipt was made for another challenge")
            }
        }
        let environment = expectation.environment == .production ? "production" : "sandbox"
        guard payload.environment == environment else {
            throw AppAttestError(.receiptEnvironmentMismatch, at: "R12", "the receipt is of another environment")
        }
    }
}

extension Receipt {
    fileprivate init(_ payload: ReceiptPayload, publicKey: [UInt8]) {
        kind = payload.kind
        appID = payload.appID
        self.publicKey = publicKey
        clientHash = payload.clientHash.map(Array.init)
        token = payload.token
        environment = payload.environment
        creation = Date(payload.creation)
        riskMetric = payload.riskMetric
        notBefore = payload.notBefore.map { Date($0) }
        expiration = Date(payload.expiration)
    }
}
