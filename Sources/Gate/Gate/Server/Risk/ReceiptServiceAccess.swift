internal import AppAttest
internal import NIOCore
internal import NIOSSL

/// A stand-in for Apple's services for receipts and devices, for tests. It is asked under Apple's names, and its
/// certificate has to be for them.
struct ReceiptServicePlace: Sendable {
    let host: String
    let port: Int
    /// The authorities whose certificates count, in place of the system's.
    let authoritiesPEM: String
    /// How long the service may take to answer.
    let timeout: Duration
}

/// What the gate needs to be let into Apple's services: the team's key, and whose certificates count.
///
/// Source: `appattest-gate` sections 1.7 and 3.11.
struct ReceiptServiceAccess: Sendable {
    private static let standardTimeout = Duration.seconds(30)
    /// How long Apple may take where somebody waits for the answer.
    private static let hastyTimeout = Duration.seconds(5)

    let token: AppleServiceToken
    let tls: NIOSSLContext
    /// The service in place of Apple's hosts.
    let place: ReceiptServicePlace?

    var timeout: TimeAmount { TimeAmount(place?.timeout ?? Self.standardTimeout) }
    /// How long Apple may take to answer about a device: a registration waits for it.
    var deviceTimeout: TimeAmount { TimeAmount(place?.timeout ?? Self.hastyTimeout) }

    /// - Returns: nil where Apple is asked for nothing.
    init?(_ settings: GateConfiguration.Risk, _ place: ReceiptServicePlace?) throws(GateServerError) {
        guard settings.asksApple, let path = settings.keyPath, let keyID = settings.keyID,
            let teamID = settings.teamID
        else { return nil }
        self.place = place
        let key = String(decoding: try FileContent.read(path, for: .riskKeyPath), as: UTF8.self)
        do throws(AppleServiceToken.SetupError) {
            token = try AppleServiceToken(privateKeyPEM: key, keyID: keyID, teamID: teamID)
        } catch {
            switch error {
            case .keyUnreadable: throw .setting(.riskKeyPath, "The file holds no P-256 key in PKCS #8 (Apple's .p8).")
            case .badIdentifier: throw .setting(.riskKeyID, "It has to be ten characters of A-Z and 0-9.")
            }
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            if let place {
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(place.authoritiesPEM.utf8)))
            }
            tls = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .setting(.riskRefresh, "The authorities cannot be used: \(error).")
        }
    }
}
