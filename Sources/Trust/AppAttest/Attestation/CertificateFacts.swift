/// What the leaf of an attestation tells beside its key. Which of the texts there are depends on the version of the
/// system.
public struct CertificateFacts: Hashable, Sendable {
    /// The version of the system, for example `18.3.1`.
    public let osVersion: String?
    /// The build of the system, for example `22D72`.
    public let osBuild: String?
    /// The platform, for example `iphoneos`.
    public let platform: String?
    /// The certificate is valid from this second to that, seconds since 1970. An attestation is verified when it
    /// arrives: most cannot be later.
    public let notBefore: Int64
    public let notAfter: Int64
}

extension CertificateFacts {
    init(_ certificate: ChainCertificate, _ leaf: LeafAttributes) {
        osVersion = leaf.deviceText(1400)
        osBuild = leaf.deviceText(1403)
        platform = leaf.deviceText(1026)
        // A certificate without any valid moment was refused before.
        notBefore = certificate.validity?.lowerBound ?? 0
        notAfter = certificate.validity?.upperBound ?? 0
    }
}
