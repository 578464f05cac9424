import SwiftASN1

/// Extensions of certificates that are looked at by their identifiers.
enum ExtensionID {
    /// The hash that binds a leaf to its attestation.
    static let nonce: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]
    static let keyAttributes: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 5]
    static let accessControl: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 6]
    static let deviceAttributes: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 7]
    /// Marks certificates whose keys may sign receipts.
    static let receiptSigner: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 12, 15]

    static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    /// The extensions that a certificate may call critical; the rules of the chain look at them, or they limit nothing
    /// here.
    static let understood: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.authorityKeyIdentifier, .X509ExtensionID.subjectKeyIdentifier, certificatePolicies,
    ]
}
