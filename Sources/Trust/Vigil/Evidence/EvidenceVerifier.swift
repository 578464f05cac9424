import BasicFoundation
import CodeMeasurement
import HardwareKeys

/// Decides whether evidence is believed. It needs no network and no clock of its own.
///
/// The caller makes the nonce, gives it out once, and takes it back after the first answer, whatever that was.
///
///     let verifier = EvidenceVerifier(
///         audience: "gate.example.org", product: "org.example.vault", appKeys: keys, validatorKeys: validators,
///         knownApps: [appDigest], knownValidators: [validatorDigest])
///     let evidence = try verifier.verify(message, nonce: nonce, now: Date())
///
/// Source: `vigil` section 9.4.
public struct EvidenceVerifier: Sendable {
    /// The own name, which the app was told.
    public var audience: String
    /// The product that evidence has to be about.
    public var product: String
    /// Keys that were enrolled, by their ids.
    private let appKeys, validatorKeys: [Bytes32: PublicKey]
    /// Code that is trusted.
    public var knownApps: Set<Bytes32>
    /// Code of validators that is trusted.
    public var knownValidators: Set<Bytes32>
    /// The oldest release that is accepted.
    public var minimumEpoch: UInt32 = 0
    /// How the app has to have been measured.
    public var requiredLevels = Levels.requiredByDefault
    /// Whether both keys have to live in hardware.
    public var requiresHardwareKeys = false
    /// How far the evidence may be from now.
    public var window: Duration = .seconds(60)
    /// Whether a TPM's quote has to come with it.
    public var requiresQuote = false
    /// Attestation keys that are known, by their ids. A quote by another key is refused, whoever asked for it.
    public var attestationKeys: Set<Bytes32> = []
    /// What registers of the SHA-256 bank have to hold, 32 bytes each; those that are not named here may hold anything.
    public var registers: [Int: [UInt8]] = [:]

    /// - Parameters:
    ///   - audience: the own name, which the app was told.
    ///   - appKeys: those that were enrolled, as are `validatorKeys`.
    ///   - knownApps: code that is trusted, as is `knownValidators`.
    public init(
        audience: String, product: String, appKeys: Set<PublicKey>, validatorKeys: Set<PublicKey>,
        knownApps: Set<Bytes32>, knownValidators: Set<Bytes32>
    ) {
        self.audience = audience
        self.product = product
        self.appKeys = Dictionary(appKeys.map { ($0.id, $0) }) { first, _ in first }
        self.validatorKeys = Dictionary(validatorKeys.map { ($0.id, $0) }) { first, _ in first }
        self.knownApps = knownApps
        self.knownValidators = knownValidators
    }

    /// - Parameters:
    ///   - message: ``EvidenceEnvelope/json``.
    ///   - nonce: the one that was given out for this answer.
    /// - Returns: what both sides say.
    /// - Throws: ``EvidenceRefusal``
    public func verify(_ message: [UInt8], nonce: Bytes32, now: Date) throws(EvidenceRefusal) -> Evidence {
        let received = try EvidenceEnvelope(parsing: message)
        let evidence = try authentic(received.envelope)
        guard evidence.verifierNonce == nonce else { throw .nonceMismatch }
        guard evidence.audience == Evidence.audience(audience) else { throw .audienceMismatch }
        guard evidence.product == product else { throw .productMismatch(found: evidence.product) }
        let age = now.timeIntervalSince(evidence.issuedAt)
        guard abs(age) <= window / .seconds(1) else { throw .notFresh(seconds: Int(max(-1e9, min(age, 1e9)))) }
        guard evidence.epoch >= minimumEpoch else {
            throw .epochRollback(found: evidence.epoch, needed: minimumEpoch)
        }
        try checkCode(evidence)
        if let quote = received.quote {
            try quote.check(binding: received.envelope.unverified, keys: attestationKeys, wanted: registers)
        } else if requiresQuote {
            throw .quote(.missing)
        }
        return evidence
    }

    /// The payload that two different keys, one of each role, have signed. It says itself which keys those have to be.
    private func authentic(_ envelope: Envelope) throws(EvidenceRefusal) -> Evidence {
        guard envelope.type == Evidence.payloadType else { throw .wrongPayloadType(found: envelope.type) }
        let evidence = try Evidence(payload: envelope.unverified)
        guard let validator = validatorKeys[evidence.validatorKeyID] else {
            throw .unknownKey(.validator, id: evidence.validatorKeyID)
        }
        guard let app = appKeys[evidence.appKeyID], app != validator else {
            throw .unknownKey(.app, id: evidence.appKeyID)
        }
        guard envelope.isSigned(by: validator) else { throw .signatureInvalid(.validator) }
        guard envelope.isSigned(by: app) else { throw .signatureInvalid(.app) }
        return evidence
    }

    private func checkCode(_ evidence: Evidence) throws(EvidenceRefusal) {
        guard knownApps.contains(evidence.appText2) else { throw .unknownCode(.app, found: evidence.appText2) }
        guard knownValidators.contains(evidence.validatorText2) else {
            throw .unknownCode(.validator, found: evidence.validatorText2)
        }
        let missing = requiredLevels.subtracting(evidence.measured)
        guard missing.isEmpty else { throw .notMeasured(missing: missing) }
        guard requiresHardwareKeys else { return }
        guard evidence.appKeyKind.isHardware else { throw .softwareKey(.app) }
        guard evidence.validatorKeyKind.isHardware else { throw .softwareKey(.validator) }
    }
}
