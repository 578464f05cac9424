/// What the TLS library found out about a client's certificate.
struct PeerCertificate: Equatable, Sendable {
    /// Whether it chains to the configured authorities.
    let isVerified: Bool
    let commonName: String?
    let keyUsage: ExtendedKeyUsage

    enum ExtendedKeyUsage: Equatable, Sendable {
        /// The certificate does not say.
        case absent
        case present(clientAuthentication: Bool)
    }
}

/// Whether a client certificate lets somebody in who brings no assertion.
///
/// Source: `appattest-gate` section 3.5.
struct ClientCertificateRule: Equatable, Sendable {
    let isActive: Bool
    /// The common names that are let in; nil for all.
    let allowedSubjects: Set<String>?

    /// - Parameter environment: of the deployment; one that says nothing is production.
    init(
        isAllowed: Bool, environment: DeploymentEnvironment, hasTLS: Bool, hasAuthorities: Bool,
        allowedSubjects: Set<String>? = nil
    ) {
        isActive = isAllowed && environment.allowsClientCertificates && hasTLS && hasAuthorities
        self.allowedSubjects = allowedSubjects
    }

    init(isActive: Bool, allowedSubjects: Set<String>?) {
        self.isActive = isActive
        self.allowedSubjects = allowedSubjects
    }

    func admits(_ certificate: PeerCertificate?) -> Bool {
        guard isActive, let certificate, certificate.isVerified,
            certificate.keyUsage != .present(clientAuthentication: false)
        else { return false }
        guard let allowedSubjects else { return true }
        return certificate.commonName.map(allowedSubjects.contains) == true
    }
}

/// Where a gate runs. Only what is named explicitly is not production.
enum DeploymentEnvironment: String, Sendable, CaseIterable {
    case production, development, test, staging, simulator

    /// - Parameter name: of any case; anything unknown is production.
    init(named name: String?) {
        self = name.flatMap { Self(rawValue: ASCIIText.lowercased($0)) } ?? .production
    }

    var allowsClientCertificates: Bool { self != .production }

    /// Whether another root than Apple's may sign attestations.
    var allowsOtherRoots: Bool { self == .development || self == .test }
}
