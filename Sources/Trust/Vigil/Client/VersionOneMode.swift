import Synchronization

/// How an app speaks version 1 of the protocol, which it does with a validator of that age alone: nothing that a
/// validator says or leaves out makes an app of version 2 fall back to it.
///
/// Source: `vigil` section 7.2.
package final class VersionOneMode: Sendable {
    /// Measures this process: ``SelfMeasurement/combinedTextDigest(of:)``.
    let measure: @Sendable () throws(Refusal) -> Bytes32
    let validatorHash: Bytes32
    let noncePolicy: VersionOne.NoncePolicy
    /// The nonces of the verdicts that were accepted last; they are kept as long as this lives.
    let seen = Mutex(VersionOne.SeenNonces())

    /// - Parameters:
    ///   - validatorHash: by the manifest (``VersionOne/Hashes``).
    ///   - noncePolicy: its ``VersionOne/NoncePolicy/warning`` belongs into the log of the program that chooses it.
    package init(
        validatorHash: Bytes32, noncePolicy: VersionOne.NoncePolicy,
        measure: @escaping @Sendable () throws(Refusal) -> Bytes32
    ) {
        self.measure = measure
        self.validatorHash = validatorHash
        self.noncePolicy = noncePolicy
    }
}
