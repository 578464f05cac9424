internal import NIOSSL
internal import Synchronization

/// The server's side of TLS: the context that new connections get, which can be exchanged while others live on.
///
/// Source: `appattest-gate` sections 3.5 and 3.10.
final class ServerTLS: Sendable {
    private struct Current: Sendable {
        var context: NIOSSLContext
        var settings: GateConfiguration.Listener.TLS
        /// The versions of the files when they were read.
        var versions: [[Int64]]
        /// When the certificate expires.
        var expiry: Timestamp
    }

    private let current: Mutex<Current>
    private let onRead: @Sendable () -> Void

    /// - Parameter onRead: is told when the files were read and are not judged yet; for tests that replace one then.
    init(
        _ settings: GateConfiguration.Listener.TLS, onRead: @escaping @Sendable () -> Void = {}
    ) throws(GateServerError) {
        current = Mutex(try Self.load(settings, onRead))
        self.onRead = onRead
    }

    var context: NIOSSLContext { current.withLock(\.context) }
    var expiry: Timestamp { current.withLock(\.expiry) }

    /// Whether a file has changed since it was read.
    var hasChanged: Bool {
        let (settings, versions) = current.withLock { ($0.settings, $0.versions) }
        return Self.versions(settings) != versions
    }

    /// Reads the files again, with the certificate and the key of `settings` if given: all else waits for a restart.
    /// After an error the old context stays.
    func reload(_ settings: GateConfiguration.Listener.TLS? = nil) throws(GateServerError) {
        let old = current.withLock(\.settings)
        // Of what is tried, not of what may have taken its place until it failed.
        let versions = Self.versions(old)
        do throws(GateServerError) {
            let new = try Self.load(settings.map(old.with(filesOf:)) ?? old, onRead)
            current.withLock { $0 = new }
        } catch {
            // Not tried again, and not logged again, before a file changes.
            current.withLock { $0.versions = versions }
            throw error
        }
    }

    private static func versions(_ settings: GateConfiguration.Listener.TLS) -> [[Int64]] {
        [settings.certificatePath, settings.keyPath].map { FileContent.version($0) }
    }

    private static func load(
        _ settings: GateConfiguration.Listener.TLS, _ onRead: () -> Void
    ) throws(GateServerError) -> Current {
        let versions = versions(settings)
        let chain: [NIOSSLCertificate]
        let certificates = try FileContent.read(settings.certificatePath, for: .tlsCertPath)
        do { chain = try NIOSSLCertificate.fromPEMBytes(certificates) } catch {
            throw .setting(.tlsCertPath, "The file holds no certificates in PEM.")
        }
        guard let leaf = chain.first else { throw .setting(.tlsCertPath, "The file holds no certificate.") }
        let key: NIOSSLPrivateKey
        let keyBytes = try FileContent.read(settings.keyPath, for: .tlsKeyPath)
        onRead()
        do { key = try NIOSSLPrivateKey(bytes: keyBytes, format: .pem) } catch {
            throw .setting(.tlsKeyPath, "The file holds no private key in PEM.")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.cipherSuiteValues = Self.suites
        configuration.minimumTLSVersion = settings.allowsTLS12 ? .tlsv12 : .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        if let path = settings.clientCAPath {
            // A certificate is asked for; one that is shown has to lead to these authorities, and to no others.
            configuration.certificateVerification = .optionalVerification
            configuration.trustRoots = .certificates(try authorities(path))
        }
        do {
            return Current(
                context: try NIOSSLContext(configuration: configuration), settings: settings, versions: versions,
                expiry: Timestamp(milliseconds: Int64(leaf.notValidAfter) * 1_000))
        } catch {
            throw .setting(.tlsKeyPath, "The private key does not belong to the certificate in TLS_CERT_PATH.")
        }
    }

    /// The cipher suites of TLS 1.2 with authenticated encryption and forward secrecy. Those of 1.3 all have both, and
    /// are not chosen here.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func authorities(_ path: String) throws(GateServerError) -> [NIOSSLCertificate] {
        let bytes = try FileContent.read(path, for: .mtlsClientCAPath)
        guard let authorities = try? NIOSSLCertificate.fromPEMBytes(bytes), !authorities.isEmpty else {
            throw .setting(.mtlsClientCAPath, "The file holds no certificate in PEM.")
        }
        return authorities
    }
}

extension GateServer {
    /// Reads certificate and key anew. A pair that is no good leaves the old one in place.
    func reloadCertificate(_ tls: ServerTLS, _ settings: GateConfiguration.Listener.TLS? = nil) {
        do throws(GateServerError) {
            try tls.reload(settings)
            gate.metrics.certificateExpiry.set(Int(tls.expiry.seconds))
            parts.events.record(GateEvent(.certificateReloaded))
        } catch {
            parts.events.record(GateEvent(.reloadFailed, .error, detail: "\(error)"))
        }
    }
}
