/// What makes keys, has them attested and signs with them: Apple's service on a device, a stand-in in tests.
public protocol AppAttestService: Sendable {
    /// Makes a key on this device.
    ///
    /// - Returns: the new key's identifier, Base64 as the service gives it.
    func generateKey() async throws(AppAttestServiceError) -> String

    /// Has Apple attest a key. A key is attested once.
    ///
    /// - Parameter clientDataHash: 32 bytes.
    /// - Returns: the attestation, CBOR.
    func attest(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8]

    /// Signs with an attested key; the device counts its signatures.
    ///
    /// - Parameter clientDataHash: 32 bytes.
    /// - Returns: the assertion, CBOR.
    func assert(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8]
}

/// What makes tokens by which Apple knows this device, for gates with `DEVICECHECK`.
public protocol DeviceTokenService: Sendable {
    /// Makes a token.
    ///
    /// - Returns: a fresh token. It is for one use.
    func deviceToken() async throws(AppAttestServiceError) -> [UInt8]
}

/// Why a service did not do what was asked.
public enum AppAttestServiceError: Error, Equatable, Sendable {
    /// This device cannot attest. (Simulators cannot.)
    case notSupported
    /// The key is not on this device any more, or was attested already.
    case invalidKey
    /// Apple's server does not answer. The same key may be attested later.
    case unavailable
    /// Another failure, in the words of the system.
    case failed(String)
}
