import BasicFoundation
import Crypto
import TextForms

/// Verifies that a key lives in a genuine Apple device and belongs to an admitted app.
///
///     let verifier = try AttestationVerifier(policy: AppAttestPolicy(appIDs: [appID]))
///     let key = try verifier.verify(attestation: bytes, keyID: id, challenge: nonce, at: now)
///
/// It asks no network and no clock. One verifier serves any number of threads; a verification takes about a millisecond
/// of processor time, too much for an event loop.
///
/// Source: `appattest-gate` section 2.2.
public struct AttestationVerifier: Sendable {
    private let policy: AppAttestPolicy
    private let apps: AdmittedApps
    private let root: TrustedRoot
    private let receipts: ReceiptVerifier

    /// - Throws: ``VerifierSetupError``.
    public init(policy: AppAttestPolicy, anchors: TrustAnchors = .apple) throws(VerifierSetupError) {
        self.policy = policy
        apps = try AdmittedApps(policy.appIDs)
        root = try anchors.trustedAttestationRoot()
        receipts = try ReceiptVerifier(anchors: anchors, clockSkew: policy.clockSkew)
    }

    /// Verifies an attestation, whose key and receipt the caller then keeps.
    ///
    /// - Parameters:
    ///   - attestation: CBOR.
    ///   - keyID: the key that the client says it is about.
    ///   - clientDataHash: what the client had attested, 1 to 64 bytes; normally SHA-256 of a challenge.
    ///   - now: the time of arrival; attestations go stale within days.
    /// - Throws: ``AppAttestError`` of the first step that fails.
    public func verify(
        attestation: [UInt8], keyID: KeyID, clientDataHash: [UInt8], at now: Date
    ) throws(AppAttestError) -> VerifiedAttestation {
        let time = UTCTimestamp(now)
        let object = try AttestationObject(attestation)
        let authenticator = try Self.authenticatorData(object)
        let path = try certificates(of: object)
        guard let point = path[0].p256Point else {
            throw AppAttestError(.unsupportedKey, at: "A5", "the attested key is not of P-256")
        }
        try checkChain(path, at: time)
        let leaf = LeafAttributes(path[0])
        try checkNonce(of: leaf, authenticator.data, clientDataHash: clientDataHash)
        guard SHA256.hash(data: point).elementsEqual(keyID.bytes) else {
            throw AppAttestError(.keyIDMismatch, at: "A8", "the attested key is not the one that the client names")
        }
        let appID = try app(authenticator.data, leaf)
        let environment = try checkCredential(authenticator, keyID: keyID, point: point)
        try checkPolicy(authenticator.data.extensions, leaf)
        return VerifiedAttestation(
            keyID: keyID, appID: appID, environment: environment, publicKey: point,
            extensions: authenticator.data.extensions, certificate: CertificateFacts(path[0], leaf),
            receipt: Array(object.receipt),
            verifiedReceipt: policy.verifyReceipt
                ? try receipts.verify(
                    receipt: object.receipt,
                    ReceiptVerifier.Expectation(
                        kind: .attest, publicKey: point, knownCertificate: path[0].der, appID: appID,
                        clientHash: clientDataHash, environment: environment, maximumAge: policy.receiptMaximumAge),
                    at: time) : nil)
    }

    /// The same with the client's text of a key's name.
    ///
    /// - Throws: ``AppAttestError`` with ``AppAttestError/Code/keyIDMalformed`` unless the text is one.
    public func verify(
        attestation: [UInt8], keyID text: String, clientDataHash: [UInt8], at now: Date
    ) throws(AppAttestError) -> VerifiedAttestation {
        guard let keyID = KeyID(base64: text) else {
            throw AppAttestError(.keyIDMalformed, at: "A0", "the name of the key is not Base64 of 32 bytes")
        }
        return try verify(attestation: attestation, keyID: keyID, clientDataHash: clientDataHash, at: now)
    }

    /// The same for clients that had SHA-256 of `challenge` attested.
    public func verify(
        attestation: [UInt8], keyID: KeyID, challenge: [UInt8], at now: Date
    ) throws(AppAttestError) -> VerifiedAttestation {
        try verify(
            attestation: attestation, keyID: keyID, clientDataHash: Array(SHA256.hash(data: challenge)), at: now)
    }

    private static func authenticatorData(
        _ object: AttestationObject
    ) throws(AppAttestError) -> AuthenticatorData.Attested {
        do {
            return try AuthenticatorData.Attested(object.authenticatorData)
        } catch {
            throw AppAttestError(.malformedAuthenticatorData, at: "A3", "\(error)")
        }
    }

    /// Step A4; a key of the leaf that is of no use is step A5, one of an issuer step A6.
    private func certificates(of object: AttestationObject) throws(AppAttestError) -> [ChainCertificate] {
        var path: [ChainCertificate] = []
        var unsupported: Int?
        for (index, der) in object.certificates.enumerated() {
            do throws(ChainCertificate.Defect) {
                path.append(try index == 0 ? ChainCertificate(der: der) : root.certificate(der))
            } catch .unsupportedKey {
                unsupported = unsupported ?? index
            } catch {
                throw AppAttestError(.certificateUnparsable, at: "A4", "certificate \(index) is not one in DER")
            }
        }
        guard let unsupported else { return path }
        throw unsupported == 0 || path[0].p256Point == nil
            ? AppAttestError(.unsupportedKey, at: "A5", "the attested key is not of P-256")
            : AppAttestError(.untrustedChain, at: "A6", "the key of certificate \(unsupported) is of no use")
    }

    private func checkChain(_ path: [ChainCertificate], at now: UTCTimestamp) throws(AppAttestError) {
        do throws(TrustedRoot.Refusal) {
            try root.check(path, at: now, remembering: .issuers)
        } catch {
            switch error {
            case .untrusted(let reason):
                throw AppAttestError(
                    .untrustedChain, at: "A6", "the certificates do not lead to the root of attestations: \(reason)")
            case .notYetValid:
                throw AppAttestError(.certificateNotYetValid, at: "A6", "a certificate is not valid yet")
            case .expired:
                throw AppAttestError(.certificateExpired, at: "A6", "a certificate is not valid any more")
            }
        }
    }

    private func checkNonce(
        of leaf: LeafAttributes, _ data: AuthenticatorData, clientDataHash: [UInt8]
    ) throws(AppAttestError) {
        guard let content = leaf.nonceExtension else {
            throw AppAttestError(.nonceExtensionMissing, at: "A7", "the leaf has no nonce extension")
        }
        guard let nonce = LeafAttributes.nonce(in: content) else {
            throw AppAttestError(.nonceExtensionMalformed, at: "A7", "the nonce extension has another form")
        }
        guard BindingNonce.clientDataHashByteCounts.contains(clientDataHash.count),
            // The comparison of a digest with bytes takes the same time wherever they differ.
            BindingNonce.hash(data, clientDataHash: clientDataHash) == Array(nonce)
        else { throw AppAttestError(.nonceMismatch, at: "A7", "the attestation was made for another challenge") }
    }

    /// The app that the attestation is of: steps A9 and A10.
    private func app(_ data: AuthenticatorData, _ leaf: LeafAttributes) throws(AppAttestError) -> AppID {
        guard let appID = apps.app(rpIDHash: data.rpIDHash) else {
            throw AppAttestError(.appIDMismatch, at: "A9", "the attestation is of another app")
        }
        switch leaf.namedApp {
        case .none: return appID
        case .app(let name) where name.elementsEqual(appID.description.utf8): return appID
        case .app, .unreadable:
            throw AppAttestError(.certificateAppIDMismatch, at: "A10", "the certificate names another app")
        }
    }

    /// Checks counter, environment, credential and key: steps A11 to A14.
    private func checkCredential(
        _ authenticator: AuthenticatorData.Attested, keyID: KeyID, point: [UInt8]
    ) throws(AppAttestError) -> AppAttestEnvironment {
        guard authenticator.data.signCount == 0 else {
            throw AppAttestError(.counterNotZero, at: "A11", "the key has signed before it was attested")
        }
        guard let environment = AppAttestEnvironment(aaguid: authenticator.aaguid) else {
            throw AppAttestError(.aaguidUnknown, at: "A12", "the attestation is of no known environment")
        }
        guard policy.environments.contains(environment) else {
            throw AppAttestError(
                .environmentNotAllowed, at: "A12", "attestations of \(environment.rawValue) are not allowed here")
        }
        guard authenticator.credentialID.elementsEqual(keyID.bytes) else {
            throw AppAttestError(
                .credentialIDMismatch, at: "A13", "the credential is not the key that the client names")
        }
        guard authenticator.publicKey == point else {
            throw AppAttestError(
                .publicKeyMismatch, at: "A14", "the authenticator data has another key than the certificate")
        }
        return environment
    }

    /// Checks what the policy asks of the key and of the running app: steps A15 and A16.
    private func checkPolicy(
        _ extensions: AuthenticatorDataExtensions, _ leaf: LeafAttributes
    ) throws(AppAttestError) {
        if policy.accessControl == .macFullSecurity {
            guard let found = leaf.accessControl, found.elementsEqual(MacAccessControl.fullSecurity) else {
                throw AppAttestError(
                    .accessControlRejected, at: "A15", "the key is not bound to a Mac with Full Security")
            }
        }
        do throws(RunningAppRefusal) {
            try policy.check(extensions)
        } catch {
            throw AppAttestError(error.code, at: "A16", error.detail)
        }
    }
}

extension AppAttestEnvironment {
    /// The environment that an AAGUID names: `appattest` with seven zeros, or `appattestdevelop`.
    init?(aaguid: ArraySlice<UInt8>) {
        if aaguid.elementsEqual("appattest\0\0\0\0\0\0\0".utf8) {
            self = .production
        } else if aaguid.elementsEqual("appattestdevelop".utf8) {
            self = .development
        } else {
            return nil
        }
    }
}
