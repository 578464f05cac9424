internal import AppAttest

/// Why a verification gave no verdict in favour.
enum VerificationFailure: Error, Equatable, Sendable {
    case rejected(AppAttestError.Code)
    /// All verifiers work and their queue is full.
    case overloaded
    /// The verification cannot be done now.
    case unavailable
}

/// Verifies attestations; it may wait for a place in a bounded pool.
///
/// Source: `appattest-gate` section 2.2.
protocol AttestationVerifying: Sendable {
    /// - Parameter now: the time of the call.
    func verify(
        attestation: [UInt8], keyID: KeyID, clientDataHash: [UInt8], now: Timestamp
    ) async throws(VerificationFailure) -> AttestationVerdict
}

/// Verifies assertions, quickly enough for any thread.
///
/// Source: `appattest-gate` section 2.4.
protocol AssertionVerifying: Sendable {
    /// - Parameters:
    ///   - publicKey: the X9.62 point, 65 bytes.
    ///   - storedSignCount: which the assertion's has to exceed.
    ///   - appID: which the key was registered for.
    func verify(
        assertion: [UInt8], clientDataHash: [UInt8], publicKey: [UInt8], storedSignCount: UInt32, appID: AppID
    ) throws(VerificationFailure) -> AssertionVerdict
}

/// What a good attestation says.
struct AttestationVerdict: Equatable, Sendable {
    let appID: AppID
    let environment: AppAttestEnvironment
    /// The public key as an X9.62 point, 65 bytes.
    let publicKey: [UInt8]
    let facts: AssertionFacts
    let receipt: StoredReceipt?
}

/// What a good assertion says.
struct AssertionVerdict: Equatable, Sendable {
    let signCount: UInt32
    let facts: AssertionFacts
}
