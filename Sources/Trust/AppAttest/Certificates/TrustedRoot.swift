import TextForms

/// An anchor, and the rule by which certificates lead to it: in the order in which they come, without a search for a
/// path.
///
/// Source: `appattest-gate` section 2.3.
struct TrustedRoot: Sendable {
    enum Refusal: Error, Equatable {
        case untrusted(String)
        case notYetValid
        case expired
    }

    /// Which certificates are worth remembering: those that many chains have in common.
    enum Memory {
        /// All certificates but the leaf.
        case issuers
        case wholePath
    }

    let anchor: ChainCertificate
    private let known = VerifiedCertificates()

    /// The certificate in these bytes. One that has been verified before is not parsed again.
    func certificate(_ der: ArraySlice<UInt8>) throws(ChainCertificate.Defect) -> ChainCertificate {
        if der == anchor.der { return anchor }
        if let certificate = known.certificate(der) { return certificate }
        return try ChainCertificate(der: der)
    }

    /// - Parameters:
    ///   - path: the leaf first; the anchor may be the last.
    ///   - now: judged after everything else, so that a client with a certificate of another root learns nothing
    ///     of times.
    func check(_ path: [ChainCertificate], at now: UTCTimestamp, remembering memory: Memory) throws(Refusal) {
        var path = path
        if let last = path.last, last.der == anchor.der { path.removeLast() }
        guard let leaf = path.first, !leaf.isAuthority else { throw .untrusted("the leaf is a certificate authority") }
        path.append(anchor)
        for (index, certificate) in path.dropLast().enumerated() {
            try checkLink(certificate, to: path[index + 1], authoritiesBetween: index)
        }
        // Last, because they cost a thousand times more than all of the above.
        for (certificate, issuer) in zip(path, path.dropFirst()).reversed() {
            guard known.contains(certificate, issuedBy: issuer) || certificate.isSigned(by: issuer) else {
                throw .untrusted("a signature is not that of the issuer")
            }
        }
        for (index, (certificate, issuer)) in zip(path, path.dropFirst()).enumerated()
        where index > 0 || memory == .wholePath {
            known.insert(certificate, issuedBy: issuer)
        }
        for certificate in path { try Self.checkTime(certificate, at: now.seconds) }
    }

    private func checkLink(
        _ certificate: ChainCertificate, to issuer: ChainCertificate, authoritiesBetween count: Int
    ) throws(Refusal) {
        guard certificate.hasOnlyUnderstoodCriticalExtensions else {
            throw .untrusted("a critical extension is not understood")
        }
        guard certificate.issuer == issuer.subject else { throw .untrusted("an issuer's name is not that of the next") }
        guard issuer.isAuthority, issuer.signsCertificates else {
            throw .untrusted("an issuer is not a certificate authority")
        }
        guard count <= issuer.pathLength ?? .max else { throw .untrusted("an issuer allows no path of that length") }
    }

    private static func checkTime(_ certificate: ChainCertificate, at now: Int) throws(Refusal) {
        guard let validity = certificate.validity, now <= validity.upperBound else { throw .expired }
        guard now >= validity.lowerBound else { throw .notYetValid }
    }
}
