internal import AppAttest

/// Where newer receipts come from: Apple's service, or what plays it in a test.
///
/// Source: `appattest-gate` section 1.7.
protocol ReceiptService: Sendable {
    /// Sends a receipt to the service of its environment. It answers within a bounded time.
    ///
    /// - Parameter now: the time of the call.
    func answer(
        to receipt: [UInt8], _ environment: AppAttestEnvironment, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> ReceiptRefresh.Answer
}

/// Why there was no answer; it repeats nothing that was sent.
struct ReceiptServiceFailure: Error, Equatable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Verifies the receipts that a ``ReceiptService`` gives.
///
/// Source: `appattest-gate` section 2.5.
protocol ReceiptVerifying: Sendable {
    /// - Parameters:
    ///   - key: whose receipt it has to be.
    ///   - now: the time of the call.
    func verify(
        receipt: [UInt8], of key: AttestedKey, now: Timestamp
    ) async throws(VerificationFailure) -> StoredReceipt
}
