import BasicFoundation
import HardwareKeys

/// The signing keys of a program under the names of the design's first version.
///
///     let keys = KeyStore(HardwareSigningKeys(in: directory, hardware: hardware, policy: policy, logger: logger))
///     let publicKey = try keys.generateKeyPair(tag: KeyStore.appTag)
///     let signature = try keys.sign(message, tag: KeyStore.appTag)
///
/// Source: `vigil` section 2.3.
public struct KeyStore: Sendable {
    /// The tag of an app's key.
    public static let appTag = "com.vigil.app"
    /// The tag of a validator's key.
    public static let validatorTag = "com.vigil.validator"
    /// The tag of the design's filter extension, which validated in the validator's place.
    public static let filterTag = "com.vigil.filter"

    private let keys: HardwareSigningKeys

    /// - Parameter keys: where the keys live.
    public init(_ keys: HardwareSigningKeys) {
        self.keys = keys
    }

    /// Whether a new key would live in hardware: a Secure Enclave, or on Linux a TPM 2.0.
    public var isSecureEnclaveAvailable: Bool { keys.isHardwareUsable }

    /// - Throws: ``HardwareKeyError``: `keyExists`, and what `HardwareSigningKeys.generate` throws.
    @discardableResult
    public func generateKeyPair(tag: String) throws(HardwareKeyError) -> PublicKey {
        try PublicKey(of: keys.generate(tag: tag))
    }

    /// - Throws: ``HardwareKeyError``: `keyNotFound`, and what `HardwareSigningKeys.load` throws.
    public func publicKey(tag: String) throws(HardwareKeyError) -> PublicKey { try PublicKey(of: key(tag: tag)) }

    /// The key itself, for what signs often.
    public func key(tag: String) throws(HardwareKeyError) -> any SigningKey { try keys.load(tag: tag) }

    /// Signs the SHA-256 of a message.
    ///
    /// - Returns: r ‖ s, 64 bytes.
    public func sign(_ message: some DataProtocol, tag: String) throws(HardwareKeyError) -> [UInt8] {
        try key(tag: tag).sign(message)
    }

    /// - Parameter signature: r ‖ s, 64 bytes.
    public func verify(_ signature: [UInt8], of message: some DataProtocol, by key: PublicKey) -> Bool {
        key.verifies(signature, of: message)
    }

    /// The kind of the key stays pinned: the next one of this tag cannot be weaker.
    ///
    /// - Throws: ``HardwareKeyError/keyNotFound(tag:)``
    public func deleteKeyPair(tag: String) throws(HardwareKeyError) { try keys.remove(tag: tag) }
}
