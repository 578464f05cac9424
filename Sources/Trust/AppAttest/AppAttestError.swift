/// Why an attestation, assertion or receipt was refused: the first step of the algorithm that failed.
///
/// Source: `appattest-gate` sections 2.2, 2.4 and 2.5; the order of the steps and their codes are fixed there.
public struct AppAttestError: Error, Hashable, Sendable {
    /// The name of what failed.
    public let code: Code
    /// The step as the specification counts: `A0` to `A17` for attestations, `S1` to `S7` for assertions, `R1` to `R12`
    /// for receipts.
    public let step: String
    /// What was expected, in plain words; never key material, and no bytes of the client.
    public let detail: String

    init(_ code: Code, at step: String, _ detail: String) {
        self.code = code
        self.step = step
        self.detail = detail
    }

    /// Stable names, for logs, metrics and known answers.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case keyIDMalformed = "key_id_malformed"
        case malformedCBOR = "malformed_cbor"
        case malformedAttestation = "malformed_attestation"
        case unsupportedFormat = "unsupported_format"
        case malformedAuthenticatorData = "malformed_authenticator_data"
        case certificateUnparsable = "certificate_unparsable"
        case unsupportedKey = "unsupported_key"
        case untrustedChain = "untrusted_chain"
        case certificateNotYetValid = "certificate_not_yet_valid"
        case certificateExpired = "certificate_expired"
        case nonceExtensionMissing = "nonce_extension_missing"
        case nonceExtensionMalformed = "nonce_extension_malformed"
        case nonceMismatch = "nonce_mismatch"
        case keyIDMismatch = "key_id_mismatch"
        case appIDMismatch = "app_id_mismatch"
        case certificateAppIDMismatch = "certificate_app_id_mismatch"
        case counterNotZero = "counter_not_zero"
        case aaguidUnknown = "aaguid_unknown"
        case environmentNotAllowed = "environment_not_allowed"
        case credentialIDMismatch = "credential_id_mismatch"
        case publicKeyMismatch = "public_key_mismatch"
        case accessControlRejected = "access_control_rejected"
        case validationCategoryRejected = "validation_category_rejected"
        case bundleVersionRejected = "bundle_version_rejected"
        case codeHashRejected = "code_hash_rejected"

        case malformedAssertion = "malformed_assertion"
        case signatureMalformed = "signature_malformed"
        case signatureInvalid = "signature_invalid"
        case counterNotIncreasing = "counter_not_increasing"

        case receiptMalformed = "receipt_malformed"
        case receiptUntrusted = "receipt_untrusted"
        case receiptSignatureInvalid = "receipt_signature_invalid"
        case receiptAppIDMismatch = "receipt_app_id_mismatch"
        case receiptNotYetValid = "receipt_not_yet_valid"
        case receiptTooOld = "receipt_too_old"
        case receiptExpired = "receipt_expired"
        case receiptPublicKeyMismatch = "receipt_public_key_mismatch"
        case receiptClientHashMismatch = "receipt_client_hash_mismatch"
        case receiptEnvironmentMismatch = "receipt_environment_mismatch"
    }
}

extension AppAttestError: CustomStringConvertible {
    /// The code, the step and what was expected.
    public var description: String { "\(code.rawValue) at step \(step): \(detail)" }
}
