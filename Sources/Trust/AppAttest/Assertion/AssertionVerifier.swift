import Crypto

/// Verifies that a request comes from the holder of a registered key.
///
///     let verifier = try AssertionVerifier(policy: policy)
///     let proof = try verifier.verify(
///         assertion: bytes, clientDataHash: hash, publicKey: key.publicKey, appID: key.appID,
///         storedSignCount: key.signCount)
///
/// It costs hardly more than the verification of one signature, and may run on an event loop.
///
/// Source: `appattest-gate` sections 1.6 and 2.4.
public struct AssertionVerifier: Sendable {
    /// The most bytes of an assertion: authenticator data of the largest size with a signature.
    private static let byteLimit = 4_352

    private let policy: AppAttestPolicy
    private let apps: AdmittedApps

    /// - Throws: ``VerifierSetupError/noAppID``.
    public init(policy: AppAttestPolicy) throws(VerifierSetupError) {
        self.policy = policy
        apps = try AdmittedApps(policy.appIDs)
    }

    /// Verifies an assertion, whose counter the caller then keeps.
    ///
    /// - Parameters:
    ///   - assertion: CBOR.
    ///   - clientDataHash: of the data that the client signs for, 1 to 64 bytes; never one that the client sends.
    ///   - publicKey: the X9.62 point that was attested, 65 bytes.
    ///   - appID: the app that the key was registered for; nil: any of the policy.
    ///   - storedSignCount: of the last assertion that was accepted; 0 after registration.
    /// - Throws: ``AppAttestError`` of the first step that fails. The signature comes before the counter: a client
    ///   without the key learns nothing about it.
    public func verify(
        assertion: [UInt8], clientDataHash: [UInt8], publicKey: [UInt8], appID: AppID? = nil, storedSignCount: UInt32
    ) throws(AppAttestError) -> VerifiedAssertion {
        let (signature, signed) = try Self.parts(of: assertion)
        let data: AuthenticatorData
        do { data = try AuthenticatorData(assertion: signed) } catch {
            throw AppAttestError(.malformedAuthenticatorData, at: "S3", "\(error)")
        }
        guard let found = apps.app(rpIDHash: data.rpIDHash), appID == nil || appID == found else {
            throw AppAttestError(.appIDMismatch, at: "S4", "the assertion is of another app")
        }
        try Self.checkSignature(signature, of: data, clientDataHash: clientDataHash, publicKey: publicKey)
        guard data.signCount > storedSignCount else {
            throw AppAttestError(
                .counterNotIncreasing, at: "S6", "the counter is not above that of an earlier assertion")
        }
        do throws(RunningAppRefusal) { try policy.check(data.extensions) } catch {
            throw AppAttestError(error.code, at: "S7", error.detail)
        }
        return VerifiedAssertion(signCount: data.signCount, extensions: data.extensions, appID: found)
    }

    /// The same for clients that sign for SHA-256 of `challenge`.
    public func verify(
        assertion: [UInt8], challenge: [UInt8], publicKey: [UInt8], appID: AppID? = nil, storedSignCount: UInt32
    ) throws(AppAttestError) -> VerifiedAssertion {
        try verify(
            assertion: assertion, clientDataHash: Array(SHA256.hash(data: challenge)), publicKey: publicKey,
            appID: appID, storedSignCount: storedSignCount)
    }

    /// Takes an assertion apart: steps S1 and S2.
    package static func parts(
        of assertion: [UInt8]
    ) throws(AppAttestError) -> (signature: ArraySlice<UInt8>, authenticatorData: ArraySlice<UInt8>) {
        guard assertion.count <= byteLimit else {
            throw AppAttestError(.malformedAssertion, at: "S2", "the assertion has more than \(byteLimit) bytes")
        }
        let item: CBORItem
        do { item = try CBORDecoder.item(assertion[...]) } catch {
            throw AppAttestError(.malformedCBOR, at: "S1", "the assertion is not deterministic CBOR: \(error)")
        }
        guard let entries = item.entries, entries.count == 2, let signature = entries["signature"]?.byteString,
            let data = entries["authenticatorData"]?.byteString
        else {
            throw AppAttestError(
                .malformedAssertion, at: "S2", "the assertion is not a map of signature and authenticatorData")
        }
        return (signature, data)
    }

    /// Step S5. The hash is the message, not its digest: the device hashes it once more.
    private static func checkSignature(
        _ signature: ArraySlice<UInt8>, of data: AuthenticatorData, clientDataHash: [UInt8], publicKey: [UInt8]
    ) throws(AppAttestError) {
        guard let raw = SignatureForm.rawRepresentation(der: signature),
            let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
        else { throw AppAttestError(.signatureMalformed, at: "S5", "the signature is not one of P-256 in DER") }
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey) else {
            throw AppAttestError(.unsupportedKey, at: "S5", "the registered key is not a point of P-256")
        }
        guard BindingNonce.clientDataHashByteCounts.contains(clientDataHash.count),
            key.isValidSignature(parsed, for: Array(BindingNonce.hash(data, clientDataHash: clientDataHash)))
        else {
            throw AppAttestError(
                .signatureInvalid, at: "S5", "the signature is not that of the registered key over this client data")
        }
    }
}
