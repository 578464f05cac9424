import StrictJSON

/// The protocol of the design's first version: JSON, one request and one answer.
///
/// It is as weak as its format: a verdict names neither the request nor the app, and the validator has no challenge of
/// its own (`vigil` sections 1.1 and 7.2). It is spoken only where a configuration allows it.
///
/// Source: `vigil` sections 7.1 and 7.2.
package enum VersionOne {
    /// Bytes of a message, which is a frame's.
    static let reader = JSONReader(maximumDepth: 4, maximumBytes: 65_536, maximumValues: 64)
    /// Bytes of the longest signature of P-256 in DER.
    static let signatureLimit = 72

    /// What a client asks.
    package enum Request: Hashable, Sendable {
        case validate(Validation)
        case exchangeKey(PublicKey)
        case ping
    }

    /// What a validator answers.
    package enum Response: Hashable, Sendable {
        case verdict(Verdict)
        /// A refusal without a signature.
        case refused
        case key(PublicKey)
        case alive
    }

    /// An app that reports its hash.
    package struct Validation: Hashable, Sendable {
        /// ``Manifest/combinedTextDigest(of:architecture:)`` of the app.
        package let hash: Bytes32
        package let nonce: Bytes32
        package let publicKey: PublicKey
        /// The signature in DER.
        package let signature: [UInt8]
    }

    /// A validator's word, signed also where it is negative.
    package struct Verdict: Hashable, Sendable {
        package let isValid: Bool
        /// ``Manifest/combinedTextDigest(of:architecture:)`` of the validator.
        package let validatorHash: Bytes32
        package let nonce: Bytes32
        package let publicKey: PublicKey
        /// The signature in DER.
        package let signature: [UInt8]
    }
}
