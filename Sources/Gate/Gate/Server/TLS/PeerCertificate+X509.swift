internal import NIOSSL
internal import X509

extension PeerCertificate {
    /// - Parameter certificate: one that the TLS library has verified.
    /// - Returns: nil if it cannot be read here.
    init?(verified certificate: NIOSSLCertificate) {
        guard let der = try? certificate.toDERBytes(), let parsed = try? Certificate(derEncoded: der),
            let usage = try? Self.keyUsage(parsed)
        else { return nil }
        self.init(isVerified: true, commonName: Self.commonName(parsed), keyUsage: usage)
    }

    private static func keyUsage(_ certificate: Certificate) throws -> PeerCertificate.ExtendedKeyUsage {
        guard let usages = try certificate.extensions.extendedKeyUsage else { return .absent }
        return .present(clientAuthentication: usages.contains(.clientAuth))
    }

    /// The last common name, which is the most specific.
    private static func commonName(_ certificate: Certificate) -> String? {
        certificate.subject.flatMap { $0 }.last { $0.type == .RDNAttributeType.commonName }.flatMap {
            String($0.value)
        }
    }
}
