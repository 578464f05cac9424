import NIOCore
import NIOSSL

/// The certificates of a connection that may be compared with pins.
///
/// With NIOSSL's own verification that is the server's certificate alone: the rest of the chain that it sends is not
/// the chain that was verified, and anyone can send a copy of a pinned certificate along. A verification callback that
/// gives back the chain it has verified makes the whole of it visible.
///
/// Source: `mainkey` section 26.
enum ShownCertificates {
    /// Reads them after the handshake, on the connection's event loop.
    ///
    /// - Returns: DER, the server's own first; empty without TLS, so that pins refuse.
    static func of(_ pipeline: ChannelPipeline.SynchronousOperations) -> [[UInt8]] {
        do {
            if let chain = try pipeline.nioSSL_peerValidatedCertificateChain() {
                return try chain.map { try $0.toDERBytes() }
            }
            return try pipeline.nioSSL_peerCertificate().map { [try $0.toDERBytes()] } ?? []
        } catch {
            return []
        }
    }
}
