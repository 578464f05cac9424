internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import X509

/// The name that a service behind TLS has to show.
///
/// The TLS library is also content with a certificate for the address that was connected to, whatever name was asked
/// for. Here a name is a name: the certificate has to have it.
/// Source: RFC 9525 sections 6.1 and 6.3.
struct ServiceName {
    private let name: String

    init(_ name: String) { self.name = Self.canonical(name) }

    /// - Parameter certificate: one that the TLS library has verified. One without alternative names it has compared
    ///   itself.
    func isShown(by certificate: NIOSSLCertificate) -> Bool {
        guard let der = try? certificate.toDERBytes(), let parsed = try? Certificate(derEncoded: der) else {
            return false
        }
        do {
            guard let names = try parsed.extensions.subjectAlternativeNames else { return true }
            return names.contains { if case .dnsName(let shown) = $0 { fits(shown) } else { false } }
        } catch {
            return false
        }
    }

    /// - Parameter shown: a name, or `*.` and a name, which stands for one label more.
    func fits(_ shown: String) -> Bool {
        let shown = Self.canonical(shown)
        guard shown.hasPrefix("*.") else { return shown == name }
        guard let dot = name.firstIndex(of: "."), dot > name.startIndex else { return false }
        return name[dot...] == shown.dropFirst()
    }

    private static func canonical(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

/// Stands behind the handler of TLS until the handshake is done, and lets nobody behind it know of one with somebody
/// else.
final class ServiceNameCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let name: ServiceName

    init(_ name: ServiceName) { self.name = name }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
        guard let certificate = handler?.peerCertificate, name.isShown(by: certificate) else {
            return context.fireErrorCaught(NIOSSLExtraError.failedToValidateHostname)
        }
        context.fireUserInboundEventTriggered(event)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
