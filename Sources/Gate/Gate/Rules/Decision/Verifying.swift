public import AppAttest

/// Why a verification gave no verdict in favour.
public enum VerificationFailure: Error, Equatable, Sendable {
    case rejected(AppAttestError.Code)
    /// All verifiers work and their queue is full.
    case overloaded
    /// The verification cannot be done now.
    case unavailable
}

/// Verifies attestations; it may wait for a place in a bounded pool.
///
/// Source: `appattest-gate` section 2.2.
public protocol AttestationVerifying: Sendable {
    /// - Parameter now: milliseconds since 1970.
    func verify(
        attestation: [UInt8], keyID: KeyID, clientDataHash: [UInt8], now: Int64
    ) async throws(VerificationFailure) -> AttestationVerdict
}

/// Verifies assertions, quickly enough for any thread.
///
/// Source: `appattest-gate` section 2.4.
public protocol AssertionVerifying: Sendable {
    /// - Parameters:
    ///   - publicKey: the X9.62 point, 65 bytes.
    ///   - storedSignCount: which the assertion's has to exceed.
    ///   - appID: which the key was registered for.
    func verify(
        assertion: [UInt8], clientDataHash: [UInt8], publicKey: [UInt8], storedSignCount: UInt32, appID: AppID
    ) throws(VerificationFailure) -> AssertionVerdict
}

/// What a good attestation says.
public struct AttestationVerdict: Equatable, Sendable {
    public let appID: AppID
    public let environment: AppAttestEnvironment
    /// The public key as an X9.62 point, 65 bytes.
    public let publicKey: [UInt8]
    public let facts: AssertionFacts
    public let receipt: StoredReceipt?

    public init(
        appID: AppID, environment: AppAttestEnvironment, publicKey: [UInt8], facts: AssertionFacts = AssertionFacts(),
        receipt: StoredReceipt? = nil
    ) {
        self.appID = appID
        self.environment = environment
        self.publicKey = publicKey
        self.facts = facts
        self.receipt = receipt
    }
}

/// What a good assertion says.
public struct AssertionVerdict: Equatable, Sendable {
    public let signCount: UInt32
    public let facts: AssertionFacts

    public init(signCount: UInt32, facts: AssertionFacts = AssertionFacts()) {
        self.signCount = signCount
        self.facts = facts
    }
}
