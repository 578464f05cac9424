import CodeMeasurement
import HardwareKeys

/// The app's part of evidence: it checks what the validator says of it, and signs as well.
///
/// Source: `vigil` section 9.4.
package struct EvidenceCheck: Sendable {
    /// What the app has asked for.
    package let request: EvidenceRequest
    /// The key of the validator that this app has pinned.
    package let validator: PublicKey
    /// The code of this app, as the handshake compared it.
    package let ownText2: Bytes32
    /// The transcript of the session, ``SessionSecrets/transcript``.
    package let transcript: Bytes32

    /// Signs the validator's word, if it is right.
    ///
    /// - Parameter key: the app's own.
    /// - Returns: what a verifier is sent.
    /// - Throws: ``EvidenceRefusal`` in the first part, `malformed` if the own key fails.
    package func envelope(
        for response: EvidenceResponse, signingWith key: any SigningKey
    ) throws(EvidenceRefusal) -> Envelope {
        let signed = Envelope.signedBytes(type: Evidence.payloadType, payload: response.payload)
        guard validator.verifies(der: response.signature, of: signed) else { throw .signatureInvalid(.validator) }
        let evidence = try Evidence(payload: response.payload)
        guard evidence.verifierNonce == request.verifierNonce else { throw .nonceMismatch }
        guard evidence.audience == request.audience else { throw .audienceMismatch }
        guard evidence.validatorKeyID == validator.id else {
            throw .unknownKey(.validator, id: evidence.validatorKeyID)
        }
        guard let own = PublicKey(x963: key.publicKey), evidence.appKeyID == own.id else {
            throw .unknownKey(.app, id: evidence.appKeyID)
        }
        guard evidence.appText2 == ownText2 else { throw .unknownCode(.app, found: evidence.appText2) }
        guard evidence.transcript == transcript else { throw .transcriptMismatch }
        let envelope = Envelope(
            type: Evidence.payloadType, payload: response.payload,
            signatures: [.init(keyID: "\(validator.id)", bytes: response.signature)])
        do throws(HardwareKeyError) { return try envelope.signed(by: key) } catch {
            throw .malformed("the app cannot sign it: \(error)")
        }
    }
}
