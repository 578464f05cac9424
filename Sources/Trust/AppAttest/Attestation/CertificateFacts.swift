import BasicFoundation
import TextForms

/// What the leaf of an attestation tells beside its key. Which of the texts there are depends on the version of the
/// system.
public struct CertificateFacts: Hashable, Sendable {
    /// The version of the system, for example `18.3.1`.
    public let osVersion: String?
    /// The build of the system, for example `22D72`.
    public let osBuild: String?
    /// The platform, for example `iphoneos`.
    public let platform: String?
    /// The first second in which the certificate is valid.
    package let notBefore: Date
    /// The last second in which it is. An attestation is verified when it arrives: most cannot be later.
    package let notAfter: Date
}

extension CertificateFacts {
    init(_ certificate: ChainCertificate, _ leaf: LeafAttributes) {
        osVersion = leaf.deviceText(1400)
        osBuild = leaf.deviceText(1403)
        platform = leaf.deviceText(1026)
        // A certificate without any valid moment was refused before.
        notBefore = Date(UTCTimestamp(seconds: certificate.validity?.lowerBound ?? 0))
        notAfter = Date(UTCTimestamp(seconds: certificate.validity?.upperBound ?? 0))
    }
}
